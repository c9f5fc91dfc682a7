import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Message, Tool } from '../voice/ports.ts'
import { chatMessages, chatSettings, chatTools, UNANSWERED, wireNames } from './chat-messages.ts'

const same = (name: string) => name
const call = (id: string, args: unknown = {}) => ({ id, name: 'find', args })
const wired = (id: string, text = '{}') => ({ id, type: 'function', function: { name: 'find', arguments: text } })

test('the agent is the assistant, and its calls are followed by their results', () => {
  const history: Message[] = [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Where is it?' },
    { role: 'agent', content: '', calls: [call('a', { n: 1 }), call('b')] },
    { role: 'tool', callId: 'b', content: 'B' },
    { role: 'tool', callId: 'a', content: 'A' },
    { role: 'agent', content: 'There.' },
  ]
  assert.deepEqual(chatMessages(history, same), [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Where is it?' },
    { role: 'assistant', content: null, tool_calls: [wired('a', '{"n":1}'), wired('b')] },
    { role: 'tool', tool_call_id: 'a', content: 'A' },
    { role: 'tool', tool_call_id: 'b', content: 'B' },
    { role: 'assistant', content: 'There.' },
  ])
})

test('context for a reply comes before it', () => {
  const history: Message[] = [
    { role: 'agent', content: '', calls: [call('a')] },
    { role: 'tool', callId: 'a', content: 'A', note: 'Say it slowly.' },
  ]
  assert.deepEqual(chatMessages(history, same).at(-1), {
    role: 'tool',
    tool_call_id: 'a',
    content: 'Say it slowly.\nA',
  })
})

test('what was heard unclearly is marked, and the mark explained once', () => {
  const history: Message[] = [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'The interest?', isUnclear: true },
    { role: 'agent', content: 'The address?' },
    { role: 'user', content: 'Yes.' },
  ]
  const [system, asked, , yes] = chatMessages(history, same)
  assert.match(system?.content ?? '', /^Be kind\.\n\nWhat the caller says after \[heard unclearly\] may be misheard/)
  assert.equal(asked?.content, '[heard unclearly] The interest?')
  assert.equal(yes?.content, 'Yes.')
  const [explained, first] = chatMessages(history.slice(1), same)
  assert.deepEqual([explained?.role, first?.content], ['system', '[heard unclearly] The interest?'])
  assert.equal(chatMessages([{ role: 'system', content: 'Be kind.' }], same)[0]?.content, 'Be kind.')
})

test('a call without a result gets one, and a result without a call is dropped', () => {
  const history: Message[] = [
    { role: 'tool', callId: 'lost', content: 'x' },
    { role: 'agent', content: 'Wait.', calls: [call('a')] },
    { role: 'user', content: 'Hello?' },
  ]
  assert.deepEqual(chatMessages(history, same), [
    { role: 'assistant', content: 'Wait.', tool_calls: [wired('a')] },
    { role: 'tool', tool_call_id: 'a', content: UNANSWERED },
    { role: 'user', content: 'Hello?' },
  ])
})

test('consecutive messages of one role are merged, and empty ones dropped', () => {
  const history: Message[] = [
    { role: 'user', content: 'I' },
    { role: 'agent', content: ' ' },
    { role: 'user', content: 'wait' },
    { role: 'agent', content: 'So do I.' },
  ]
  assert.deepEqual(chatMessages(history, same), [
    { role: 'user', content: 'I\nwait' },
    { role: 'assistant', content: 'So do I.' },
  ])
})

test('tool names are valid in the protocol, unique, and mapped back', () => {
  const names = ['Agendar visita', 'Agendar_visita', 'x'.repeat(90), `${'x'.repeat(90)}y`, '日本', '__proto__']
  const tools = names.map(
    (name): Tool => ({ name, description: '', parameters: {}, run: async () => ({ text: '', failed: false }) }),
  )
  const map = wireNames(tools)
  const wires = names.map(map.wire)
  assert.equal(new Set(wires).size, names.length)
  for (const wire of wires) assert.match(wire, /^[A-Za-z0-9_-]{1,64}$/)
  assert.deepEqual(wires.map(map.own), names)
  assert.equal(map.own('made_up'), 'made_up')
  assert.deepEqual(chatTools(tools.slice(0, 1), map.wire)[0]?.function, {
    name: 'Agendar_visita',
    description: '',
    parameters: { type: 'object', properties: {} },
  })
})

test('settings of a wrong type or out of range are dropped', () => {
  assert.deepEqual(chatSettings({ temperature: 3, topP: '1', seed: 7, max_tokens: 1.5, reasoning_effort: 'low' }), {
    seed: 7,
    reasoning_effort: 'low',
  })
  assert.deepEqual(chatSettings({ stop: 'FIM' }), { stop: ['FIM'] })
  assert.deepEqual(chatSettings({ stop: ['a', '', 5, 'x'.repeat(101), 'b', 'c', 'd', 'e'] }), {
    stop: ['a', 'b', 'c', 'd'],
  })
  assert.deepEqual(chatSettings({ temperature: 0, frequency_penalty: -1, maxTokens: 5 }, 3), {
    temperature: 0,
    frequency_penalty: -1,
    max_tokens: 3,
  })
})
