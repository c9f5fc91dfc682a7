// Answering-machine detection: by the length of the first speech, by its words, and by a tone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { HeardTone } from '../ports.ts'
import { type AmdSignal, type AmdState, type AnsweredBy, classify, initialAmdState } from './classifier.ts'

const texts = [
  'Deixe sua mensagem após o sinal.',
  'Para vendas, digite 1.',
  'Alô?',
  'Diga seu nome e o motivo da ligação.',
]
const beepAt = (atMs: number): Record<number, AmdSignal> => ({ [atMs]: { type: 'tone', tone: 'beep', atMs } })
const tones = (tone: HeardTone, ...at: readonly number[]): Record<number, AmdSignal> =>
  Object.fromEntries(at.map((atMs) => [atMs, { type: 'tone', tone, atMs }]))
const words = (text: string): AmdSignal => ({ type: 'transcript', text })

type Part = readonly [voiceMs: number, quietMs: number]

/** The first speech in parts of [voice, silence], with the time reported every 20 ms; then quiet until `untilMs`. */
function hear(parts: readonly Part[], untilMs: number, at: Record<number, AmdSignal> = {}) {
  let state: AmdState = initialAmdState
  const told: { by: AnsweredBy | null; atMs: number }[] = []
  const changes = new Map<number, boolean>()
  let ms = 200
  for (const [voiceMs, quietMs] of parts) {
    changes.set(ms, true)
    changes.set(ms + voiceMs, false)
    ms += voiceMs + quietMs
  }
  for (let atMs = 0; atMs <= untilMs; atMs += 20) {
    const before = state.by
    const on = changes.get(atMs)
    if (on !== undefined) state = classify(state, { type: 'speech', on, atMs })
    const sign = at[atMs]
    if (sign) state = classify(state, sign)
    state = classify(state, { type: 'time', atMs })
    if (state.by !== before) told.push({ by: state.by, atMs })
  }
  return { told, state }
}
const results = (...given: Parameters<typeof hear>) => hear(...given).told
const kinds = (...given: Parameters<typeof hear>) => hear(...given).told.map(({ by }) => by)

test('a short hello followed by silence is a person, half a second later', () => {
  assert.deepEqual(results([[600, 5000]], 10_000), [{ by: 'human', atMs: 1300 }])
  assert.deepEqual(results([[2500, 5000]], 10_000), [{ by: 'human', atMs: 3200 }])
})

test('a greeting of more than 4 s is suspected, and a machine if a beep or words follow', () => {
  let state: AmdState = classify(initialAmdState, { type: 'speech', on: true, atMs: 0 })
  state = classify(state, { type: 'time', atMs: 4000 })
  assert.deepEqual([state.by, state.isSuspect], [null, false])
  state = classify(state, { type: 'time', atMs: 4020 })
  assert.deepEqual([state.by, state.isSuspect], [null, true])
  assert.deepEqual(results([[6000, 60_000]], 10_000, beepAt(7000)), [{ by: 'machine', atMs: 7000 }])
  const said = { 6600: words('Deixe sua mensagem.') }
  assert.deepEqual(results([[6000, 60_000]], 10_000, said), [{ by: 'machine', atMs: 6600 }])
})

test("a company's greeting that ends without a beep is a person, 1.5 s later", () => {
  assert.deepEqual(results([[3200, 60_000]], 25_000), [{ by: 'human', atMs: 4900 }])
  assert.deepEqual(results([[6000, 60_000]], 25_000), [{ by: 'human', atMs: 7700 }])
  const said = { 6600: words('Clínica São Lucas, Maria, bom dia, em que posso ajudar?') }
  assert.deepEqual(results([[6000, 60_000]], 25_000, said), [{ by: 'human', atMs: 7700 }])
})

const monologue: readonly Part[] = [
  [3000, 900],
  [4000, 1400],
  [9000, 9000],
]

test('pauses of less than 1.5 s belong to a greeting, and one of more than 12 s without words or tone stays unknown', () => {
  assert.deepEqual(results(monologue, 40_000), [{ by: 'unknown', atMs: 20_000 }])
  assert.deepEqual(results(monologue, 40_000, beepAt(19_500)), [{ by: 'machine', atMs: 19_500 }])
  assert.deepEqual(kinds(monologue, 40_000, beepAt(20_900)), ['unknown', 'machine'], 'a tone soon after it')
})

