// Search words, and telephone numbers in any notation.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchedDigits, searchOf } from './search-text.ts'

test('every word must occur, without accents and case, in any of the texts', () => {
  const matches = searchOf('clinica RECEPÇÃO')
  assert.ok(matches(['Recepção da Clínica Vida', null]))
  assert.ok(matches(['Recepcao', 'a clínica']))
  assert.ok(!matches(['Recepção', null]))
  assert.ok(searchOf('')(['anything']))
  assert.ok(searchOf('  ')(['anything']))
})

test('a number is found in any notation', () => {
  for (const q of ['+55 11 98765-4321', '(11) 98765-4321', '98765 4321', '011 98765', '5511987654321', '987654'])
    assert.ok(searchOf(q)(['+5511987654321']), q)
  assert.ok(!searchOf('98765-9999')(['+5511987654321']))
})

test('short digits and words are no number', () => {
  assert.equal(searchedDigits('12'), null)
  assert.equal(searchedDigits('sala 1234'), null)
  assert.equal(searchedDigits('(00) '), null)
  assert.equal(searchedDigits('000'), '000')
})
