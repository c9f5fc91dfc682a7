// Every numbered statement of the contract needs a test that ran and passed: test/run.ts checks this at the end with
// these functions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missingStatements, statementsOf } from './runner/contract.ts'

test('a title covers the statements it begins with', () => {
  assert.deepEqual(statementsOf('79, 80 a call ends'), [79, 80])
  assert.deepEqual(statementsOf('7 a key'), [7])
  assert.deepEqual(statementsOf('a key of 7 days'), [])
  assert.deepEqual(statementsOf('10'), [])
})

test('a statement without a passing test is missing', () => {
  const every = Array.from({ length: 139 }, (_, i) => `${i + 1} it holds`)
  assert.deepEqual(missingStatements(every), [])
  assert.deepEqual(missingStatements(every.filter((title) => !title.startsWith('53 '))), [53])
})
