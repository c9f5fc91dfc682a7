import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appError } from '../base/errors/errors.ts'
import { VirtualClock } from '../simulation/virtual-clock.ts'
import { synthesizedText } from '../voice/playout/synthesize.ts'
import type { AudioFrame, Speaker, Tts, Voice } from '../voice/ports.ts'
import { createBreakers } from './breakers.ts'
import type { ChainEvent, ChainLink } from './ports.ts'
import { ttsChain } from './tts-chain.ts'

type Said = { by: string; text: string; voiceId: string }
/** Each letter is one audio frame. */
type Script = (text: string, signal: AbortSignal) => AsyncIterable<string>
type Stage = ReturnType<typeof stage>
const MS_PER_LETTER = 60
const RATE_HZ = 8000
const never = new AbortController().signal
const voice = (id: string, language: string): Voice => ({ id, name: id, language, gender: null, description: null })

function stage() {
  const clock = new VirtualClock()
  const breakers = createBreakers({ now: () => clock.now(), wallMs: () => 0, sleep: (ms, s) => clock.sleep(ms, s) })
  const asked: Said[] = []
  const events: ChainEvent[] = []
  const link = (
    id: string,
    script: Script,
    more: { voiceId?: string | null; tts?: Partial<Tts> } = {},
  ): ChainLink<Speaker> => {
    const tts: Tts = {
      name: id,
      voices: async () => [voice(`${id}-en`, 'en-US'), voice(`${id}-pt`, 'pt-BR')],
      async *speak(text, { voiceId }, signal) {
        asked.push({ by: id, text, voiceId })
        for await (const letters of script(text, signal)) yield frameOf(letters, id)
      },
      ...more.tts,
    }
    const engine = { tts, voiceId: more.voiceId === undefined ? `${id}-pt` : more.voiceId, language: 'pt-BR' }
    return { id, version: '1', name: id, model: null, engine }
  }
  const chain = (...links: ChainLink<Speaker>[]) =>
    ttsChain({ links, breakers, clock, onEvent: (event) => void events.push(event) })
  const types = () => events.flatMap((event) => (event.type === 'served' ? [] : [event.type]))
  return { clock, breakers, asked, events, link, chain, types }
}

const frameOf = (letters: string, by: string): AudioFrame & { by: string } => ({
  pcm: new Int16Array((letters.length * MS_PER_LETTER * RATE_HZ) / 1000).fill(2000),
  rateHz: RATE_HZ,
  by,
})
const speaking: Script = async function* (text) {
  yield* text
}
const failing = (error: unknown, afterLetters = 0): Script =>
  async function* (text) {
    yield* text.slice(0, afterLetters)
    throw error
  }
const stalling = (afterLetters = 0): Script =>
  async function* (text, signal) {
    yield* text.slice(0, afterLetters)
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  }
/** Ends without an error after this many letters. */
const cut = (letters: number): Script =>
  async function* (text) {
    yield* text.slice(0, letters)
  }
/** Letters one by one, each after `ms`. */
const paced = ({ clock }: Stage, ms: number): Script =>
  async function* (text, signal) {
    for (const letter of text) {
      await clock.sleep(ms, signal)
      if (signal.aborted) return
      yield letter
    }
  }
const refused = appError('service_key_refused', { service: 'a' })
const broke = appError('service_connection_broke', { service: 'a' })

/** How many milliseconds each voice spoke, and how long the sentence took to arrive. */
async function heard(at: Stage, chain: ReturnType<Stage['chain']>, text = 'Bom dia.') {
  const startedAt = at.clock.now()
  const by: Record<string, number> = {}
  let result: { by: Record<string, number>; ms: number } | { error: unknown } | undefined
  const read = async () => {
    const { say, sentenceTries } = chain
    const parts = { say, sentenceTries, clock: at.clock, onError: () => {} }
    for await (const frame of synthesizedText(text, parts, never) as AsyncIterable<AudioFrame & { by: string }>)
      by[frame.by] = (by[frame.by] ?? 0) + (frame.pcm.length / frame.rateHz) * 1000
    result = { by, ms: at.clock.now() - startedAt }
  }
  read().catch((error) => {
    result = { error }
  })
  await at.clock.passUntil(() => result !== undefined, startedAt + 60_000)
  assert.ok(result, 'it ended')
  if ('error' in result) throw result.error
  return result
}

