// Conformance tests for every STT vendor driver, over a real socket, with each fault of that vendor's server.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { VendorTimeouts } from '../../src/speech/vendor-http.ts'
import type { Audio, Stt, Transcript } from '../../src/voice/ports.ts'
import { KEY, type VendorServer } from './server.ts'
import { failureOf, until } from './tts-cases.ts'

export type SttCase = {
  title: string
  server: VendorServer
  open(settings: { apiKey: string | null; timeouts?: Partial<VendorTimeouts> }): Stt
  expected: string
  /** The text expected if the retry does not use a WebSocket. */
  expectedByRest?: string
}

const never = new AbortController().signal
const short = { connectMs: 10_000, firstByteMs: 400, idleMs: 400 }
/** A busy machine may be late by seconds; only a vendor that should be given up gets less time. */
const long = { connectMs: 10_000, firstByteMs: 30_000, idleMs: 30_000 }

/** Frames of 20 ms, as in a call. */
export async function* utterance(seconds: number, rateHz = 16_000): Audio {
  const pcm = new Int16Array(rateHz / 50)
  for (let i = 0; i < seconds * 50; i++) {
    yield { pcm: pcm.map((_, n) => Math.round(5000 * Math.sin((i * pcm.length + n) / 9))), rateHz }
    if (i % 5 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
}

export async function listen(transcripts: AsyncIterable<Transcript>): Promise<Transcript[]> {
  const all: Transcript[] = []
  for await (const transcript of transcripts) all.push(transcript)
  return all
}

export function sttCases({ title, server, open, expected, expectedByRest = expected }: SttCase): void {
  const it = (name: string, run: (stt: Stt) => Promise<void>, timeouts = long) =>
    test(`${title}: ${name}`, async () => {
      server.heal()
      const stt = open({ apiKey: KEY, timeouts })
      await run(stt)
      await (stt as { close?(): Promise<void> }).close?.()
    })
  const hear = (stt: Stt, audio = utterance(2.5), signal = never) =>
    listen(stt.transcribe(audio, { language: 'pt-BR' }, signal))

  it('gives one final text, the last', async (stt) => {
    const all = await hear(stt)
    assert.deepEqual(
      all.map((transcript) => transcript.isFinal),
      [...all.slice(1).map(() => false), true],
    )
    assert.equal(all.at(-1)?.text, expected)
    for (const { url } of server.asked) assert.ok(!url.includes(KEY))
  })

  it('hears nothing where there is no audio, without asking', async (stt) => {
    assert.deepEqual(await hear(stt, utterance(0)), [{ text: '', isFinal: true }])
    assert.equal(server.asked.length, 0)
  })

  it('bears a vendor that answers in drips', async (stt) => {
    server.fail('drip')
    assert.equal((await hear(stt)).at(-1)?.text, expected)
  })

  for (const fault of ['stall', 'silent'] as const)
    it(
      `gives up a vendor that is ${fault === 'stall' ? 'stuck half-way' : 'silent'}, with 504`,
      async (stt) => {
        server.fail(fault)
        assert.equal((await failureOf(hear(stt))).status, 504)
      },
      short,
    )

  it('tells a refused key and a limit apart, with 502 and no second try', async (stt) => {
    server.fail('unauthorized')
    assert.match((await failureOf(hear(stt))).message, /did not accept our key/)
    assert.equal(server.asked.length, 1)
    server.fail('throttled')
    const error = await failureOf(hear(stt))
    assert.equal(error.status, 502)
    assert.match(error.message, /limits our requests/)
    assert.equal(server.asked.length, 1)
  })

  for (const fault of ['broken', 'reset-at-once'] as const)
    it(`tries once more where the vendor is ${fault}, and no more than once`, async (stt) => {
      server.fail(fault, 1)
      assert.equal((await hear(stt)).at(-1)?.text, expectedByRest)
      assert.equal(server.asked.length, 2)
      server.fail(fault)
      assert.equal((await failureOf(hear(stt))).status, 502)
      assert.equal(server.asked.length, 2)
    })

  for (const fault of ['reset', 'wrong'] as const)
    it(`reports ${fault === 'reset' ? 'a connection that breaks half-way' : 'wrong content'} with 502`, async (stt) => {
      server.fail(fault)
      assert.equal((await failureOf(hear(stt))).status, 502)
    })

  it('stops at once and quietly when told to, and the connection with it', async (stt) => {
    server.fail('silent')
    const leaving = new AbortController()
    const hearing = hear(stt, utterance(1), leaving.signal)
    await until(() => server.busy() === 1, 'it was asked')
    leaving.abort()
    assert.deepEqual(await hearing, [])
    await until(() => server.busy() === 0, 'the connection is closed')
    assert.deepEqual(await hear(stt, utterance(1), AbortSignal.abort()), [])
  })

  it('is unavailable without a key, with 503', async () => {
    const keyless = open({ apiKey: null })
    assert.equal((await failureOf(hear(keyless))).status, 503)
    assert.equal(server.asked.length, 0)
  })

  it('passes on a failure of the audio itself', async (stt) => {
    async function* breaking(): Audio {
      yield* utterance(0.5)
      throw new Error('the line broke')
    }
    await assert.rejects(hear(stt, breaking()), /the line broke/)
  })
}

/** For drivers that receive audio while it is spoken. */
export function liveCases({ title, server, open, expected }: SttCase): void {
  const first = expected.split(' ')[0]?.toLowerCase()

  test(`${title}: partial transcripts grow, and the first arrives while audio is still being sent`, async () => {
    server.heal()
    const stt = open({ apiKey: KEY })
    assert.equal(stt.isLive, true)
    let goOn = () => {}
    const heardFirst = new Promise<void>((resolve) => (goOn = resolve))
    async function* waiting(): Audio {
      yield* utterance(0.5)
      await heardFirst // ends only if a partial transcript arrives meanwhile
      yield* utterance(2)
    }
    const texts: string[] = []
    for await (const { text, isFinal } of stt.transcribe(waiting(), { language: 'pt-BR' }, never)) {
      goOn()
      if (!isFinal) texts.push(text)
      else assert.equal(text, expected)
    }
    assert.equal(texts[0]?.toLowerCase(), first)
    assert.ok(texts.length > 5)
    const count = texts.map((text) => text.split(' ').length)
    for (const [i, words] of count.entries()) assert.ok(words >= (count[i - 1] ?? 0), texts[i])
  })

  test(`${title}: a message without end is not kept, with 502`, async () => {
    server.fail('mislabelled')
    const stt = open({ apiKey: KEY, timeouts: long })
    const hearing = listen(stt.transcribe(utterance(1), { language: 'pt-BR' }, never))
    assert.equal((await failureOf(hearing)).status, 502)
  })

  test(`${title}: a whole utterance in one frame is heard as well`, async () => {
    server.heal()
    const stt = open({ apiKey: KEY })
    async function* whole(): Audio {
      yield { pcm: new Int16Array(20_000).fill(3000), rateHz: 8_000 }
    }
    const all = await listen(stt.transcribe(whole(), { language: 'pt-BR' }, never))
    assert.equal(all.at(-1)?.text, expected)
  })
}
