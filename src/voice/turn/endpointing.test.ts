// The endpointing delay: by the question asked, the words, the final pitch and the caller's rhythm.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  endpointingPause,
  initialRhythm,
  pauseForProbability,
  type Rhythm,
  settleRhythm,
  type TurnSoFar,
  turnModelPause,
  updateRhythm,
} from './endpointing.ts'
import type { Expectation } from './expectation-words.ts'
import { defaultTurnRules } from './rules.ts'

const expectations: readonly (Expectation | null)[] = [
  'cpf',
  'cnpj',
  'cep',
  'phone',
  'email',
  'date',
  'money',
  'name',
  'plate',
  'number',
  'yes-no',
  'open',
  null,
]

const pauseOf = (transcript: string, turn: Partial<TurnSoFar> = {}) =>
  endpointingPause({ transcript, expected: null, prosody: null, rhythm: initialRhythm, ...turn }, defaultTurnRules)

const afterPauses = (...pauses: number[]): Rhythm => pauses.reduce(updateRhythm, initialRhythm)

const tables: [sentence: string, ms: number, turn: Partial<TurnSoFar>, ...texts: string[]][] = [
  [
    'a whole sentence needs the shortest pause',
    400,
    {},
    'Que horas abre?',
    'Quero marcar uma consulta.',
    'Sim.',
    'Não!',
    'É.',
    'What time do you open?',
    'No.',
    '¿A qué hora abren?',
    'Sí.',
    'Ele disse "sim."',
    'Quero comprar um celular novo.',
    'Meu celular quebrou.',
  ],
  ['what has no full stop may go on', 900, {}, 'Eu queria marcar uma consulta', 'A clínica fica longe'],
  [
    'a word after which one goes on waits, whatever sign the recognizer puts behind it',
    1500,
    {},
    'Eu queria marcar',
    'Eu queria marcar e.',
    'Quero saber',
    'I would like',
    'Quisiera.',
    'Meu nome é',
    'Eu moro na rua, mas.',
    'My name is.',
    'I want to',
    'Quiero una cita con.',
    'Mi nombre es',
    'para o meu.',
  ],
  [
    'a filler or a request for time waits longer',
    2000,
    {},
    'Hum.',
    'Então…',
    'Meu nome é...',
    'Deixa eu ver.',
    'Um momento, por favor.',
    'Uh, let me see.',
    'A ver.',
  ],
  ['a number waits a little', 550, {}, 'Tenho 25.', 'São 3', 'Às 10.', 'Nasci em 1985.', 'em 2024', 'Às 14:30.'],
  [
    'digits that are dictated unasked wait longer',
    1500,
    {},
    '1 2 3 4',
    '1234',
    'Meu CPF é 123.456',
    'Meu CPF é 123.456.789',
    '11 9 8765',
    '1, 2, 3, 4.',
    'um dois três',
    'um, dois, três',
    'Meu telefone é onze, nove, oito.',
    'zero nove meia',
    'one two three',
    'cuatro cinco seis.',
    'O código é 98765.',
    'joão arroba',
    'maria ponto silva',
    'john dot smith at',
    'ana@gmail',
  ],
  [
    'a number or address that is whole does not',
    550,
    {},
    '529.982.247-25',
    '11 98765-4321',
    '11987654321.',
    'ana.silva@gmail.com',
    'ana@empresa.com.br.',
  ],
  ['what was asked for ends the turn once it is whole', 400, { expected: 'cpf' }, '529.982.247-25', '529 982 247 25.'],
  ['ten digits of a CPF do not', 2000, { expected: 'cpf' }, '529.982.247-2', '529', 'Meu CPF é', 'Sim.', 'Peraí.'],
  ['a CPF with wrong check digits is asked for again soon', 900, { expected: 'cpf' }, '529.982.247-26'],
  ['a question in place of the answer is answered at once', 400, { expected: 'cpf' }, 'Por que precisa do CPF?'],
  [
    'a yes or no that was asked for ends the turn',
    400,
    { expected: 'yes-no' },
    'Sim',
    'Não.',
    'É.',
    'Quero.',
    'Uhum.',
    'Yes',
    'Sí',
  ],
  ['one that goes on does not', 1500, { expected: 'yes-no' }, 'Sim, mas.', 'Não, eu queria.', 'Sim, e.'],
  [
    'a verb alone begins an answer to an open question',
    1500,
    { expected: 'open', language: 'pt-BR' },
    'Quero.',
    'Eu queria.',
  ],
  [
    'so may a greeting or a fragment',
    900,
    { expected: 'open', language: 'pt-BR' },
    'Bom dia.',
    'Para sexta.',
    'Uma consulta.',
  ],
]

