import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSameText } from './same-text.ts'

test('the capital and the full stop do not matter; words, commas and questions do', () => {
  assert.ok(isSameText('quero marcar', 'Quero marcar.'))
  assert.ok(isSameText('', ' … '))
  for (const [a, b] of [
    ['você abre amanhã', 'Você abre amanhã?'],
    ['não posso', 'Não, posso.'],
    ['sim', 'Sim sim.'],
  ] as const)
    assert.ok(!isSameText(a, b), b)
})
