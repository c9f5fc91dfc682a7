// Fields of tool settings.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configFields, valueAt, withValue, workingDays } from './config-fields.ts'
import { tidy } from './tool-form.ts'
import { typeGroups } from './tool-types.ts'

test('a dotted name is a nested value', () => {
  assert.equal(valueAt({ retry: { maxRetries: 2 } }, 'retry.maxRetries'), 2)
  assert.equal(valueAt({}, 'retry.maxRetries'), undefined)
  assert.deepEqual(withValue({ a: 1, retry: { type: 'fixed' } }, 'retry.maxRetries', 3), {
    a: 1,
    retry: { type: 'fixed', maxRetries: 3 },
  })
  assert.deepEqual(tidy(withValue({ retry: { maxRetries: 3 } }, 'retry.maxRetries', undefined)), {})
})

test('without chosen working days, the ones that apply are shown', () => {
  assert.deepEqual(workingDays(undefined), [1, 2, 3, 4, 5])
  assert.deepEqual(workingDays([]), [1, 2, 3, 4, 5])
  assert.deepEqual(workingDays([6, 7]), [6, 7])
})

test('every tool type is offered once', () => {
  const offered = typeGroups.flatMap(({ types }) => [...types]).sort()
  assert.deepEqual(offered, Object.keys(configFields).sort())
  assert.equal(offered.length, 11)
})

test('a dependent field is shown only when it applies', () => {
  const shown = (config: object) =>
    configFields.spreadsheet
      .filter(({ when }) => when?.({ ...config }) ?? true)
      .map(({ name, kind }) => `${name}:${kind}`)
  assert.ok(shown({}).includes('spreadsheetId:spreadsheet') && !shown({}).includes('range:text'))
  assert.ok(shown({ provider: 'google' }).includes('spreadsheetId:text'))
})
