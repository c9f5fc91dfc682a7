import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endOfAbandoned, endOfAnswered, endOfUnanswered, isTrunkFailure } from './endings.ts'

const refused = (status: number) => ({ by: 'remote' as const, why: 'refused' as const, status, detail: 'words' })

test('a final response maps to status and end reason', () => {
  const cases: [number, string, string][] = [
    [404, 'failed', 'invalid_number'],
    [486, 'busy', 'busy'],
    [600, 'busy', 'busy'],
    [480, 'no_answer', 'no_answer'],
    [408, 'no_answer', 'no_answer'],
    [430, 'failed', 'trunk_unavailable'],
    [603, 'failed', 'rejected'],
    [403, 'failed', 'rejected'],
    [407, 'failed', 'trunk_auth_failed'],
    [401, 'failed', 'trunk_auth_failed'],
    [484, 'failed', 'invalid_number'],
    [500, 'failed', 'sip_error'],
    [499, 'failed', 'sip_error'],
  ]
  for (const [code, status, endReason] of cases) {
    const end = endOfUnanswered(refused(code))
    assert.deepEqual([end.status, end.endReason, end.sipCode, end.endDetail], [status, endReason, code, 'words'])
  }
})

test('no answer, unreachable and canceled are distinguished', () => {
  assert.equal(endOfUnanswered({ by: 'system', why: 'ring-timeout' }).status, 'no_answer')
  assert.equal(endOfUnanswered({ by: 'system', why: 'unreachable' }).endReason, 'trunk_unavailable')
  assert.equal(endOfUnanswered({ by: 'local', why: 'canceled' }).status, 'canceled')
})

test('another trunk is tried when this one failed, not when the called party refused', () => {
  for (const code of [500, 502, 503, 504, 401, 407, 408, 430, 488])
    assert.ok(isTrunkFailure(refused(code)), String(code))
  for (const code of [403, 404, 480, 486, 487, 600, 603]) assert.ok(!isTrunkFailure(refused(code)), String(code))
  assert.ok(isTrunkFailure({ by: 'system', why: 'unreachable' }))
  assert.ok(!isTrunkFailure({ by: 'system', why: 'ring-timeout' }))
})

test('an answered call ends by either side, or is lost', () => {
  assert.deepEqual(endOfAnswered({ by: 'remote', why: 'bye' }), {
    status: 'completed',
    endReason: 'caller_hangup',
    hangupBy: 'caller',
  })
  assert.equal(endOfAnswered({ by: 'local', why: 'bye' }).hangupBy, 'agent')
  assert.equal(endOfAnswered({ by: 'system', why: 'lost' }).status, 'failed')
})

test('a caller who leaves before the answer counts as canceled', () => {
  assert.equal(endOfAbandoned({ by: 'remote', why: 'canceled', status: 487 }).status, 'canceled')
  assert.equal(endOfAbandoned({ by: 'system', why: 'lost' }).status, 'failed')
})