test('a greeting may go on after 20 s, up to 45 s', () => {
  assert.deepEqual(results([[24_000, 9000]], 60_000, beepAt(25_000)), [{ by: 'machine', atMs: 25_000 }])
  assert.deepEqual(results([[90_000, 9000]], 60_000), [{ by: 'unknown', atMs: 45_000 }])
})

test('silence is unknown after 20 s', () => {
  assert.deepEqual(results([], 30_000), [{ by: 'unknown', atMs: 20_000 }])
})

test('only the greeting is measured: a person may talk at length after hello', () => {
  const speech: readonly Part[] = [
    [600, 1500],
    [9000, 1000],
  ]
  assert.deepEqual(results(speech, 15_000), [{ by: 'human', atMs: 1300 }])
})

test('words outweigh timing: a hello can turn out to be a voicemail or a menu', () => {
  const speech: readonly Part[] = [
    [600, 700],
    [5000, 1000],
  ]
  const mailbox = words('Oi! No momento não posso atender, deixe seu recado.')
  assert.deepEqual(kinds(speech, 15_000, { 8000: mailbox }), ['human', 'machine'])
  assert.deepEqual(kinds(speech, 15_000, { 8000: words('Para vendas, digite 1.') }), ['human', 'ivr'])
  assert.deepEqual(kinds([[600, 700]], 30_000, { 21000: words('Deixe sua mensagem.') }), ['human'], 'too late')
})

test('an assistant that screens calls is a person, whatever tone follows', () => {
  const assistant = words('Diga seu nome e o motivo da ligação.')
  assert.deepEqual(kinds([[6000, 9000]], 15_000, { ...beepAt(7000), 6600: assistant }), ['human'])
})

test('a beep is a machine, even soon after a short greeting that sounded like a person', () => {
  assert.deepEqual(kinds([[1500, 9000]], 9000, beepAt(3000)), ['human', 'machine'])
})

test('a beep long after the hello, or of an IVR, changes nothing', () => {
  assert.deepEqual(kinds([[600, 9000]], 9000, beepAt(6000)), ['human'])
  assert.deepEqual(kinds([[5000, 9000]], 9000, { 5800: words('Para vendas, digite 1.'), ...beepAt(6000) }), ['ivr'])
})

test('a tone that began before the hello, and was reported during it, is not the tone of a voicemail', () => {
  assert.deepEqual(kinds([[600, 9000]], 9000, beepAt(1000)), ['human'])
})

test('a voicemail that offers keys after its tone remains one', () => {
  const speech: readonly Part[] = [
    [1500, 1500],
    [5000, 9000],
  ]
  assert.deepEqual(kinds(speech, 15_000, { ...beepAt(2800), 8400: words('Para regravar, digite 2.') }), [
    'human',
    'machine',
  ])
})

test('a person who says hello after a tone corrects the result, also much later; words of a mailbox do not', () => {
  const hello: readonly Part[] = [
    [600, 1700],
    [700, 9000],
  ]
  assert.deepEqual(results(hello, 9000, beepAt(1800)), [
    { by: 'human', atMs: 1300 },
    { by: 'machine', atMs: 1800 },
    { by: 'human', atMs: 3700 },
  ])
  const late: readonly Part[] = [
    [600, 40_000],
    [700, 9000],
  ]
  assert.deepEqual(kinds(late, 60_000, beepAt(1800)), ['human', 'machine', 'human'])
  assert.equal(kinds(hello, 9000, { ...beepAt(1800), 3000: words('Deixe sua mensagem.') }).at(-1), 'machine')
})

test('after a tone one longer announcement is still a machine, two of them with silence between are a dialogue', () => {
  const announcement: readonly Part[] = [
    [600, 1700],
    [4000, 9000],
  ]
  assert.equal(kinds(announcement, 20_000, beepAt(1800)).at(-1), 'machine')
  assert.deepEqual(results([...announcement, [3000, 4000]], 26_000, beepAt(1800)).at(-1), { by: 'human', atMs: 20_000 })
})

test('before anybody has spoken a recording tone means nothing', () => {
  assert.deepEqual(results([], 5000, { ...beepAt(1000), ...beepAt(3000) }), [])
})

const rings = [1600, 6600, 11_600, 16_600, 21_600] as const

test('the agent waits through ringback, and until it would have rung again', () => {
  assert.equal(hear([], 1580, tones('ringback', ...rings)).state.waitUntilMs, null)
  assert.notEqual(hear([], 26_000, tones('ringback', ...rings)).state.waitUntilMs, null)
  assert.equal(hear([], 28_000, tones('ringback', ...rings)).state.waitUntilMs, null)
  assert.deepEqual(results([], 45_000, tones('ringback', ...rings)), [{ by: 'unknown', atMs: 41_600 }])
})

