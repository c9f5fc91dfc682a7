// Call leases of a node that crashed or renewed late: two nodes on one database. No app runs, because its jobs would
// close the calls too.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aNumber, anAgent, atEnd, testConfig } from '../../../test/app.ts'
import { goingOn, putCall, putConversation } from '../../../test/call-rows.ts'
import { openDatabase } from '../../db/database.ts'
import { agentStore } from '../agents/store.ts'
import { userStore } from '../users/store.ts'
import { callLifecycle } from './lifecycle-store.ts'
import { callStore } from './store.ts'

const PAST = '2020-01-01T00:00:00.000Z'
const ago = (ms: number) => new Date(Date.now() - ms).toISOString()
const attempt = { trunkId: 'tru_a', deviceId: null, fromNumber: null, channel: 'sip' } as const

const database = await openDatabase((await testConfig({}, { isMigrated: true })).database, () => {})
atEnd(() => database.close())
const { db } = database

async function nodes() {
  const { id: userId } = await userStore(db).create('ana')
  const { id: agentId } = await agentStore(db).create(userId, anAgent)
  const owner = { userId, agentId }
  const order = { agentId, toNumber: aNumber(), deviceTokens: null, variables: null, metadata: null }
  const node = (name: string) => ({ calls: callStore(db, name), course: callLifecycle(db, name) })
  const row = (id: string) => db.selectFrom('calls').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const expire = (id: string, leaseUntil = ago(1000)) =>
    db.updateTable('calls').set({ leaseUntil }).where('id', '=', id).execute()
  return { owner, order, one: node('one'), two: node('two'), row, expire }
}

test('a queued call of a crashed node is adopted by one other node, and dialled only there', async () => {
  const { owner, order, one, two, row, expire } = await nodes()
  const { id } = await one.calls.createOutbound(owner.userId, order)
  const taken = async () => (await two.calls.takeWaiting()).filter((call) => call.id === id).length
  assert.equal(await taken(), 0, 'its node is alive')
  await expire(id)
  assert.equal(await taken(), 1)
  assert.equal(await taken(), 0, 'once')
  assert.equal((await row(id)).nodeId, 'two')
  // The first node was only slow; it learns that it no longer owns the call.
  assert.deepEqual(await one.calls.renewLeases([id]), [id])
  assert.equal(await one.course.placed(id, attempt), false)
  assert.equal(await one.calls.finish(id, { status: 'canceled', endReason: 'canceled_by_api' }), false)
  assert.equal(await two.course.placed(id, attempt), true)
  assert.deepEqual(await two.calls.renewLeases([id]), [])
})

test('a call whose lease was renewed is neither adopted nor closed by another node', async () => {
  const { owner, order, one, two, row, expire } = await nodes()
  const waiting = (await one.calls.createOutbound(owner.userId, order)).id
  const talking = (await putCall(db, { ...owner, ...goingOn, nodeId: 'one' })).id
  for (const id of [waiting, talking]) await expire(id)
  assert.deepEqual(await one.calls.renewLeases([waiting, talking]), [])
  assert.ok(!(await two.calls.takeWaiting()).some(({ id }) => id === waiting))
  await two.calls.closeOrphans()
  assert.deepEqual([(await row(waiting)).status, (await row(talking)).status], ['initiating', 'in_progress'])
})

test('a call for which anything was sent is never dialled again: it is closed', async () => {
  const { owner, order, one, two, row, expire } = await nodes()
  const { id } = await one.calls.createOutbound(owner.userId, order)
  assert.equal(await one.course.placed(id, attempt), true)
  await expire(id)
  assert.deepEqual(
    (await two.calls.takeWaiting()).filter((call) => call.id === id),
    [],
  )
  await two.calls.closeOrphans()
  assert.equal((await row(id)).endReason, 'orphaned')
})

test('a queued call orphaned long ago is closed, not dialled late', async () => {
  const { owner, order, one, two, row, expire } = await nodes()
  const { id } = await one.calls.createOutbound(owner.userId, order)
  await expire(id, ago(3_600_000))
  assert.deepEqual(
    (await two.calls.takeWaiting()).filter((call) => call.id === id),
    [],
  )
  await two.calls.closeOrphans()
  assert.equal((await row(id)).endReason, 'orphaned')
})

