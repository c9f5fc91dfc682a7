// Conformance tests for every TTS vendor driver, over a real socket, with each fault of that vendor's server.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { AppError } from '../../src/base/errors/errors.ts'
import type { VendorTimeouts } from '../../src/speech/vendor-http.ts'
import type { AudioFrame, SpeakOptions, Tts } from '../../src/voice/ports.ts'
import { KEY, toneOf, type VendorServer } from './server.ts'

export type TtsCase = {
  title: string
  server: VendorServer
  /** Opens the driver under test, bound to the server. */
  open(settings: { apiKey: string | null; timeouts?: Partial<VendorTimeouts> }): Tts & { close(): Promise<void> }
  voiceId: string
  unknownVoiceId: string
  /** True if one request serves one utterance on a reused connection. */
  isHttp: boolean
}

const text = 'Bom dia, em que posso ajudar?'
const never = new AbortController().signal
const short = { connectMs: 10_000, firstByteMs: 400, idleMs: 400 }
/** A busy machine may be late by seconds; only a vendor that should be given up gets less time. */
const long = { connectMs: 10_000, firstByteMs: 30_000, idleMs: 30_000 }

export async function collect(audio: AsyncIterable<AudioFrame>): Promise<{ pcm: Int16Array; frames: AudioFrame[] }> {
  const frames: AudioFrame[] = []
  for await (const frame of audio) frames.push(frame)
  return { pcm: joined(frames), frames }
}

function joined(frames: readonly AudioFrame[]): Int16Array {
  const pcm = new Int16Array(frames.reduce((sum, frame) => sum + frame.pcm.length, 0))
  let at = 0
  for (const frame of frames) {
    pcm.set(frame.pcm, at)
    at += frame.pcm.length
  }
  return pcm
}

/** Returns the failure, after checking that it does not contain the key. */
export async function failureOf(work: Promise<unknown>): Promise<AppError> {
  const error = await work.then(
    () => assert.fail('it should have failed'),
    (reason: AppError) => reason,
  )
  const seen = [error.message, error.stack, String((error.cause as Error | undefined)?.message)].join('\n')
  assert.ok(!seen.includes(KEY), 'the key stands in the error')
  return error
}

