import assert from 'node:assert/strict'
import { test } from 'node:test'
import { functionNames } from './function-names.ts'

const named = (...names: string[]) => functionNames(names.map((name) => ({ name, instead: 'send_text' })))

test('a name becomes one that every model accepts, and stays readable', () => {
  assert.deepEqual(named('Consultar horário', 'book-slot', 'préço (R$)'), ['Consultar_horario', 'book-slot', 'preco_R'])
})

test('similar names stay distinct, even long ones', () => {
  assert.deepEqual(named('agenda', 'Agenda', 'agénda'), ['agenda', 'Agenda_2', 'agenda_3'])
  const long = 'a'.repeat(200)
  const [first = '', second = ''] = named(long, long)
  assert.equal(first, 'a'.repeat(64))
  assert.equal(second, `${'a'.repeat(60)}_2`)
})

test('a name without an allowed character is replaced by the type', () => {
  assert.deepEqual(named('予約', '…', ''), ['send_text', 'send_text_2', 'send_text_3'])
})
