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

test('calls whose answers came late become the last that happened, and the others stay where they were', () => {
  const history = spokenHistory('', () => {})
  const call = (id: string) => ({ id, name: 'agenda', args: {} })
  history.caller('Tem horário?')
  history.agent('', true, [
    { role: 'agent', content: '', calls: [call('a'), call('b')] },
    { role: 'tool', content: 'A', callId: 'a' },
    { role: 'tool', content: 'B', callId: 'b' },
  ])
  history.caller('Alô?')
  history.agent('Estou vendo.', false, [])
  history.bringLast(new Set(['b']))
  const shape = () =>
    history
      .forModel()
      .map(({ role, content, calls, callId }) => calls?.map(({ id }) => id).join() ?? callId ?? (content || role))
  assert.deepEqual(shape(), ['system', 'Tem horário?', 'a', 'a', 'Alô?', 'Estou vendo.', 'b', 'b'])
  history.bringLast(new Set(['a', 'b']))
  assert.deepEqual(shape(), ['system', 'Tem horário? Alô?', 'Estou vendo.', 'a,b', 'a', 'b'])
})

test('what the caller may have said is not on record', () => {
  const history = spokenHistory('', () => {})
  history.caller('Tem horário?')
  assert.equal(history.forModel('Amanhã?').at(-1)?.content, 'Tem horário? Amanhã?')
  assert.equal(history.forModel().at(-1)?.content, 'Tem horário?')
})
