// What the end of a call means for its attempt, case by case.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EndedCall, hasNoRoute, outcomeOf } from './outcome.ts'

const at = '2026-11-16T12:00:00.000Z'
const unplaced: EndedCall = {
  status: 'failed',
  endReason: 'sip_error',
  endDetail: null,
  sipCode: null,
  answeredBy: null,
  answeredAt: null,
  trunkId: null,
  deviceId: null,
}
const placed: EndedCall = { ...unplaced, trunkId: 'trk_1' }
const answered: EndedCall = { ...placed, status: 'completed', endReason: 'agent_ended', answeredAt: at }

const cases: readonly (readonly [string, Partial<EndedCall>, EndedCall, string])[] = [
  ['a person answered', { answeredBy: 'human' }, answered, 'ended answered'],
  ['nobody knows who answered', {}, answered, 'ended answered'],
  ['who answered stayed in doubt', { answeredBy: 'unknown' }, answered, 'ended answered'],
  ['a gateway answered, and then it was busy', { endReason: 'busy' }, answered, 'ended busy'],
  ['a fax machine answered', { endReason: 'fax' }, answered, 'ended invalid_number'],
  ['SIT was played', { endReason: 'number_not_in_service' }, answered, 'ended invalid_number'],
  ['a machine answered', { answeredBy: 'machine' }, answered, 'ended voicemail'],
  ['it hung up at the beep', { endReason: 'voicemail' }, answered, 'ended voicemail'],
  ['the node died while they talked', { status: 'failed', endReason: 'orphaned' }, answered, 'ended answered'],
  ['the model failed while they talked', { status: 'failed', endReason: 'llm_error' }, answered, 'ended answered'],
  ['busy', { status: 'busy', endReason: 'busy', sipCode: 486 }, placed, 'ended busy'],
  ['it rang', { status: 'no_answer', endReason: 'no_answer' }, placed, 'ended no_answer'],
  ['408', { status: 'no_answer', endReason: 'no_answer', sipCode: 408 }, placed, 'ended no_answer'],
  ['480', { status: 'no_answer', endReason: 'no_answer', sipCode: 480 }, placed, 'ended unreachable'],
  ['404', { endReason: 'invalid_number', sipCode: 404 }, placed, 'ended invalid_number'],
  ['603', { endReason: 'rejected', sipCode: 603 }, placed, 'ended rejected'],
  ['503', { endReason: 'sip_error', sipCode: 503 }, placed, 'ended failed'],
  ['the trunk is gone', { endReason: 'trunk_unavailable' }, placed, 'ended failed'],
  ['hung up while it rang', { status: 'canceled', endReason: 'canceled_by_api' }, placed, 'ended no_answer'],
  ['the node died after the INVITE', { endReason: 'orphaned' }, placed, 'in_doubt null'],
  ['by a device', { endReason: 'orphaned' }, { ...unplaced, deviceId: 'dev_1' }, 'in_doubt null'],
  ['the node died before it', { endReason: 'orphaned' }, unplaced, 'withdrawn not_sent'],
  ['hung up in the queue', { status: 'canceled', endReason: 'canceled_by_api' }, unplaced, 'withdrawn not_sent'],
  ['shut down in the queue', { endReason: 'node_shutdown' }, unplaced, 'withdrawn not_sent'],
  ['no line was free', { endReason: 'concurrency_limit' }, unplaced, 'withdrawn not_sent'],
  ['no route', { endReason: 'trunk_unavailable' }, unplaced, 'withdrawn failed'],
  ['the agent is off', { endReason: 'agent_inactive' }, unplaced, 'withdrawn failed'],
]

for (const [name, change, base, expected] of cases)
  test(`${name}: ${expected}`, () => {
    const { status, outcome } = outcomeOf({ ...base, ...change })
    assert.equal(`${status} ${outcome}`, expected)
    assert.equal(hasNoRoute({ status, outcome, detail: null }), expected === 'withdrawn failed')
  })

test('a deleted call leaves its attempt in doubt', () => {
  assert.equal(outcomeOf(undefined).status, 'in_doubt')
})
