import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closingLength, matchingVariables, typedName } from './completion.ts'

test('a name is being typed after {{ and nowhere else', () => {
  assert.equal(typedName('Olá, {{'), '')
  assert.equal(typedName('Olá, {{emp'), 'emp')
  assert.equal(typedName('Olá, {{ ação'), 'ação')
  for (const text of ['', 'Olá', '{', '{emp', '{{empresa}}', '{{nome e ']) assert.equal(typedName(text), null, text)
})

test('names that begin like it come first; accents and case do not matter', () => {
  const known = ['hora_fim', 'Horário', 'caller'].map((name) => ({ name, about: '' }))
  const names = (typed: string) => matchingVariables(known, typed).map(({ name }) => name)
  assert.deepEqual(names('horA'), ['hora_fim', 'Horário'])
  assert.deepEqual(names('al'), ['caller'])
  assert.deepEqual(names('x'), [])
  assert.deepEqual(names(''), ['hora_fim', 'Horário', 'caller'])
})

test('closing braces after the cursor are replaced, not doubled', () => {
  assert.equal(closingLength('}} e mais'), 2)
  assert.equal(closingLength(' }}'), 3)
  assert.equal(closingLength('} e'), 0)
})
