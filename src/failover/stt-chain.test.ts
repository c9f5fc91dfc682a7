import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VirtualClock } from '../simulation/virtual-clock.ts'
import { VendorError } from '../speech/vendor-http.ts'
import type { Audio, AudioFrame, Stt, SttOptions, Transcript } from '../voice/ports.ts'
import { createBreakers } from './breakers.ts'
import type { ChainEvent, ChainLink } from './ports.ts'
import { sttChain } from './stt-chain.ts'

const RATE_HZ = 8000
const frame = (level = 1): AudioFrame => ({ pcm: new Int16Array(RATE_HZ / 50).fill(level), rateHz: RATE_HZ })

async function* audioOf(ms: number): Audio {
  for (let at = 0; at < ms; at += 20) yield frame()
}

const broken = (isPassing = true) => new VendorError('service_connection_broke', { service: 'V' }, { isPassing })
const refused = () => new VendorError('service_key_refused', { service: 'V' })

type Act = (heardMs: () => number, audio: AsyncIterator<AudioFrame>, signal: AbortSignal) => AsyncIterable<Transcript>

function setUp() {
  const clock = new VirtualClock()
  const breakers = createBreakers({ now: () => clock.now(), wallMs: () => clock.now(), sleep: clock.sleep.bind(clock) })
  const events: ChainEvent[] = []
  const asked: string[] = []
  const optionsSeen: SttOptions[] = []

  /** Reads all audio, then does what `act` returns; a number is the delay in ms of a good transcript. */
  const engine = (name: string, act: () => number | Error | Act, flags: Partial<Stt> = {}): Stt => ({
    name,
    ...flags,
    async *transcribe(audio, options, signal) {
      asked.push(name)
      optionsSeen.push(options)
      const outcome = act()
      const frames = audio[Symbol.asyncIterator]()
      let heardMs = 0
      const counted: AsyncIterator<AudioFrame> = {
        async next() {
          const next = await frames.next()
          if (!next.done) heardMs += (next.value.pcm.length / RATE_HZ) * 1000
          return next
        },
      }
      if (typeof outcome === 'function') return yield* outcome(() => heardMs, counted, signal)
      if (outcome instanceof Error) throw outcome
      while (!(await counted.next()).done);
      await clock.sleep(outcome, signal)
      if (!signal.aborted) yield { text: `${name} ${heardMs}`, isFinal: true }
    },
  })
  const link = (id: string, ...[name, act, flags]: Parameters<typeof engine>): ChainLink<Stt> => ({
    id,
    version: '1',
    name: id,
    model: null,
    engine: engine(name, act, flags),
  })
  const chain = (...links: ChainLink<Stt>[]) =>
    sttChain({ links, breakers, clock, onEvent: (event) => events.push(event) })

  /** All transcripts, and how long they took. */
  async function hear(stt: Stt, audio: Audio = audioOf(1000), signal = new AbortController().signal) {
    const from = clock.now()
    const all: Transcript[] = []
    let result: { error?: unknown; ms: number } | undefined
    const run = async () => {
      for await (const transcript of stt.transcribe(audio, { language: 'pt-BR', isUrgent: true }, signal))
        all.push(transcript)
    }
    run().then(
      () => (result = { ms: clock.now() - from }),
      (error: unknown) => (result = { error, ms: clock.now() - from }),
    )
    assert.ok(await clock.passUntil(() => result !== undefined, clock.now() + 60_000), 'it ends')
    return { all, text: all.at(-1)?.text, ...(result as { error?: unknown; ms: number }) }
  }
  const types = () => events.map((event) => (event.type === 'served' ? event.providerId : event.type))
  return { clock, breakers, events, types, asked, optionsSeen, link, chain, hear }
}

const EMBEDDED = 'embedded'

test('the first link serves, with the options as they are', async () => {
  const t = setUp()
  const stt = t.chain(
    t.link('a', 'a', () => 100),
    t.link(EMBEDDED, 'whisper', () => 100),
  )
  assert.deepEqual(await t.hear(stt), { all: [{ text: 'a 1000', isFinal: true }], text: 'a 1000', ms: 100 })
  assert.deepEqual(t.asked, ['a'])
  assert.deepEqual(t.optionsSeen, [{ language: 'pt-BR', isUrgent: true }])
  assert.deepEqual(t.events, [{ type: 'served', kind: 'stt', providerId: 'a', name: 'a', model: null }])
  assert.equal(t.breakers.healthOf('stt', 'a').firstMs, 100)
})

