import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Message } from '../voice/ports.ts'
import { callSettings, callTools, promptOf } from './ai-sdk-model.ts'

const plain = (name: string) => name.replaceAll(' ', '_')
const text = (...texts: string[]) => texts.map((one) => ({ type: 'text', text: one }))
const note = (words: string) => `<system_note>${words}</system_note>`

test("only the first instruction stays a system message; later ones go with the caller's words", () => {
  const history: Message[] = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hi' },
    { role: 'system', content: 'It is late.' },
    { role: 'agent', content: 'Hello.' },
    { role: 'user', content: 'Bye' },
  ]
  assert.deepEqual(promptOf(history, plain), [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: text('Hi', note('It is late.')) },
    { role: 'assistant', content: text('Hello.') },
    { role: 'user', content: text('Bye') },
  ])
})

test('the user has the first and the last message, even if nobody or only the agent has spoken', () => {
  const begins = { role: 'user', content: text(note('The conversation begins.')) }
  const goOn = { role: 'user', content: text(note('Go on.')) }
  const system = { role: 'system', content: 'Be brief.' } as const
  assert.deepEqual(promptOf([], plain), [begins])
  assert.deepEqual(promptOf([system], plain), [system, begins])
  assert.deepEqual(promptOf([system, { role: 'agent', content: 'Hello.' }], plain), [
    system,
    begins,
    { role: 'assistant', content: text('Hello.') },
    goOn,
  ])
})

test('calls carry objects and ids that every vendor accepts, and their results follow in one message', () => {
  const calls = [
    { id: 'a/1', name: 'get time', args: { at: 'noon' } },
    { id: 'b', name: 'get time', args: 'no JSON' },
  ]
  const history: Message[] = [
    { role: 'user', content: 'Hi' },
    { role: 'agent', content: 'One moment.', calls },
    { role: 'tool', callId: 'a/1', content: 'twelve' },
  ]
  const reasoning = [{ type: 'reasoning' as const, text: 'Hm.', providerOptions: { x: { signature: 's' } } }]
  const remembered = { reasoning, ofCall: new Map([['b', { x: { thoughtSignature: 't' } }]]) }
  const prompt = promptOf(history, plain, (id) => (id === 'a/1' ? remembered : undefined))
  const call = { type: 'tool-call', toolName: 'get_time' }
  assert.deepEqual(prompt.slice(1), [
    {
      role: 'assistant',
      content: [
        ...reasoning,
        ...text('One moment.'),
        { ...call, toolCallId: 'a_1', input: { at: 'noon' } },
        { ...call, toolCallId: 'b', input: { input: 'no JSON' }, providerOptions: { x: { thoughtSignature: 't' } } },
      ],
    },
    {
      role: 'tool',
      content: ['a_1', 'b'].map((toolCallId, i) => ({
        type: 'tool-result',
        toolCallId,
        toolName: 'get_time',
        output: { type: 'text', value: i === 0 ? 'twelve' : 'No result: the call was interrupted.' },
      })),
    },
  ])
})

test('settings use the names of this protocol, and unusable ones are dropped', () => {
  assert.deepEqual(
    callSettings(
      { temperature: 0.3, top_p: 0.9, max_tokens: 50, stop: ['x'], reasoningEffort: 'low', seed: 1, foo: 2 },
      40,
    ),
    { temperature: 0.3, topP: 0.9, maxOutputTokens: 40, stopSequences: ['x'], reasoning: 'low', seed: 1 },
  )
  assert.deepEqual(callSettings({ temperature: 'hot', reasoningEffort: 'wild', maxCompletionTokens: 7 }), {
    maxOutputTokens: 7,
  })
})

test('an empty tool list is omitted', () => {
  assert.deepEqual(callTools([], plain), {})
})

test('tools that may not be called are sent with the choice none', () => {
  const tool = { name: 'a', description: 'x', parameters: {}, run: async () => ({ text: '', failed: false }) }
  assert.deepEqual(callTools([tool], plain, false).toolChoice, { type: 'none' })
  assert.deepEqual(callTools([tool], plain).toolChoice, { type: 'auto' })
})
