import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toolMessages } from './messages.ts'

const first = () => 0
const last = () => 0.999
const said = (value: unknown, args: unknown = {}, { language = 'pt-BR', chance = first } = {}) =>
  toolMessages({ start: value }, language, chance).start(args)

test('without a configured message nothing is said', () => {
  for (const value of [undefined, null, '', '  ', [], {}, { contents: [] }]) assert.equal(said(value), null)
  const none = toolMessages(null, 'pt-BR', first)
  assert.equal(none.start({}), null)
  assert.deepEqual(none.delayed({}), [])
})

test('a string is said as it is; of several, one at random', () => {
  assert.deepEqual(said('Um momento.'), {
    text: 'Um momento.',
    role: 'assistant',
    isBlocking: false,
    endsCall: false,
  })
  assert.equal(said(['a', 'b', 'c'])?.text, 'a')
  assert.equal(said(['a', 'b', 'c'], {}, { chance: last })?.text, 'c')
})

test('a message object says how it is said', () => {
  const form = { content: 'x', blocking: true, role: 'system', endCall: true }
  assert.deepEqual(said(form), { text: 'x', role: 'system', isBlocking: true, endsCall: true })
})

test("the agent's language is chosen, then a related one, then the default", () => {
  const contents = [
    { language: 'en', content: 'One moment' },
    { language: 'pt-PT', content: 'Um momento' },
    { language: 'pt-BR', content: 'Um instante' },
  ]
  const form = { content: '…', contents }
  assert.equal(said(form)?.text, 'Um instante')
  assert.equal(said(form, {}, { language: 'pt' })?.text, 'Um momento')
  assert.equal(said(form, {}, { language: 'en-US' })?.text, 'One moment')
  assert.equal(said(form, {}, { language: 'es' })?.text, '…')
  assert.equal(said({ contents }, {}, { language: 'es' }), null)
})

test('{name} is filled from the arguments, and placeholders inside a value are not', () => {
  assert.equal(
    said('Vejo {day} às {time.hour}h {x}.', { day: '{time}', time: { hour: 9 } })?.text,
    'Vejo {time} às 9h .',
  )
  assert.equal(said('Para {a}', { a: { b: 1 } })?.text, 'Para')
  assert.equal(said('{a}', { a: `x\u0000${'y'.repeat(999)}` })?.text.length, 200)
})

test('a message whose conditions hold takes precedence over one without conditions', () => {
  const when = (operator: string, value: unknown) => [
    { content: 'any' },
    { content: 'own', conditions: [{ param: 'n', operator, value }] },
  ]
  const cases: [string, unknown, unknown, boolean][] = [
    ['eq', 2, 2, true],
    ['eq', 2, '2', true],
    ['eq', 'a', 'a', true],
    ['eq', true, true, true],
    ['eq', true, 1, false],
    ['neq', 2, 3, true],
    ['neq', 2, undefined, true],
    ['eq', 2, undefined, false],
    ['gt', 5, 6, true],
    ['gt', 5, 5, false],
    ['gte', 5, 5, true],
    ['lt', 10, '9', true],
    ['lte', '2026-01-31', '2026-01-05', true],
    ['gt', '2026-01-31', '2026-01-05', false],
    ['gt', 5, { a: 1 }, false],
  ]
  for (const [operator, value, given, holds] of cases)
    assert.equal(
      said(when(operator, value), { n: given })?.text,
      holds ? 'own' : 'any',
      `${operator} ${value} ${given}`,
    )
  assert.equal(said({ content: 'x', conditions: [{ param: 'n', operator: 'eq', value: 1 }] }, {}), null)
})

test('delayed messages come at their times; without a time at 3 s, 8 s and every 8 s after that', () => {
  const delayed = (value: unknown) =>
    toolMessages({ delayed: value }, 'pt-BR', first)
      .delayed({ n: 1 })
      .map(({ atMs, text }) => [atMs, text])
  assert.deepEqual(delayed('a'), [[3000, 'a']])
  assert.deepEqual(delayed(['a', 'b', 'c', 'd']), [
    [3000, 'a'],
    [8000, 'b'],
    [16_000, 'c'],
    [24_000, 'd'],
  ])
  const staged = [
    { content: 'late', timingMs: 9000 },
    { content: 'soon', timingMs: 1000 },
    { content: 'soon too', timingMs: 1000 },
    { content: 'never', timingMs: 500, conditions: [{ param: 'n', operator: 'gt', value: 1 }] },
  ]
  assert.deepEqual(delayed(staged), [
    [1000, 'soon'],
    [9000, 'late'],
  ])
})