test('the first voice speaks while it can', async () => {
  const at = stage()
  const chain = at.chain(at.link('a', speaking), at.link('embedded', speaking))
  assert.deepEqual(await heard(at, chain), { by: { a: 480 }, ms: 0 })
  assert.deepEqual(at.events, [{ type: 'served', kind: 'tts', providerId: 'a', name: 'a', model: null }])
  assert.equal(at.breakers.healthOf('tts', 'a').state, 'ok')
})

test('a voice that refuses is replaced at once, and its breaker spares the next call', async () => {
  const at = stage()
  const links = [at.link('a', failing(refused)), at.link('embedded', speaking)]
  assert.deepEqual(await heard(at, at.chain(...links)), { by: { embedded: 480 }, ms: 0 })
  assert.deepEqual(await heard(at, at.chain(...links)), { by: { embedded: 480 }, ms: 0 })
  assert.deepEqual(
    at.asked.map(({ by }) => by),
    ['a', 'embedded', 'embedded'],
  )
  assert.deepEqual(at.types(), ['degraded', 'degraded'])
})

test('a silent voice is replaced after 0.7 s or three times its median, or 1.5 s if nothing is known about it', async () => {
  const at = stage()
  assert.equal((await heard(at, at.chain(at.link('new', stalling()), at.link('embedded', speaking)))).ms, 1_500)
  at.breakers.of('tts', { id: 'a', version: '1' }).succeeded(200)
  assert.equal((await heard(at, at.chain(at.link('a', stalling()), at.link('embedded', speaking)))).ms, 700)
  at.breakers.of('tts', { id: 'slow', version: '1' }).succeeded(1_000)
  assert.equal((await heard(at, at.chain(at.link('slow', stalling()), at.link('embedded', speaking)))).ms, 3_000)
})

test('a sentence that breaks off is continued from the word it stopped at', async () => {
  const text = 'Sua consulta é na segunda-feira às nove horas.'
  for (const script of [failing(broke, 15), stalling(15)]) {
    const at = stage()
    at.breakers.of('tts', { id: 'a', version: '1' }).succeeded(200)
    const { by, ms } = await heard(at, at.chain(at.link('a', script), at.link('b', speaking)), text)
    assert.equal(by.a, 15 * MS_PER_LETTER)
    const rest = at.asked[1]?.text ?? ''
    assert.ok(text.endsWith(rest) && rest.length < text.length && /\sna|é|consulta/.test(` ${rest}`), rest)
    assert.ok(ms <= 1_200)
  }
})

test('every link is tried once for a sentence, and the last failure is reported', async () => {
  const at = stage()
  const chain = at.chain(
    at.link('a', failing(broke, 4)),
    at.link('b', failing(refused, 3)),
    at.link('embedded', failing(broke, 2)),
  )
  await assert.rejects(heard(at, chain, 'Uma frase bem longa para todos.'))
  assert.ok(at.asked.length <= 6)
  const one = stage()
  await assert.rejects(heard(one, one.chain(one.link('embedded', failing(broke)))), /connection was lost/)
})

test('the call stays with the voice that works, and changes back between turns when the first has recovered', async () => {
  const at = stage()
  let isDown = true
  const a = at.link('a', (text, signal) => (isDown ? failing(refused)(text, signal) : speaking(text, signal)))
  const chain = at.chain(a, at.link('embedded', speaking))
  await heard(at, chain)
  isDown = false
  await at.clock.pass(40_000)
  assert.equal(at.breakers.healthOf('tts', 'a').state, 'ok', 'tried in the background')
  assert.deepEqual((await heard(at, chain)).by, { embedded: 480 }, 'in the same turn')
  chain.betweenTurns()
  assert.deepEqual((await heard(at, chain)).by, { a: 480 })
  assert.deepEqual(at.types(), ['degraded', 'recovered'])
})

