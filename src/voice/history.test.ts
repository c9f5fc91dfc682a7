// What the history records of what was said.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conversationHistory, type UtteranceEvent } from './history.ts'

test('the transcript has each utterance; the model sees an unanswered one and the next as one', () => {
  const told: UtteranceEvent[] = []
  const history = conversationHistory('Você é a Ana.', (said) => told.push(said))
  history.addAgent({ text: 'Olá.', isCut: false, toolMessages: [] })
  history.addCaller('Que horas abre?')
  history.addAgent({ text: '', isCut: true, toolMessages: [] })
  history.addCaller('E no sábado?')
  history.addAgent({ text: 'Abrimos às', isCut: true, toolMessages: [] })
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

test('tool results come before the reply that uses them', () => {
  const history = conversationHistory('', () => {})
  history.addAgent({ text: 'Às nove.', isCut: false, toolMessages: [{ role: 'tool', content: '9', callId: 'a' }] })
  assert.deepEqual(
    history.forModel().map(({ role }) => role),
    ['system', 'tool', 'agent'],
  )
})

test('calls with late results move to the end, and the others stay in place', () => {
  const history = conversationHistory('', () => {})
  const call = (id: string) => ({ id, name: 'agenda', args: {} })
  history.addCaller('Tem horário?')
  history.addAgent({
    text: '',
    isCut: true,
    toolMessages: [
      { role: 'agent', content: '', calls: [call('a'), call('b')] },
      { role: 'tool', content: 'A', callId: 'a' },
      { role: 'tool', content: 'B', callId: 'b' },
    ],
  })
  history.addCaller('Alô?')
  history.addAgent({ text: 'Estou vendo.', isCut: false, toolMessages: [] })
  history.moveToEnd(new Set(['b']))
  const shape = () =>
    history
      .forModel()
      .map(({ role, content, calls, callId }) => calls?.map(({ id }) => id).join() ?? callId ?? (content || role))
  assert.deepEqual(shape(), ['system', 'Tem horário?', 'a', 'a', 'Alô?', 'Estou vendo.', 'b', 'b'])
  history.moveToEnd(new Set(['a', 'b']))
  assert.deepEqual(shape(), ['system', 'Tem horário? Alô?', 'Estou vendo.', 'a,b', 'a', 'b'])
})

test('a tentative utterance is not stored', () => {
  const history = conversationHistory('', () => {})
  history.addCaller('Tem horário?')
  assert.equal(history.forModel('Amanhã?').at(-1)?.content, 'Tem horário? Amanhã?')
  assert.equal(history.forModel().at(-1)?.content, 'Tem horário?')
})

test('what the recognizer is unsure of is marked for the model, and plain in the transcript', () => {
  const told: UtteranceEvent[] = []
  const history = conversationHistory('', (said) => told.push(said))
  history.setPending('Qual é o interesse?', null, true)
  assert.equal(history.forModel().at(-1)?.isUnclear, true)
  const next = history.forModel('Da clínica.').at(-1)
  assert.deepEqual([next?.content, next?.isUnclear], ['Qual é o interesse? Da clínica.', true])
  history.commitPending()
  history.addAgent({ text: 'O endereço?', isCut: false, toolMessages: [] })
  assert.equal(history.forModel('Isso.').at(-1)?.isUnclear, undefined)
  assert.equal(history.forModel('Isso.', true).at(-1)?.isUnclear, true)
  assert.deepEqual(
    told.map(({ text }) => text),
    ['Qual é o interesse?', 'O endereço?'],
  )
})
