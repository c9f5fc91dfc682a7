// Answering-machine detection: by the length of the first speech, by its words, and by a tone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type AmdSignal,
  type AmdState,
  type AnsweredBy,
  answeredByWords,
  classify,
  initialAmdState,
} from './classifier.ts'

const machine = [
  'Sua chamada está sendo encaminhada para a caixa postal.',
  'Oi, aqui é o João. Deixe sua mensagem após o sinal.',
  'Deixe o seu recado depois do bip.',
  'Grave seu recado.',
  'Fale após o sinal.',
  'Depois do bip, fale.',
  'Speak after the tone.',
  'Hable después del tono.',
  'Você ligou para a Clínica São Lucas. No momento não podemos atender, deixe uma mensagem.',
  'O número chamado encontra-se desligado ou fora da área de cobertura.',
  'Correio de voz. Após o tom, grave a sua mensagem.',
  "Hi, you've reached Ann. Please leave a message after the tone.",
  'You have reached the voicemail of five five five.',
  'At the beep, leave your name and number.',
  "I can't come to the phone right now.",
  'The person you called is not available to take your call.',
  'Hola, deje su mensaje después del tono.',
  'Ha llamado al buzón de voz de Ana.',
  'Deja un mensaje después de oír la señal.',
]
const menu = [
  'Bem-vindo ao banco. Para segunda via de boleto, digite 1.',
  'Para falar com vendas disque dois.',
  'Digite o ramal desejado ou aguarde.',
  'Tecle o número da opção.',
  'For sales, press 1. For support, press two.',
  'Please enter your account number.',
  'Para ventas, marque uno; para soporte, marque dos.',
  'Presione la tecla 3.',
]
const people = [
  'Alô?',
  'Alô, quem fala?',
  'Oi, bom dia.',
  'Clínica São Lucas, Maria, bom dia, em que posso ajudar?',
  'Agora não posso atender, estou dirigindo.',
  'Pode deixar, eu falo com ele depois.',
  'Hello?',
  'Yes, this is Ann speaking.',
  "I'm busy, can you call me tomorrow?",
  '¿Bueno? ¿Quién habla?',
  'Sí, dígame.',
  'Meu número é cinco cinco.',
  '',
]

test('voicemail is detected by its words in three languages', () => {
  for (const text of machine) assert.equal(answeredByWords(text), 'machine', text)
})
test('an IVR is detected by its words in three languages', () => {
  for (const text of menu) assert.equal(answeredByWords(text), 'ivr', text)
})
test('ordinary speech is neither voicemail nor IVR', () => {
  for (const text of people) assert.equal(answeredByWords(text), null, text)
})
test('a voicemail greeting that also offers keys is voicemail', () => {
  assert.equal(answeredByWords('Deixe sua mensagem após o sinal. Para ouvir de novo, digite 1.'), 'machine')
})
test('a very long text does not cost more than its length', () => {
  // With quadratic cost this would take hours.
  assert.equal(answeredByWords('para '.repeat(2_000_000)), answeredByWords('para '.repeat(2000)))
})

/** The first speech in parts of [voice, silence], with the time reported every 20 ms; then quiet until `untilMs`. */
function hear(parts: [voiceMs: number, quietMs: number][], untilMs: number, at: Record<number, AmdSignal> = {}) {
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
  return told
}

test('a short hello followed by silence is a person, half a second later', () => {
  assert.deepEqual(hear([[600, 5000]], 10_000), [{ by: 'human', atMs: 1300 }])
  assert.deepEqual(hear([[2500, 5000]], 10_000), [{ by: 'human', atMs: 3200 }])
})

test('a greeting of more than 4 s is suspected, and a machine if a beep or words follow', () => {
  let state: AmdState = classify(initialAmdState, { type: 'speech', on: true, atMs: 0 })
  state = classify(state, { type: 'time', atMs: 4000 })
  assert.deepEqual([state.by, state.isSuspect], [null, false])
  state = classify(state, { type: 'time', atMs: 4020 })
  assert.deepEqual([state.by, state.isSuspect], [null, true])
  assert.deepEqual(hear([[6000, 60_000]], 10_000, { 7000: { type: 'beep', atMs: 7000 } }), [
    { by: 'machine', atMs: 7000 },
  ])
  const words: AmdSignal = { type: 'transcript', text: 'Deixe sua mensagem.' }
  assert.deepEqual(hear([[6000, 60_000]], 10_000, { 6600: words }), [{ by: 'machine', atMs: 6600 }])
})

test("a company's greeting that ends without a beep is a person, 1.5 s later", () => {
  assert.deepEqual(hear([[3200, 60_000]], 25_000), [{ by: 'human', atMs: 4900 }])
  assert.deepEqual(hear([[6000, 60_000]], 25_000), [{ by: 'human', atMs: 7700 }])
  const words: AmdSignal = { type: 'transcript', text: 'Clínica São Lucas, Maria, bom dia, em que posso ajudar?' }
  assert.deepEqual(hear([[6000, 60_000]], 25_000, { 6600: words }), [{ by: 'human', atMs: 7700 }])
})

test('pauses of less than 1.5 s belong to a greeting, and a greeting of more than 12 s is a machine', () => {
  const speech: [number, number][] = [
    [3000, 900],
    [4000, 1400],
    [9000, 3000],
  ]
  assert.deepEqual(hear(speech, 19_000), [{ by: 'machine', atMs: 12_220 }])
})