test('a node neither closes nor adopts its own calls, however late their leases are', async () => {
  const { owner, order, one, row } = await nodes()
  const waiting = (await one.calls.createOutbound(owner.userId, order)).id
  const talking = (await putCall(db, { ...owner, ...goingOn, nodeId: 'one', leaseUntil: PAST })).id
  const left = (await putCall(db, { ...owner, ...goingOn, nodeId: 'one', leaseUntil: PAST })).id
  const own = new Set([waiting, talking])
  await db
    .updateTable('calls')
    .set({ leaseUntil: ago(1000) })
    .where('id', '=', waiting)
    .execute()
  assert.deepEqual(
    (await one.calls.takeWaiting(own)).filter(({ id }) => own.has(id)),
    [],
  )
  await one.calls.closeOrphans(own)
  assert.equal((await row(talking)).status, 'in_progress')
  assert.equal((await row(left)).endReason, 'orphaned', 'one that it does not run is')
  assert.deepEqual(await one.calls.renewLeases([...own]), [])
})

test('an orphaned call ended when its lease expired, but not before its last message', async () => {
  const { owner, two, row } = await nodes()
  const leaseUntil = ago(4 * 3_600_000)
  const startedAt = ago(5 * 3_600_000)
  const quiet = (await putCall(db, { ...owner, ...goingOn, startedAt, leaseUntil })).id
  const lastMessageAt = ago(3_600_000)
  const { id: conversationId } = await putConversation(db, { ...owner, startedAt, lastMessageAt })
  const talked = (await putCall(db, { ...owner, ...goingOn, startedAt, leaseUntil, conversationId })).id
  await two.calls.closeOrphans()
  assert.equal((await row(quiet)).endedAt, leaseUntil)
  assert.equal((await row(talked)).endedAt, lastMessageAt)
})

test('a node that has just started closes the calls of its earlier process only', async () => {
  const { owner, two, row } = await nodes()
  const left = { ...owner, ...goingOn, leaseUntil: ago(1000) }
  const { id: own } = await putCall(db, { ...left, nodeId: 'two' })
  const { id: other } = await putCall(db, { ...left, nodeId: 'one' })
  await two.calls.closeOrphans(new Set(), { ofThisNode: true })
  assert.deepEqual([(await row(own)).endReason, (await row(other)).status], ['orphaned', 'in_progress'])
  await two.calls.closeOrphans()
  assert.equal((await row(other)).endReason, 'orphaned')
})

test('a lease too far in the future, as after a clock step back, does not keep an orphaned call alive', async () => {
  const { owner, two, row } = await nodes()
  const stuck = { ...owner, ...goingOn, leaseUntil: ago(-3_600_000) }
  const { id } = await putCall(db, stuck)
  const { id: alive } = await putCall(db, { ...owner, ...goingOn })
  await two.calls.closeOrphans()
  assert.equal((await row(id)).endReason, 'orphaned')
  assert.equal((await row(alive)).status, 'in_progress')
})

test('a call whose agent was deleted before the answer is distinguished from one that was hung up', async () => {
  const { owner, one } = await nodes()
  const inbound = { ...owner, fromNumber: null, toNumber: aNumber(), trunkId: null, deviceId: null }
  const gone = await one.course.begin(inbound)
  await db.updateTable('calls').set({ agentId: null }).where('id', '=', gone.id).execute()
  assert.deepEqual(await one.course.answered(gone.id), { problem: 'agent_gone' })
  const canceled = await one.course.begin(inbound)
  await one.calls.cancel(canceled.id)
  assert.equal(await one.course.answered(canceled.id), undefined)
  const answered = await one.course.answered((await one.course.begin(inbound)).id)
  assert.ok(answered && 'conversationId' in answered)
})

test('a queued call that is given to a node is taken by that node alone, and by any other once that node does not take it', async () => {
  const { owner, order, one, two, row, expire } = await nodes()
  const three = callStore(db, 'three')
  const { id } = await one.calls.createOutbound(owner.userId, order)
  assert.equal(await two.calls.give(id, 'three'), false, 'only its own node gives it away')
  assert.equal(await one.calls.give(id, 'two'), true)
  assert.equal(await one.course.placed(id, attempt), false, 'its first node dials it no more')
  const takes = async (calls: typeof three, others: string[]) =>
    (await calls.takeWaiting(new Set(), others)).some((call) => call.id === id)
  assert.equal(await takes(three, ['one', 'two']), false)
  assert.equal(await takes(two.calls, ['one', 'three']), true)
  assert.equal((await row(id)).nodeId, 'two')
  assert.equal(await two.calls.give(id, 'one'), true)
  await expire(id, ago(11_000))
  assert.equal(await takes(three, ['one', 'two']), true, 'it was not taken in time')
  assert.equal(await three.give(id, 'two'), true)
  assert.equal(await takes(one.calls, ['three']), true, 'its node is dead')
  await one.course.placed(id, attempt)
  assert.equal(await one.calls.give(id, 'two'), false, 'a call for which anything was sent stays')
})
