// Answers from a spreadsheet: how numbers are written, and what columns mean.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerOfRow, writtenForms } from './sheet-answer.ts'

test('a number is found however it is written', () => {
  assert.deepEqual(writtenForms('+5511987654321', null), ['5511987654321', '11987654321', '011987654321'])
  assert.ok(writtenForms('11987654321', '+551140028922').includes('5511987654321'))
  assert.ok(writtenForms('011987654321', '+551140028922').includes('11987654321'))
  assert.ok(writtenForms('5511987654321', '+551140028922').includes('11987654321'))
  assert.deepEqual(writtenForms('+34600111222', '+551140028922'), ['34600111222', '600111222', '0600111222'])
  for (const none of ['anonymous', '', 'sip:anonymous@anonymous.invalid'])
    assert.deepEqual(writtenForms(none, null), [])
})

const lookup = {
  spreadsheetId: 'sht',
  column: 'Telefone',
  agentColumn: 'Agente',
  languageColumn: 'Idioma',
  refuseColumn: 'Bloqueado',
  transferColumn: 'Transferir',
  contextColumn: 'Notas',
}

test('every column with a value becomes a variable, and named columns decide', () => {
  const values = {
    Telefone: '(11) 98765-4321',
    'Nome completo': 'Ana Souza',
    'Saldo (R$)': 12.5,
    Vazio: null,
    Agente: ' agt_1 ',
    Idioma: 'es',
    Bloqueado: null,
    Transferir: null,
    Notas: 'VIP',
  }
  const answer = answerOfRow({ values }, lookup)
  assert.deepEqual(
    { ...answer, variables: undefined },
    { agentId: 'agt_1', language: 'es', refuse: null, transferTo: null, context: 'VIP', variables: undefined },
  )
  const variables = answer.variables as Record<string, string>
  assert.deepEqual(
    [variables.Nome_completo, variables.Saldo_R_, variables.Telefone, 'Vazio' in variables],
    ['Ana Souza', '12.5', '(11) 98765-4321', false],
  )
})

test('a refusal may be a code, a check box or a word', () => {
  const refuse = (Bloqueado: string | number | boolean | null) => answerOfRow({ values: { Bloqueado } }, lookup).refuse
  for (const yes of [true, 'Sim', 'sí', 'YES', 'x']) assert.equal(refuse(yes), 603)
  for (const no of [null, false, 'Não', 'no', '-', 0]) assert.equal(refuse(no), null)
  assert.deepEqual([refuse(486), refuse('404')], [486, 404])
  assert.equal(refuse('talvez'), 'talvez') // the answer is then rejected, and the call is answered
})

test('columns beyond the bounds of variables are left out', () => {
  const values = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`Coluna ${i}`, 'x'.repeat(300)]))
  const { variables } = answerOfRow({ values }, lookup)
  assert.ok(Object.keys(variables as object).length < 40)
})
