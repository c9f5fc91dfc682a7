// The circuit breaker and the governor.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failureBurst, governed, type RecentAttempt } from './governor.ts'

const NOW = Date.parse('2026-11-16T12:00:00Z')
const many = (count: number, outcome: RecentAttempt['outcome'], more: Partial<RecentAttempt> = {}): RecentAttempt[] =>
  Array.from({ length: count }, () => ({ outcome, talkSeconds: null, endedMs: NOW - 1000, ...more }))
const rule = {
  id: 'r',
  seconds: 6,
  slowAt: 0.6,
  pauseAt: 0.8,
  minAttempts: 50,
  unansweredFrom: 50_000,
  source: 's',
  date: '2025-05-30',
}

test('half of at least ten attempts in two minutes', () => {
  assert.equal(failureBurst([...many(5, 'failed'), ...many(4, 'busy')], NOW), null)
  const stop = failureBurst([...many(5, 'failed'), ...many(5, 'busy')], NOW)
  assert.deepEqual(stop, { reason: 'failure_burst', detail: '5 of 10 attempts failed within two minutes' })
  assert.equal(failureBurst([...many(5, 'failed'), ...many(6, 'busy')], NOW), null)
  assert.equal(failureBurst(many(50, 'failed', { endedMs: NOW - 120_001 }), NOW), null)
})

test('short calls slow a campaign down, then pause it', () => {
  const talked = (count: number) => many(count, 'answered', { talkSeconds: 40 })
  const short = (count: number) => many(count, 'answered', { talkSeconds: 6 })
  assert.deepEqual(governed([...talked(45), ...short(55)], rule), { shortShare: 0.55, isSlow: false, stop: null })
  assert.deepEqual(governed([...talked(40), ...short(60)], rule), { shortShare: 0.6, isSlow: true, stop: null })
  assert.equal(governed([...talked(20), ...short(80)], rule).stop?.reason, 'short_calls')
  // 100 attempts in 20 minutes make 2,700 per working day; within a second they make more than three million.
  const slowly = [...talked(50), ...many(150, 'no_answer')].map((each, i) => ({ ...each, endedMs: NOW - i * 12_000 }))
  assert.deepEqual(governed(slowly, rule), { shortShare: 0, isSlow: false, stop: null }, 'most people do not answer')
  assert.equal(governed([...talked(20), ...many(80, 'no_answer')], rule).stop?.reason, 'short_calls', 'a large caller')
  const never = { ...rule, unansweredFrom: null }
  assert.equal(governed([...talked(50), ...many(150, 'no_answer')], never).stop, null)
  assert.equal(governed([...talked(9), ...short(40)], rule).isSlow, false, 'too few to judge')
  assert.equal(governed([...talked(20), ...many(80, 'failed')], rule).isSlow, false, 'a dead trunk reaches nobody')
  assert.equal(governed([...talked(20), ...short(80)], null).isSlow, false, 'the pack has no such rule')
})

test('hardly anybody answers', () => {
  const answered = many(3, 'answered', { talkSeconds: 40 })
  assert.equal(governed([...answered, ...many(197, 'no_answer')], null).stop?.reason, 'low_answer_rate')
  assert.equal(governed([...answered, ...answered, ...many(194, 'no_answer')], null).stop, null)
  assert.equal(governed([...answered, ...many(196, 'no_answer')], null).stop, null)
})
