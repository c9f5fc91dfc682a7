// Columns of a contact list as call variables.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unfilled, variableOf, variablesOf } from './column-variables.ts'

test('a column is the variable that the call has', () => {
  assert.deepEqual(variablesOf(['Nome Completo', 'Telefone celular', 'Valor (R$)', 'nome']), [
    'Nome_Completo',
    'Telefone_celular',
    'Valor_R_',
    'nome',
  ])
  assert.equal(variableOf(' ', 2), 'Column_3')
  assert.equal(variableOf('__proto__', 0), null)
})

test('a name that differs in case, accents or separators has a similar one; another has none', () => {
  const columns = ['Nome Completo', 'Situação']
  assert.deepEqual(
    unfilled(['nome_completo', 'situacao', 'unidade', 'Nome_Completo', 'date'], { given: ['date'], columns }),
    [
      { name: 'nome_completo', similar: 'Nome_Completo' },
      { name: 'situacao', similar: 'Situação' },
      { name: 'unidade', similar: null },
    ],
  )
})