test('a person who answers after 25 s of ringing is a person, and a mailbox a machine', () => {
  const late = (voiceMs: number): readonly Part[] => [
    [0, 24_800],
    [voiceMs, 5000],
  ]
  const ringing = tones('ringback', ...rings)
  assert.deepEqual(results(late(600), 33_000, ringing).at(-1), { by: 'human', atMs: 26_100 })
  assert.deepEqual(results(late(3000), 33_000, { ...ringing, ...beepAt(28_600) }).at(-1), {
    by: 'machine',
    atMs: 28_600,
  })
})

test('an announcement before the ringback is not the answer', () => {
  const parts: readonly Part[] = [
    [2000, 9000],
    [6000, 5000],
  ]
  const { told, state } = hear(parts, 10_000, tones('ringback', 4000, 8000))
  assert.deepEqual([told.map(({ by }) => by), state.waitUntilMs], [['human'], 13_500])
  assert.deepEqual(kinds(parts, 20_000, { ...tones('ringback', 4000, 8000), ...beepAt(18_000) }), ['human', 'machine'])
})

test('ringback and music are waited through for a minute each, then it is unknown who answers', () => {
  const every = (fromMs: number, toMs: number, ms: number) =>
    Array.from({ length: (toMs - fromMs) / ms }, (_, i) => fromMs + i * ms)
  const ringing = tones('ringback', ...every(1000, 58_000, 5000))
  const music = tones('music', ...every(59_000, 200_000, 1000))
  const { told, state } = hear([], 200_000, { ...ringing, ...music })
  assert.deepEqual([told, state.isOver, state.waitUntilMs], [[{ by: 'unknown', atMs: 119_000 }], true, null])
})

test('a tone that sounded like speech at first is not a greeting', () => {
  const { told, state } = hear([[430, 9000]], 3000, tones('network', 700))
  assert.deepEqual([told, state.fromMs], [[], null])
})

test('music after the answer is not waited for', () => {
  assert.equal(hear([[600, 9000]], 9000, tones('music', 4000, 5000)).state.waitUntilMs, null)
})

test('SIT and fax tones end the call, unless a person has answered', () => {
  assert.equal(hear([], 3000, tones('sit', 2000)).state.end, 'number_not_in_service')
  assert.equal(hear([], 5000, tones('fax', 4000)).state.end, 'fax')
  assert.equal(hear([[600, 9000]], 5000, tones('fax', 4000)).state.end, null)
})

test('a lasting busy tone ends the call: nobody was reached, or they have hung up', () => {
  const every = (fromMs: number, bursts: number) => Array.from({ length: bursts }, (_, i) => fromMs + 500 * i)
  assert.equal(hear([], 9000, tones('busy', ...every(2000, 8))).state.end, null)
  assert.equal(hear([], 9000, tones('busy', ...every(2000, 9))).state.end, 'busy')
  assert.equal(hear([], 9000, tones('congestion', ...every(2000, 9))).state.end, 'busy')
  assert.equal(hear([[600, 9000]], 12_000, tones('busy', ...every(4000, 9))).state.end, 'caller_hangup')
  const apart = [...every(2000, 5), ...every(9000, 5)]
  assert.equal(hear([], 14_000, tones('busy', ...apart)).state.end, null, 'not lasting')
})

test('there is a result in the end, reported again only when it changes', () => {
  const atMs = fc.nat(30_000)
  const tone = fc.constantFrom<HeardTone>('beep', 'ringback', 'busy', 'congestion', 'sit', 'fax', 'music', 'network')
  const sign = fc.oneof(
    fc.record({ type: fc.constant('speech' as const), on: fc.boolean(), atMs }),
    fc.record({ type: fc.constant('transcript' as const), text: fc.constantFrom(...texts) }),
    fc.record({ type: fc.constant('tone' as const), tone, atMs }),
  )
  fc.assert(
    fc.property(fc.array(sign), (signs) => {
      let state = initialAmdState
      for (const each of signs) state = classify(state, each)
      state = classify(state, { type: 'time', atMs: 90_000 })
      assert.ok((state.by !== null || state.end !== null) && state.isOver)
      for (const each of signs) assert.equal(classify(state, each), state)
    }),
  )
})