test("a given voice is tried without the vendor's list, and a dead list costs nothing", async () => {
  const at = stage()
  const voices = () => new Promise<Voice[]>(() => {})
  const chain = at.chain(at.link('a', speaking, { tts: { voices } }), at.link('embedded', speaking))
  assert.deepEqual(await heard(at, chain), { by: { a: 480 }, ms: 0 })
  const unlisted = at.chain(at.link('b', speaking, { voiceId: null, tts: { voices } }), at.link('embedded', speaking))
  assert.deepEqual(await heard(at, unlisted), { by: { embedded: 480 }, ms: 1_500 })
})

test('an unknown voice is replaced by the default for the language, which is remembered', async () => {
  const at = stage()
  const tts: Partial<Tts> = {
    async *speak(text, { voiceId }) {
      at.asked.push({ by: 'a', text, voiceId })
      if (voiceId === 'gone') throw appError('voice_not_found')
      yield frameOf(text, 'a')
    },
  }
  const link = at.link('a', speaking, { voiceId: 'gone', tts })
  const chain = at.chain(link, at.link('embedded', speaking))
  await heard(at, chain)
  await heard(at, chain)
  assert.deepEqual(
    at.asked.map(({ voiceId }) => voiceId),
    ['gone', 'a-pt', 'a-pt'],
  )
  await heard(at, at.chain(link, at.link('embedded', speaking)))
  assert.equal(at.asked.at(-1)?.voiceId, 'a-pt', 'the list is known to the next call')
  assert.deepEqual(at.types(), [])
})

test('a used-up budget is no failure of the vendor, and a cached phrase no success', async () => {
  const at = stage()
  const spent = appError('budget_speech_used_up', { limit: 5 })
  assert.deepEqual((await heard(at, at.chain(at.link('a', failing(spent)), at.link('embedded', speaking)))).by, {
    embedded: 480,
  })
  assert.equal(at.breakers.healthOf('tts', 'a').state, 'unused')
  await heard(at, at.chain(at.link('b', speaking, { tts: { knows: () => true } }), at.link('embedded', speaking)))
  assert.equal(at.breakers.healthOf('tts', 'b').state, 'unused')
})

test('an interruption is no failure', async () => {
  const at = stage()
  const chain = at.chain(at.link('a', stalling(2)), at.link('embedded', speaking))
  const stop = new AbortController()
  const frames: AudioFrame[] = []
  const reading = (async () => {
    for await (const frame of chain.say('Bom dia.', stop.signal)) frames.push(frame)
  })()
  await at.clock.pass(100)
  stop.abort()
  await at.clock.pass(5_000)
  await reading
  assert.deepEqual([frames.length, at.asked.length, at.breakers.healthOf('tts', 'a').state], [2, 1, 'unused'])
})

const SENTENCE = 'Sua consulta é na segunda-feira às nove horas.'

test('a voice that ends properly after too little sound has broken off: the next one says the rest', async () => {
  const at = stage()
  const chain = at.chain(at.link('a', cut(8)), at.link('embedded', speaking))
  const { by } = await heard(at, chain, SENTENCE)
  assert.equal(by.a, 8 * MS_PER_LETTER)
  const [first, rest] = at.asked
  assert.deepEqual([first?.by, rest?.by, at.asked.length], ['a', 'embedded', 2], 'nobody is asked twice')
  assert.ok(SENTENCE.endsWith(rest?.text ?? '?') && (rest?.text.length ?? 0) > SENTENCE.length / 2, rest?.text)
  const degraded = at.events.find(({ type }) => type === 'degraded')
  assert.ok(degraded?.type === 'degraded')
  assert.deepEqual([degraded.from.providerId, degraded.to.providerId, degraded.reason], ['a', 'embedded', 'broken_off'])
})

