import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillTemplate, knownVariables, zoneOf } from './prompt.ts'

test('names in double braces are filled, with or without spaces around them', () => {
  const { text, missing } = fillTemplate('Olá {{nome}}, {{ cidade }} {{nome}}. {{pedido.número-1}}', {
    nome: 'Ana',
    cidade: 'Recife',
    'pedido.número-1': '7',
  })
  assert.equal(text, 'Olá Ana, Recife Ana. 7')
  assert.deepEqual(missing, [])
})

test('an unknown name becomes empty and is reported once; an empty value is a value', () => {
  const { text, missing } = fillTemplate('[{{a}}][{{b}}][{{a}}][{{c}}]', { c: '' })
  assert.equal(text, '[][][][]')
  assert.deepEqual(missing, ['a', 'b'])
})

test('names inherited from Object are unknown too', () => {
  assert.deepEqual(fillTemplate('{{constructor}}{{toString}}{{__proto__}}', {}), {
    text: '',
    missing: ['constructor', 'toString', '__proto__'],
  })
})

test('a value is inserted literally: no recursion, no replacement patterns', () => {
  const { text } = fillTemplate('{{a}}!', { a: '{{b}} $& $1', b: 'secret' })
  assert.equal(text, '{{b}} $& $1!')
})

test('text that is not a placeholder is unchanged', () => {
  for (const text of ['{a}', '{{}}', '{{ }}', '{{a b}}', '{{a', '{{{', `{{${'x'.repeat(65)}}}`, '{"a":{"b":1}}'])
    assert.deepEqual(fillTemplate(text, { a: '1' }), { text, missing: [] })
})

const atMs = Date.UTC(2026, 2, 5, 1, 30) // a Thursday in UTC, still Wednesday in Brazil

test("date and time are in the agent's time zone and language", () => {
  const known = knownVariables({ atMs, language: 'pt-BR', caller: '+5511999990000', callee: null })
  assert.deepEqual(known, {
    caller: '+5511999990000',
    callee: '',
    date: '4 de março de 2026',
    time: '22:30',
    weekday: 'quarta-feira',
  })
  const there = knownVariables({ atMs, language: 'es-ES' })
  assert.deepEqual([there.date, there.time, there.weekday], ['5 de marzo de 2026', '2:30', 'jueves'])
  const here = knownVariables({ atMs, language: 'en-GB', timeZone: 'Asia/Tokyo' })
  assert.deepEqual([here.date, here.time, here.weekday], ['5 March 2026', '10:30', 'Thursday'])
})

test("the time zone is the configured one, else the country's, else the server’s", () => {
  const server = new Intl.DateTimeFormat().resolvedOptions().timeZone
  assert.equal(zoneOf('pt-BR', 'Europe/Lisbon'), 'Europe/Lisbon')
  assert.equal(zoneOf('pt-BR', 'Mars/Base'), 'America/Sao_Paulo')
  assert.equal(zoneOf('es-CO'), 'America/Bogota')
  for (const language of ['pt', 'en-US', 'not a language']) assert.equal(zoneOf(language), server)
})