test('silence is unknown after 20 s', () => {
  assert.deepEqual(hear([], 30_000), [{ by: 'unknown', atMs: 20_000 }])
})

test('only the greeting is measured: a person may talk at length after hello', () => {
  const speech: [number, number][] = [
    [600, 1500],
    [9000, 1000],
  ]
  assert.deepEqual(hear(speech, 15_000), [{ by: 'human', atMs: 1300 }])
})

test('words outweigh timing: a hello can turn out to be a voicemail', () => {
  const words: AmdSignal = { type: 'transcript', text: 'Oi! No momento não posso atender, deixe seu recado.' }
  assert.deepEqual(
    hear(
      [
        [600, 700],
        [5000, 1000],
      ],
      15_000,
      { 8000: words },
    ).map(({ by }) => by),
    ['human', 'machine'],
  )
  const menuWords: AmdSignal = { type: 'transcript', text: 'Para vendas, digite 1.' }
  assert.deepEqual(
    hear([[9000, 1000]], 15_000, { 10000: menuWords }).map(({ by }) => by),
    ['ivr'],
  )
})

test('after 20 s nothing changes any more', () => {
  const words: AmdSignal = { type: 'transcript', text: 'Deixe sua mensagem.' }
  assert.deepEqual(
    hear([[600, 700]], 30_000, { 21000: words }).map(({ by }) => by),
    ['human'],
  )
})

test('a beep is a machine, even soon after a short greeting that sounded like a person', () => {
  const tone = (atMs: number): Record<number, AmdSignal> => ({ [atMs]: { type: 'beep', atMs } })
  assert.deepEqual(
    hear([[1500, 9000]], 9000, tone(3000)).map(({ by }) => by),
    ['human', 'machine'],
  )
})

test('a beep long after the hello, or of an IVR, changes nothing', () => {
  const beep: AmdSignal = { type: 'beep', atMs: 6000 }
  assert.deepEqual(
    hear([[600, 9000]], 9000, { 6000: beep }).map(({ by }) => by),
    ['human'],
  )
  const menu: AmdSignal = { type: 'transcript', text: 'Para vendas, digite 1.' }
  assert.deepEqual(
    hear([[5000, 9000]], 9000, { 5800: menu, 6000: beep }).map(({ by }) => by),
    ['ivr'],
  )
})

test('before anybody has spoken a tone means nothing', () => {
  const beeps = (type: 'beep' | 'progress-tone', ...at: number[]): Record<number, AmdSignal> =>
    Object.fromEntries(at.map((atMs) => [atMs, { type, atMs }]))
  assert.deepEqual(hear([], 5000, beeps('beep', 1000, 3000)), [])
  const rings = beeps('progress-tone', 1000, 6000)
  assert.deepEqual(hear([], 25_000, rings), [], 'it may still ring')
  assert.deepEqual(hear([], 30_000, rings), [{ by: 'unknown', atMs: 26_000 }])
})

test('a person who answers after 25 s of ringing is a person, and a mailbox a machine', () => {
  const rings: Record<number, AmdSignal> = Object.fromEntries(
    [1000, 6000, 11_000, 16_000, 21_000].map((atMs) => [atMs, { type: 'progress-tone', atMs }]),
  )
  const late = (voiceMs: number): [number, number][] => [
    [0, 24_800],
    [voiceMs, 5000],
  ]
  assert.deepEqual(hear(late(600), 33_000, rings), [{ by: 'human', atMs: 26_100 }])
  const tone: AmdSignal = { type: 'beep', atMs: 28_600 }
  assert.deepEqual(hear(late(3000), 33_000, { ...rings, 28600: tone }), [{ by: 'machine', atMs: 28_600 }])
})

test('a person who says hello after a tone corrects the result; words of a mailbox do not', () => {
  const tone: Record<number, AmdSignal> = { 1800: { type: 'beep', atMs: 1800 } }
  const parts: [number, number][] = [
    [600, 1700],
    [700, 9000],
  ]
  assert.deepEqual(hear(parts, 9000, tone), [
    { by: 'human', atMs: 1300 },
    { by: 'machine', atMs: 1800 },
    { by: 'human', atMs: 3700 },
  ])
  const words: AmdSignal = { type: 'transcript', text: 'Deixe sua mensagem.' }
  assert.equal(hear(parts, 9000, { ...tone, 3000: words }).at(-1)?.by, 'machine')
  assert.equal(
    hear(
      [
        [600, 1700],
        [4000, 9000],
      ],
      12_000,
      tone,
    ).at(-1)?.by,
    'machine',
    'a long announcement',
  )
})

test('there is a result within 20 s, reported again only when it changes', () => {
  const sign = fc.oneof(
    fc.record({ type: fc.constant('speech' as const), on: fc.boolean(), atMs: fc.nat(30_000) }),
    fc.record({ type: fc.constant('transcript' as const), text: fc.constantFrom(...machine, ...menu, ...people) }),
    fc.record({ type: fc.constant('beep' as const), atMs: fc.nat(30_000) }),
  )
  fc.assert(
    fc.property(fc.array(sign), (signs) => {
      let state = initialAmdState
      for (const each of signs) state = classify(state, each)
      state = classify(state, { type: 'time', atMs: 20_000 })
      assert.ok(state.by !== null && state.isOver)
      for (const each of signs) assert.equal(classify(state, each), state)
    }),
  )
})
