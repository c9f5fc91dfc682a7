// Tool test inputs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { argumentsOf, functionName, functionsOf, inputsOf } from './tool-test-inputs.ts'

const tool = { name: 'Agenda médica', type: 'calendar' as const, method: null, parameters: null, config: null }

test("a tool with several functions uses the model's function names", () => {
  const names = functionsOf(tool).map(({ name, hasEffect }) => [name, hasEffect])
  assert.deepEqual(names, [
    ['Agenda_medica__check_availability', false],
    ['Agenda_medica__list_events', false],
    ['Agenda_medica__create_event', true],
    ['Agenda_medica__cancel_event', true],
  ])
  const one = functionsOf({ ...tool, config: { operation: 'create_event' } })
  assert.deepEqual(
    one.map(({ name, word }) => [name, word]),
    [[null, 'create_event']],
  )
})

test('functions with side effects need confirmation', () => {
  const effect = (part: object) => functionsOf({ ...tool, ...part })[0]?.hasEffect
  assert.equal(effect({ type: 'api_request' }), false)
  assert.equal(effect({ type: 'api_request', method: 'post' }), true)
  assert.equal(effect({ type: 'custom' }), true)
  assert.equal(effect({ type: 'query' }), false)
  assert.equal(effect({ type: 'chat_workspace' }), true)
  assert.equal(functionsOf({ ...tool, type: 'mcp' })[0]?.schema, null)
  for (const type of ['dtmf', 'end_call', 'transfer_call'] as const)
    assert.deepEqual(functionsOf({ ...tool, type }), [])
})

test('function names contain only characters that models accept', () => {
  assert.equal(functionName('Book a table!'), 'Book_a_table')
  assert.equal(functionName('_x_'), 'x')
})

const inputs = inputsOf({
  type: 'object',
  properties: {
    day: { type: 'string', description: 'Which' },
    people: { type: 'integer', default: 2 },
    outside: { type: 'boolean' },
    size: { type: 'string', enum: ['s', 'l'] },
    extra: { type: 'array' },
  },
  required: ['day'],
})

test('each property has an input', () => {
  assert.deepEqual(
    inputs.map(({ name, kind, isNeeded, standard }) => [name, kind, isNeeded, standard]),
    [
      ['day', 'text', true, ''],
      ['people', 'number', false, '2'],
      ['outside', 'yesno', false, ''],
      ['size', 'choice', false, ''],
      ['extra', 'json', false, ''],
    ],
  )
  assert.deepEqual(inputsOf({}), [])
})

test('typed values become arguments; invalid ones are reported', () => {
  const typed = { day: ' friday ', people: '3', outside: 'false', size: 'l', extra: '["a"]' }
  assert.deepEqual(argumentsOf(inputs, typed), {
    args: { day: 'friday', people: 3, outside: false, size: 'l', extra: ['a'] },
    problems: [],
  })
  assert.deepEqual(argumentsOf(inputs, { people: 'many', extra: '[' }), {
    args: {},
    problems: ['day', 'people', 'extra'],
  })
})