test('the next link hears the whole utterance beside a silent one after half a second', async () => {
  const t = setUp()
  const stt = t.chain(
    t.link('a', 'a', () => 1e6),
    t.link('b', 'b', () => 100),
  )
  const { text, ms } = await t.hear(stt)
  assert.deepEqual([text, ms], ['b 1000', 600])
  assert.deepEqual(t.types(), ['b', 'degraded'])
  const degraded = t.events[1]
  assert.ok(degraded?.type === 'degraded')
  assert.deepEqual([degraded.from.providerId, degraded.to.providerId, degraded.reason], ['a', 'b', 'timeout'])
})

test('long audio has more time, and the embedded engine as much as it wants', async () => {
  const t = setUp()
  const slow = t.chain(t.link('a', 'a', () => 2400))
  assert.equal((await t.hear(slow, audioOf(15_000))).text, 'a 15000')
  assert.ok((await t.hear(slow)).error)
  const patient = t.chain(t.link(EMBEDDED, 'whisper', () => 7000))
  assert.equal((await t.hear(patient)).ms, 7000)
})

test('the second caller does not wait for what the first has learned', async () => {
  const t = setUp()
  const links = [t.link('a', 'a', () => 1e6), t.link(EMBEDDED, 'whisper', () => 200, { isEmbedded: true })]
  for (let i = 0; i < 2; i++) {
    assert.equal((await t.hear(t.chain(...links))).ms, 700)
    await t.clock.pass(1000)
  }
  const next = t.chain(...links)
  assert.equal(next.isEmbedded, true, 'known before the first utterance')
  assert.equal((await t.hear(next)).ms, 200)
  assert.deepEqual(t.types().slice(-2), [EMBEDDED, 'degraded'])
})

test('a refused key is not repeated; a broken connection is, once, within the same time', async () => {
  const t = setUp()
  const outcomes: (number | Error)[] = [refused(), broken(), 100, broken(), broken()]
  const links = (id: string) => [t.link(id, 'a', () => outcomes.shift() ?? 0), t.link(EMBEDDED, 'whisper', () => 0)]
  assert.equal((await t.hear(t.chain(...links('x')))).text, 'whisper 1000')
  assert.equal((await t.hear(t.chain(...links('y')))).text, 'a 1000')
  assert.equal((await t.hear(t.chain(...links('z')))).text, 'whisper 1000')
  assert.deepEqual(t.asked, ['a', 'whisper', 'a', 'a', 'a', 'a', 'whisper'])
})

test('there is no repeat when half of the time has passed', async () => {
  const t = setUp()
  const late: Act = async function* (_heardMs, audio, signal) {
    while (!(await audio.next()).done);
    await t.clock.sleep(800, signal)
    yield { text: 'half', isFinal: false }
    throw broken()
  }
  const stt = t.chain(
    t.link('a', 'a', () => late),
    t.link('b', 'b', () => 0),
  )
  assert.equal((await t.hear(stt)).ms, 500)
  await t.clock.pass(1000)
  assert.deepEqual(t.asked, ['a', 'b'])
})

test('a stream that breaks while the caller speaks loses no word, and its partials are replaced', async () => {
  const t = setUp()
  const breaking: Act = async function* (heardMs, audio) {
    while (heardMs() < 500) await audio.next()
    yield { text: 'half', isFinal: false }
    throw broken(false)
  }
  const live: Act = async function* (heardMs, audio) {
    for (let next = await audio.next(); !next.done; next = await audio.next())
      if (heardMs() % 500 === 0) yield { text: `b ${heardMs()}`, isFinal: false }
    yield { text: `b ${heardMs()}!`, isFinal: true }
  }
  async function* spoken(): Audio {
    for (let at = 0; at < 1500; at += 20) {
      await t.clock.sleep(20, new AbortController().signal)
      yield frame()
    }
  }
  const stt = t.chain(
    t.link('a', 'a', () => breaking, { isLive: true }),
    t.link('b', 'b', () => live, { isLive: true }),
  )
  assert.equal(stt.isLive, true)
  const { all, ms } = await t.hear(stt, spoken())
  assert.deepEqual(
    all.map(({ text }) => text),
    ['half', 'b 500', 'b 1000', 'b 1500', 'b 1500!'],
  )
  assert.equal(ms, 1500, 'nobody has waited')
  assert.equal(t.breakers.healthOf('stt', 'a').reason, 'broken_off')
})

test('an abandoned utterance says nothing about a provider, and neither does a failure of the audio', async () => {
  const t = setUp()
  const stt = t.chain(
    t.link('a', 'a', () => 1e6),
    t.link(EMBEDDED, 'whisper', () => 0),
  )
  const leaving = new AbortController()
  void t.clock.sleep(300, new AbortController().signal).then(() => leaving.abort())
  assert.deepEqual(await t.hear(stt, audioOf(1000), leaving.signal), { all: [], text: undefined, ms: 300 })
  async function* failing(): Audio {
    yield frame()
    throw new Error('the line broke')
  }
  assert.match(String((await t.hear(stt, failing())).error), /the line broke/)
  assert.equal(t.breakers.healthOf('stt', 'a').state, 'unused')
  assert.deepEqual([t.asked, t.types()], [['a', 'a'], []])
})

