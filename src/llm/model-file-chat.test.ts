// History, tools and settings translated to node-llama-cpp's interface.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Message, Tool } from '../voice/ports.ts'
import { callsOf, chatFunctions, chatItems, generateSettings } from './model-file-chat.ts'

const same = (name: string) => name

test('a conversation becomes system, user and model turns, and ends with the turn to generate', () => {
  const history: Message[] = [
    { role: 'system', content: 'Be brief.' },
    { role: 'agent', content: 'Good morning.' },
    { role: 'user', content: 'Is the doctor in?' },
    { role: 'system', content: 'It is Monday.' },
    { role: 'user', content: 'Hello?' },
  ]
  assert.deepEqual(chatItems(history, same), [
    { type: 'system', text: 'Be brief.' },
    { type: 'user', text: '<system_note>The conversation begins.</system_note>' },
    { type: 'model', response: ['Good morning.'] },
    { type: 'user', text: 'Is the doctor in?\n<system_note>It is Monday.</system_note>\nHello?' },
    { type: 'model', response: [] },
  ])
})

test('results of tools stand with their calls, and the model goes on from them', () => {
  const calls = [
    { id: 'a', name: 'hours', args: { day: 'monday' } },
    { id: 'b', name: 'price', args: {} },
  ]
  const history: Message[] = [
    { role: 'user', content: 'When?' },
    { role: 'agent', content: 'One moment.', calls },
    { role: 'tool', callId: 'b', content: '90', note: 'Say it in words.' },
    { role: 'tool', callId: 'a', content: 'from nine' },
  ]
  const result = (name: string, params: object, text: string) => ({ type: 'functionCall', name, params, result: text })
  assert.deepEqual(chatItems(history, same).slice(1), [
    {
      type: 'model',
      response: [
        'One moment.',
        result('hours', { day: 'monday' }, 'from nine'),
        result('price', {}, 'Say it in words.\n90'),
      ],
    },
  ])
  const after = chatItems([...history, { role: 'agent', content: 'At nine.' }], same)
  assert.deepEqual(after.at(-2), { type: 'user', text: '<system_note>Go on.</system_note>' })
})

test('settings of an agent have the names of the library, and a reply has an end', () => {
  assert.deepEqual(generateSettings({}), { temperature: 0.7, maxTokens: 400 })
  assert.deepEqual(
    generateSettings({ temperature: 0.2, maxTokens: 90_000, topP: 0.9, seed: 4, stop: 'END', presencePenalty: 1 }),
    {
      temperature: 0.2,
      topP: 0.9,
      seed: 4,
      customStopTriggers: ['END'],
      maxTokens: 2000,
      repeatPenalty: { frequencyPenalty: undefined, presencePenalty: 1 },
    },
  )
  assert.deepEqual(generateSettings({ temperature: 'hot', maxTokens: -1 }), { temperature: 0.7, maxTokens: 400 })
})

test('parameters become a grammar in which what is not required may be null, and is left out of the call', () => {
  const tool = {
    name: 'book',
    description: 'Books an hour',
    parameters: {
      type: 'object',
      properties: {
        day: { type: 'string', description: 'Which day', pattern: 'x' },
        kind: { enum: ['first', 'again'] },
        people: { type: 'array', items: { type: 'object', properties: { age: { type: ['integer', 'null'] } } } },
        note: { anyOf: [{ type: 'string' }, { $ref: '#/elsewhere' }] },
      },
      required: ['day', 'people'],
    },
  } as unknown as Tool
  const anything = { oneOf: ['string', 'number', 'boolean', 'null'].map((type) => ({ type })) }
  const maybe = (schema: object) => ({ oneOf: [schema, { type: 'null' }] })
  assert.deepEqual(chatFunctions([tool], same).book?.params, {
    type: 'object',
    properties: {
      day: { type: 'string', description: 'Which day' },
      kind: maybe({ enum: ['first', 'again'] }),
      people: {
        type: 'array',
        items: { type: 'object', properties: { age: maybe({ type: ['integer', 'null'] }) } },
      },
      note: maybe({ oneOf: [{ type: 'string' }, anything] }),
    },
  })
  const generated = {
    functionCalls: [{ functionName: 'book', params: { day: 'monday', kind: null, people: [{ age: null }] } }],
    metadata: { stopReason: 'functionCalls' },
  }
  assert.deepEqual(callsOf(generated, { newId: () => 'c', own: same }), [
    { id: 'c', name: 'book', args: { day: 'monday', people: [{}] } },
  ])
})
