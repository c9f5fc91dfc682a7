// How long a pause ends a turn, by what was said so far.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { defaultTurnRules, endpointingPause } from './turn-rules.ts'

const tables: [sentence: string, ms: number, ...texts: string[]][] = [
  [
    'a whole sentence needs the shortest pause',
    400,
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
  ],
  ['what has no end waits', 1200, 'Eu queria marcar', 'Quero saber', 'I would like', 'Quisiera', ''],
  [
    'a word after which one goes on waits, whatever sign the recogniser puts behind it',
    1200,
    'Eu queria marcar e.',
    'Meu nome é',
    'Meu nome é...',
    'Eu moro na rua, mas.',
    'My name is.',
    'I want to',
    'Quiero una cita con.',
    'Mi nombre es',
    'Hum.',
    'Então…',
    'para o meu.',
  ],
  ['a number waits a little', 600, 'Tenho 25.', 'São 3', 'Às 10.', 'Nasci em 1985.', 'em 2024'],
  [
    'digits that are dictated wait longer',
    1500,
    '1 2 3 4',
    '1234',
    'Meu CPF é 123.456',
    'Meu CPF é 123.456.789',
    '11 9 8765',
    '1, 2, 3, 4.',
    'um dois três',
    'zero nove meia',
    'one two three',
    'cuatro cinco seis.',
    'O código é 98765.',
  ],
  ['a number that is whole does not', 600, '123.456.789-09', '11 98765-4321', '11987654321.', '12.345.678/0001-95'],
  [
    'an address that is being spelt waits longer',
    1500,
    'joão arroba',
    'maria ponto silva',
    'john dot smith at',
    'juan punto perez',
    'ana@',
    'ana@gmail',
    'ana underline silva',
  ],
  ['an address that is whole does not', 600, 'ana.silva@gmail.com', 'ana@empresa.com.br.'],
]

for (const [sentence, ms, ...texts] of tables)
  test(sentence, () =>
    assert.deepEqual(
      texts.map((text) => [text, endpointingPause(text, defaultTurnRules)]),
      texts.map((text) => [text, ms]),
    ),
  )

test('for any text, the pause is between the minimum and the maximum', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(5000), fc.nat(5000), (text, a, b) => {
      const rules = { ...defaultTurnRules, minPauseMs: Math.min(a, b), maxPauseMs: Math.max(a, b) }
      const ms = endpointingPause(text, rules)
      assert.ok(ms >= rules.minPauseMs && ms <= rules.maxPauseMs)
    }),
  )
})

test('a very long text is judged quickly', () => {
  for (const text of ['1 '.repeat(20_000), 'um '.repeat(20_000), 'a@'.repeat(20_000), 'arroba '.repeat(10_000)]) {
    const from = performance.now()
    endpointingPause(`${text}x`, defaultTurnRules)
    assert.ok(performance.now() - from < 1000, text.slice(0, 10))
  }
})