for (const [sentence, ms, turn, ...texts] of tables)
  test(sentence, () =>
    assert.deepEqual(
      texts.map((text) => [text, pauseOf(text, turn)]),
      texts.map((text) => [text, ms]),
    ),
  )

test('a word of one language is judged in that language', () => {
  assert.equal(pauseOf('No.', { language: 'en' }), 400)
  assert.equal(pauseOf('Eu moro no.', { language: 'pt-BR' }), 1500)
  assert.equal(pauseOf('I said no.', { language: 'en' }), 400)
})

test('the final tone moves what the words leave open', () => {
  const said = (text: string, prosody: TurnSoFar['prosody']) => pauseOf(text, { prosody, language: 'pt-BR' })
  assert.equal(said('Quero marcar uma consulta.', 'falling'), 400)
  assert.equal(said('Quero marcar uma consulta.', 'level'), 900)
  assert.equal(said('Quero marcar uma consulta.', 'rising'), 900)
  assert.equal(said('Quero marcar uma consulta', 'falling'), 400)
  assert.equal(said('Quero marcar uma consulta', 'level'), 1500)
  assert.equal(said('A clínica?', 'rising'), 400)
  assert.equal(said('A clínica', 'rising'), 400)
  assert.equal(said('Eu queria.', 'falling'), 1500)
  assert.equal(pauseOf('Isso.', { prosody: 'level', expected: 'yes-no' }), 400)
  assert.equal(pauseOf('529.982.247-25', { prosody: 'level', expected: 'cpf' }), 400)
})

test('the first pause of a caller counts', () => {
  const once = afterPauses(1000)
  assert.equal(pauseOf('Eu queria marcar', { rhythm: once }), 1500)
  assert.equal(Math.round(pauseOf('Eu queria marcar uma consulta', { rhythm: once })), 1300)
  assert.equal(pauseOf('Eu queria marcar uma consulta.', { rhythm: once }), 1000)
  assert.equal(pauseOf('Sim.', { rhythm: once, expected: 'yes-no' }), 400)
  assert.equal(pauseOf('529.982.247-25', { rhythm: once, expected: 'cpf' }), 400)
  assert.equal(pauseOf('Eu queria marcar', { rhythm: afterPauses(1600) }), 2200)
})

test('the rhythm recovers slowly, by shorter pauses and by turns without any', () => {
  const once = afterPauses(1200)
  assert.equal(updateRhythm(once, 700).averagePauseMs, 1100)
  const complete = (rhythm: Rhythm) => pauseOf('Eu queria marcar uma consulta.', { rhythm })
  let rhythm = once
  const delays = Array.from({ length: 8 }, () => {
    rhythm = settleRhythm(rhythm)
    return Math.round(complete(rhythm))
  })
  assert.deepEqual(delays, [1000, 888, 683, 560, 486, 441, 415, 400])
  assert.deepEqual(settleRhythm(initialRhythm), initialRhythm)
})

const pause = fc.integer({ min: 0, max: 20_000 })
const anyTurn = fc.record({
  transcript: fc.oneof(fc.string(), fc.constantFrom('Eu queria', 'Sim.', '529', 'Quero uma consulta.', 'ana arroba')),
  expected: fc.constantFrom(...expectations),
  prosody: fc.constantFrom('falling', 'level', 'rising', null),
  language: fc.constantFrom('pt-BR', 'en-US', 'es', 'fr'),
})
const rulesOf = (a: number, b: number) => ({
  ...defaultTurnRules,
  minPauseMs: Math.min(a, b),
  maxPauseMs: Math.max(a, b),
})