test('a request that is at fault itself goes to the next link without a mark against the provider', async () => {
  const t = setUp()
  const unknown = new VendorError('service_status', { service: 'V', status: 400 })
  const stt = t.chain(
    t.link('a', 'a', () => unknown),
    t.link('b', 'b', () => 0),
  )
  for (let i = 0; i < 3; i++) assert.equal((await t.hear(stt)).text, 'b 1000')
  assert.equal(t.breakers.healthOf('stt', 'a').state, 'unused')
  assert.equal(t.asked.filter((name) => name === 'a').length, 3)
})

test('a provider that is back is found in the background, and the call returns to it', async () => {
  const t = setUp()
  let isBack = false
  const stt = t.chain(
    t.link('a', 'a', () => (isBack ? 100 : refused()), { isLive: true }),
    t.link(EMBEDDED, 'whisper', () => 50, { isEmbedded: true }),
  )
  await t.hear(stt)
  assert.deepEqual([stt.isEmbedded, stt.isLive, stt.name], [true, false, 'whisper'])
  isBack = true
  await t.clock.pass(6000)
  assert.deepEqual([stt.isEmbedded, stt.isLive, stt.name], [false, true, 'a'])
  assert.equal((await t.hear(stt)).text, 'a 1000')
  assert.deepEqual(t.types(), [EMBEDDED, 'degraded', 'a', 'recovered'])
})

test('where every link fails, the last failure is passed on, and the last link is tried each time', async () => {
  const t = setUp()
  const stt = t.chain(
    t.link('a', 'a', () => broken(false)),
    t.link('b', 'b', () => refused()),
  )
  for (let i = 0; i < 3; i++) assert.match(String((await t.hear(stt)).error), /did not accept our key/)
  assert.equal(t.asked.filter((name) => name === 'b').length, 3)
  assert.deepEqual(t.events, [])
})

test('an engine that takes a pause for the end of the audio has broken off', async () => {
  const t = setUp()
  const hasty: Act = async function* (_heardMs, audio) {
    await audio.next()
    yield { text: 'x', isFinal: true }
  }
  async function* spoken(): Audio {
    yield frame()
    await t.clock.sleep(500, new AbortController().signal)
    yield frame()
  }
  const stt = t.chain(
    t.link('a', 'a', () => hasty),
    t.link('b', 'b', () => 0),
  )
  assert.equal((await t.hear(stt, spoken())).text, 'b 40')
  assert.equal(t.breakers.healthOf('stt', 'a').reason, 'broken_off')
})

test('an engine that ends without a final transcript has failed', async () => {
  const t = setUp()
  const silent: Act = async function* () {
    yield { text: 'x', isFinal: false }
  }
  const stt = t.chain(
    t.link('a', 'a', () => silent),
    t.link('b', 'b', () => 0),
  )
  assert.equal((await t.hear(stt)).text, 'b 1000')
  assert.equal(t.breakers.healthOf('stt', 'a').reason, 'invalid_answer')
})

test('a link that answers while the next one hears the same utterance wins, and the embedded engine stops at once', async () => {
  const t = setUp()
  const stops: number[] = []
  const whisper: Act = async function* (_heardMs, _audio, signal) {
    signal.addEventListener('abort', () => stops.push(t.clock.now()))
    await t.clock.sleep(5000, signal)
  }
  const stt = t.chain(
    t.link('a', 'a', () => 700),
    t.link(EMBEDDED, 'whisper', () => whisper),
  )
  assert.deepEqual([(await t.hear(stt)).ms, t.asked, stops], [700, ['a', 'whisper'], [700]])
  assert.deepEqual(t.types(), ['a'])
  assert.equal(t.breakers.healthOf('stt', 'a').state, 'ok')
  assert.equal((await t.hear(stt)).ms, 700)
  assert.equal(t.asked.length, 3, 'it is known to need that long')
})

test('an engine that is not loaded yet is no hedge: it is asked when the others have failed', async () => {
  const t = setUp()
  const stt = t.chain(
    t.link('a', 'a', () => 1e6),
    t.link(EMBEDDED, 'whisper', () => 100, { isReady: false }),
  )
  assert.deepEqual([(await t.hear(stt)).ms, t.asked], [1600, ['a', 'whisper']])
})