test('clicks or silence instead of speech are no sound: the next voice says all of it', async () => {
  const clicks: Partial<Tts> = {
    async *speak() {
      yield { pcm: new Int16Array(33).fill(20_000), rateHz: 24_000 }
    },
  }
  const silence: Partial<Tts> = {
    async *speak() {
      for (;;) yield { pcm: new Int16Array(RATE_HZ / 10), rateHz: RATE_HZ }
    },
  }
  for (const tts of [clicks, silence]) {
    const at = stage()
    const chain = at.chain(at.link('a', speaking, { tts }), at.link('embedded', speaking))
    const { by } = await heard(at, chain, SENTENCE)
    assert.deepEqual(by, { embedded: SENTENCE.length * MS_PER_LETTER })
    assert.deepEqual(at.types(), ['degraded'])
  }
})

test('a stream without any audio is a failure, also for one letter and of the embedded voice', async () => {
  const at = stage()
  const silent = (id: string) => at.link(id, cut(0))
  assert.deepEqual((await heard(at, at.chain(silent('a'), at.link('embedded', speaking)), 'A')).by, { embedded: 60 })
  await assert.rejects(heard(at, at.chain(silent('embedded')), 'A'), /no audio/)
})

test('a quick voice and short answers stay with their voice', async () => {
  const at = stage()
  const chain = at.chain(at.link('a', speaking), at.link('embedded', speaking))
  for (const text of ['Ok.', 'É!', '7', '…', SENTENCE]) await heard(at, chain, text)
  const quick = at.chain(at.link('b', cut(SENTENCE.length / 2)), at.link('embedded', speaking))
  await heard(at, quick, SENTENCE)
  assert.deepEqual(at.types(), [])
})

test('a voice slower than real time says its sentence, and another one the next', async () => {
  const at = stage()
  const chain = at.chain(at.link('a', paced(at, 150)), at.link('embedded', speaking))
  assert.deepEqual((await heard(at, chain, SENTENCE)).by, { a: SENTENCE.length * MS_PER_LETTER })
  assert.deepEqual((await heard(at, chain, SENTENCE)).by, { embedded: SENTENCE.length * MS_PER_LETTER })
  const degraded = at.events.find(({ type }) => type === 'degraded')
  assert.equal(degraded?.type === 'degraded' && degraded.reason, 'timeout')
  const other = stage()
  const prompt = other.chain(other.link('a', paced(other, MS_PER_LETTER)), other.link('embedded', speaking))
  for (let i = 0; i < 2; i++) await heard(other, prompt, SENTENCE)
  assert.deepEqual(other.types(), [], 'in real time')
})

test('a call stays for 30 s with the voice that works, and a voice is tried again with a whole sentence', async () => {
  const at = stage()
  const links = () => [at.link('a', cut(8)), at.link('embedded', speaking)]
  const chain = at.chain(...links())
  await heard(at, chain, SENTENCE)
  for (let i = 0; i < 5; i++) {
    chain.betweenTurns()
    assert.deepEqual((await heard(at, chain)).by, { embedded: 480 })
    await at.clock.pass(4_000)
  }
  assert.deepEqual(at.types(), ['degraded'])
  await heard(at, at.chain(...links()), SENTENCE)
  assert.equal(at.breakers.healthOf('tts', 'a').state, 'down')
  await at.clock.pass(120_000)
  assert.equal(at.breakers.healthOf('tts', 'a').state, 'down', 'no trial was good enough')
  const trial = at.asked.at(-1)
  assert.ok(trial?.by === 'a' && trial.text.length > 40, trial?.text)
})

test('a call that another has warned stays with its voice for 30 s too', async () => {
  const at = stage()
  let isDown = true
  const a = at.link('a', (text, signal) => (isDown ? failing(refused)(text, signal) : speaking(text, signal)))
  await heard(at, at.chain(a, at.link('embedded', speaking)))
  const chain = at.chain(a, at.link('embedded', speaking))
  await heard(at, chain)
  isDown = false
  await at.clock.pass(10_000)
  assert.equal(at.breakers.healthOf('tts', 'a').state, 'ok')
  chain.betweenTurns()
  assert.deepEqual((await heard(at, chain)).by, { embedded: 480 })
  await at.clock.pass(21_000)
  chain.betweenTurns()
  assert.deepEqual((await heard(at, chain)).by, { a: 480 })
})