test('for any turn and rhythm, the pause is between the minimum and the maximum', () => {
  fc.assert(
    fc.property(anyTurn, fc.array(pause), fc.nat(5000), fc.nat(5000), (turn, pauses, a, b) => {
      const rules = rulesOf(a, b)
      const ms = endpointingPause({ ...turn, rhythm: afterPauses(...pauses) }, rules)
      assert.ok(ms >= rules.minPauseMs && ms <= rules.maxPauseMs, `${ms}`)
    }),
  )
})

test('longer pauses of the caller never shorten the wait', () => {
  fc.assert(
    fc.property(anyTurn, fc.array(fc.tuple(pause, fc.nat(3000)), { minLength: 1 }), (turn, pauses) => {
      const after = (of: number[]) => endpointingPause({ ...turn, rhythm: afterPauses(...of) }, defaultTurnRules)
      assert.ok(after(pauses.map(([ms, more]) => ms + more)) >= after(pauses.map(([ms]) => ms)))
    }),
  )
})

test('a falling tone never lengthens the wait, a level one never shortens it', () => {
  fc.assert(
    fc.property(anyTurn, ({ prosody: _, ...turn }) => {
      const ms = (prosody: TurnSoFar['prosody']) =>
        endpointingPause({ ...turn, prosody, rhythm: initialRhythm }, defaultTurnRules)
      assert.ok(ms('falling') <= ms(null) && ms(null) <= ms('level'))
    }),
  )
})

test('a very long text does not cost more than its length', () => {
  // With quadratic cost this would take hours.
  for (const text of ['1 ', 'um ', 'a@', 'arroba ', 'a, ', '. ', 'eu queria '])
    for (const expected of expectations) {
      const pauseMs = (count: number) => pauseOf(`${text.repeat(count)}x`, { expected })
      assert.equal(pauseMs(1_000_000), pauseMs(2000), `${text} ${expected}`)
    }
})

test('a confident turn model allows a reply at once, an uncertain one waits up to 3 s', () => {
  assert.equal(pauseForProbability(1), 20)
  assert.equal(pauseForProbability(0), 3020)
  assert.equal(Math.round(pauseForProbability(0.5)), Math.round(20 + 500 * Math.SQRT1_2 + 312.5))
  fc.assert(
    fc.property(fc.double({ min: -1, max: 2, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (p, more) => {
      assert.ok(pauseForProbability(p + more) <= pauseForProbability(p))
    }),
  )
})

test("the turn model's delay has the same bounds, and dictated digits wait regardless", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.nat(5000),
      fc.nat(5000),
      fc.string(),
      (p, a, b, text) => {
        const rules = rulesOf(a, b)
        const ms = turnModelPause(text, p, rules)
        assert.ok(ms >= rules.minPauseMs && ms <= rules.maxPauseMs)
      },
    ),
  )
  assert.equal(turnModelPause('Eu queria marcar', 1, defaultTurnRules), 400)
  assert.equal(turnModelPause('Eu queria marcar', 0, defaultTurnRules), 2500)
  assert.equal(turnModelPause('Meu CPF é 1 2 3 4', 1, defaultTurnRules), 1500)
})

test('a value that earlier turns began is complete with its rest', () => {
  const cpf = (transcript: string, dictated = '') =>
    pauseOf(transcript, { expected: 'cpf', dictated, language: 'pt-BR' })
  const whole = cpf('529 982 247 25')
  assert.equal(cpf('247 25', '529 982'), whole)
  assert.ok(cpf('247 25') > whole)
  assert.ok(cpf('247 2', '529 982') > whole)
  assert.equal(cpf('529 982 247 25', '529 982'), whole, 'who begins anew')
  assert.equal(cpf('529 982 247', '529 982'), cpf('529 982 247'))
})
