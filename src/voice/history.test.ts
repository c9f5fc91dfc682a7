// What is written down of what was said.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Said, spokenHistory } from './history.ts'

test('the record has each utterance; the model sees an unanswered one and the next as one', () => {
  const told: Said[] = []
  const history = spokenHistory('Você é a Ana.', (said) => told.push(said))
  history.agent('Olá.', false, [])
  history.caller('Que horas abre?')
  history.agent('', true, [])
  history.caller('E no sábado?')
  history.agent('Abrimos às', true, [])
  assert.deepEqual(
    told.map(({ text, isCut }) => `${text}${isCut ? '|' : ''}`),
    ['Olá.', 'Que horas abre?', 'E no sábado?', 'Abrimos às|'],
  )
  assert.deepEqual(
    history.forModel().map(({ role, content }) => [role, content]),
    [
      ['system', 'Você é a Ana.'],
      ['agent', 'Olá.'],
      ['user', 'Que horas abre? E no sábado?'],
      ['agent', 'Abrimos às…'],
    ],
  )
})

test('what the tools did stands before what was said of it', () => {
  const history = spokenHistory('', () => {})
  history.agent('Às nove.', false, [{ role: 'tool', content: '9', callId: 'a' }])
  assert.deepEqual(
    history.forModel().map(({ role }) => role),
    ['system', 'tool', 'agent'],
  )
})
