// What follows each outcome, and when the plan is used up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attemptOutcomes } from '../../base/domain/campaigns.ts'
import { nextStep } from './retry-plan.ts'
import { defaultRetries, type RetryPlan } from './schema.ts'

const plan: RetryPlan = {
  maxAttempts: 4,
  rules: [
    { outcome: 'no_answer', times: 2, afterMinutes: 240 },
    { outcome: 'busy', times: 3, afterMinutes: 20 },
    { outcome: 'voicemail', times: 0, afterMinutes: 60 },
  ],
  otherTimeOfDay: true,
}

test('an answered contact is completed, whatever came before', () => {
  assert.deepEqual(nextStep(plan, 'answered', ['busy', 'no_answer', 'answered']), { status: 'completed' })
})

test('each outcome is retried as often as its rule says', () => {
  assert.deepEqual(nextStep(plan, 'no_answer', ['no_answer']), { status: 'waiting', afterMs: 240 * 60_000 })
  assert.equal(nextStep(plan, 'no_answer', ['no_answer', 'no_answer']).status, 'waiting')
  assert.equal(nextStep(plan, 'no_answer', ['no_answer', 'no_answer', 'no_answer']).status, 'exhausted')
  assert.equal(nextStep(plan, 'no_answer', ['busy', 'busy', 'no_answer']).status, 'waiting')
  assert.equal(nextStep(plan, 'voicemail', ['voicemail']).status, 'exhausted')
})

test('maxAttempts counts all attempts, those in doubt included', () => {
  assert.equal(nextStep(plan, 'busy', ['busy', null, 'busy', 'busy']).status, 'exhausted')
  assert.equal(nextStep(plan, 'busy', [null, 'busy', 'busy']).status, 'waiting')
})

test('an outcome without a rule is final', () => {
  for (const outcome of attemptOutcomes.filter((each) => !['answered', 'no_answer', 'busy'].includes(each)))
    assert.equal(nextStep(plan, outcome, [outcome]).status, 'exhausted', outcome)
  assert.equal(nextStep(defaultRetries, 'rejected', ['rejected']).status, 'exhausted')
})