/** Waits for the other side of a socket, with a timeout. */
export async function until(isSo: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + 20_000
  while (!isSo()) {
    if (performance.now() > deadline) assert.fail(`still not so: ${what}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

export function ttsCases({ title, server, open, voiceId, unknownVoiceId, isHttp }: TtsCase): void {
  const it = (name: string, run: () => Promise<void>) =>
    test(`${title}: ${name}`, async () => {
      server.heal()
      await run()
    })
  const tts = open({ apiKey: KEY, timeouts: long })
  const hasty = open({ apiKey: KEY, timeouts: short })
  after(() => Promise.all([tts.close(), hasty.close()]))
  const say = (more: Partial<SpeakOptions> = {}, signal = never) => tts.speak(text, { voiceId, ...more }, signal)
  const sayInTime = () => hasty.speak(text, { voiceId }, never)

  it('speaks, sample by sample what the server sent', async () => {
    const { pcm, frames } = await collect(say())
    assert.deepEqual(pcm, toneOf(text))
    assert.ok(frames.every((frame) => frame.rateHz === 24_000))
  })

  it('puts the key in no address', async () => {
    await collect(say())
    assert.ok(server.asked.length > 0)
    for (const { url } of server.asked) assert.ok(!url.includes(KEY))
  })

  it('passes on the first frame while the rest is not made yet, and waits longer in all than between two pieces', async () => {
    server.fail('drip')
    const idleMs = 1_000
    const patient = open({ apiKey: KEY, timeouts: { ...long, idleMs } })
    const many = text.repeat(2)
    const began = performance.now()
    const frames: AudioFrame[] = []
    for await (const frame of patient.speak(many, { voiceId }, never)) {
      if (frames.length === 0) assert.ok(server.busy() > 0, 'the vendor still speaks')
      frames.push(frame)
    }
    const allMs = performance.now() - began
    assert.ok(frames.length > 5)
    assert.deepEqual(joined(frames), toneOf(many)) // over HTTP its chunks split samples
    assert.ok(allMs > idleMs, `${allMs} ms in all`)
    await patient.close()
  })

  it('loses nothing where the listener is slower than the vendor, and does not call that a stall', async () => {
    const whole = text.repeat(8)
    const frames: AudioFrame[] = []
    for await (const frame of hasty.speak(whole, { voiceId }, never)) {
      if (frames.length === 0) await new Promise((resolve) => setTimeout(resolve, 1.5 * short.idleMs))
      frames.push(frame)
    }
    assert.deepEqual(joined(frames), toneOf(whole))
  })

  it('gives up when the vendor falls silent half-way, with 504', async () => {
    server.fail('stall')
    const error = await failureOf(collect(sayInTime()))
    assert.equal(error.status, 504)
    assert.equal(server.asked.length, 1)
  })

  it('gives up when the vendor never answers, with 504', async () => {
    server.fail('silent')
    assert.equal((await failureOf(collect(sayInTime()))).status, 504)
  })

  it('tells a refused key apart, with 502 and no second try', async () => {
    server.fail('unauthorized')
    const error = await failureOf(collect(say()))
    assert.equal(error.status, 502)
    assert.match(error.message, /did not accept our key/)
    assert.equal(server.asked.length, 1)
  })

  it('reports a limit with 502 and does not press', async () => {
    server.fail('throttled')
    const error = await failureOf(collect(say()))
    assert.equal(error.status, 502)
    assert.match(error.message, /limits our requests/)
    assert.equal(server.asked.length, 1)
  })

  it('tries once more after a 500, and no more than once', async () => {
    server.fail('broken', 1)
    assert.deepEqual((await collect(say())).pcm, toneOf(text))
    assert.equal(server.asked.length, 2)
    server.fail('broken')
    assert.equal((await failureOf(collect(say()))).status, 502)
    assert.equal(server.asked.length, 2)
  })

  it('tries once more when the connection breaks before any audio', async () => {
    server.fail('reset-at-once', 1)
    assert.deepEqual((await collect(say())).pcm, toneOf(text))
    server.fail('reset-at-once')
    assert.equal((await failureOf(collect(say()))).status, 502)
    assert.equal(server.asked.length, 2)
  })

  it('never speaks twice: a connection that breaks half-way is a 502', async () => {
    server.fail('reset')
    const heard: AudioFrame[] = []
    const error = await failureOf(
      (async () => {
        for await (const frame of say()) heard.push(frame)
      })(),
    )
    assert.equal(error.status, 502)
    assert.ok(heard.length > 0)
    assert.equal(server.asked.length, 1)
  })

  for (const fault of ['wrong', 'mislabelled', 'empty'] as const)
    it(`takes no ${fault} content for speech`, async () => {
      server.fail(fault)
      assert.equal((await failureOf(collect(say()))).status, 502)
    })

  it('does not know a voice that the vendor does not know, with 404', async () => {
    const error = await failureOf(collect(say({ voiceId: unknownVoiceId })))
    assert.equal(error.status, 404)
    assert.equal(error.message, 'Voice not found')
    assert.equal((await failureOf(collect(say({ voiceId: '../../v1/user?a=b' })))).status, 404)
  })

  it('stops at once when the listener goes, and the connection with it', async () => {
    server.fail('stall')
    const leaving = new AbortController()
    for await (const _ of say({}, leaving.signal)) {
      assert.equal(server.busy(), 1)
      leaving.abort()
    }
    await until(() => server.busy() === 0, 'the connection is closed')
    const gone = await collect(say({}, AbortSignal.abort()))
    assert.equal(gone.frames.length, 0)
  })

  it('stops when the listener stops listening', async () => {
    server.fail('stall')
    for await (const _ of say()) break
    await until(() => server.busy() === 0, 'the connection is closed')
  })

  if (isHttp)
    it('keeps its connections warm', async () => {
      // The first connection is still being returned to the pool when the second starts: two are kept.
      await collect(say())
      await collect(say())
      const before = server.connections()
      await collect(say())
      await tts.voices(never)
      assert.equal(server.connections(), before)
    })

  it('is unavailable without a key, with 503 and without asking', async () => {
    const keyless = open({ apiKey: null })
    assert.equal((await failureOf(collect(keyless.speak(text, { voiceId }, never)))).status, 503)
    assert.equal((await failureOf(keyless.voices(never))).status, 503)
    assert.equal(server.asked.length, 0)
    await keyless.close()
  })

  it('lists no voices for a key that the vendor does not know, with 502', async () => {
    const wrongKey = open({ apiKey: 'another' })
    assert.equal((await failureOf(wrongKey.voices(never))).status, 502)
    await wrongKey.close()
  })

  it('gives up the list of voices when asked to', async () => {
    await assert.rejects(tts.voices(AbortSignal.abort()), { name: 'AbortError' })
  })
}
