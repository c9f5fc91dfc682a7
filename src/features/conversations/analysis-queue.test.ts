// The analysis queue: claims, releases, retries, and what queues an analysis.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atEnd, testConfig } from '../../../test/app.ts'
import { aCall, putConversation } from '../../../test/call-rows.ts'
import { openDatabase } from '../../db/database.ts'
import { agentStore } from '../agents/store.ts'
import { callStore } from '../calls/store.ts'
import { userStore } from '../users/store.ts'
import { analysisQueue } from './analysis-queue.ts'
import { conversationStore } from './store.ts'

const database = await openDatabase((await testConfig()).database, () => {})
atEnd(() => database.close())
const { db } = database
const queue = analysisQueue(db)
const conversations = conversationStore(db)
const { id: userId } = await userStore(db).create('ana')
const agentWith = async (settings: object | null) =>
  (await agentStore(db).create(userId, { name: 'a', systemPrompt: 'x', settings: settings as never })).id
const agentId = await agentWith(null)
const findings = {
  summary: 'x',
  success: null,
  successReason: null,
  fields: null,
  by: 'm',
  at: '2026-01-01T00:00:00.000Z',
}
const pending = { userId, agentId, status: 'ended', analysisStatus: 'pending' } as const
const early = '2026-01-01T00:00:00.000Z'
const statusOf = async (id: string) => (await conversations.get(userId, id)).analysisStatus
const clear = () => db.updateTable('conversations').set({ analysisStatus: null }).execute()

test('due analyses are claimed by one worker each, the longest waiting first', async () => {
  await clear()
  const [second, first] = [
    await putConversation(db, { ...pending, analysisDueAt: '2026-01-02T00:00:00.000Z' }),
    await putConversation(db, { ...pending, analysisDueAt: early }),
  ]
  await putConversation(db, { ...pending, analysisDueAt: '2999-01-01T00:00:00.000Z' })
  await putConversation(db, { userId, agentId, status: 'ended', endedAt: early }) // from before analyses existed
  const job = await queue.claim()
  assert.deepEqual([job?.id, job?.tries, job?.agentId], [first.id, 1, agentId])
  assert.equal(await statusOf(first.id), 'processing')
  assert.equal((await queue.claim())?.id, second.id)
  assert.equal(await queue.claim(), undefined)

  await clear()
  const many = await Promise.all(
    Array.from({ length: 8 }, () => putConversation(db, { ...pending, analysisDueAt: early })),
  )
  const taken: string[] = []
  const worker = async () => {
    for (let idle = 0; idle < 20; ) {
      const one = await queue.claim()
      if (one) taken.push(one.id)
      else idle++
    }
  }
  await Promise.all([worker(), worker(), worker()])
  assert.deepEqual(taken.toSorted(), many.map(({ id }) => id).toSorted())
})

test('the analysis of a crashed process is claimed again, and the previous holder can no longer write', async () => {
  await clear()
  const { id } = await putConversation(db, { ...pending, analysisDueAt: early })
  const dying = analysisQueue(db, -1000) // its lease expires at once
  const lost = await dying.claim()
  assert.ok(lost)
  const job = await queue.claim()
  assert.deepEqual([job?.id, job?.tries], [id, 2])
  await dying.complete(lost, { ...findings, summary: 'late' })
  assert.equal(await statusOf(id), 'processing')
  if (job) await queue.complete(job, findings)
  const { analysis, analysisStatus } = await conversations.get(userId, id)
  assert.deepEqual([analysis, analysisStatus], [findings, 'done'])
  assert.equal(await queue.claim(), undefined)
})

test('a failed analysis waits before its retry; a released one does not, and its attempt does not count', async () => {
  await clear()
  const { id } = await putConversation(db, { ...pending, analysisDueAt: early })
  const first = await queue.claim()
  assert.ok(first)
  await queue.release(first)
  const second = await queue.claim()
  assert.deepEqual([second?.id, second?.tries], [id, 1])
  if (second) await queue.retry(second, 60_000)
  assert.equal(await statusOf(id), 'pending')
  assert.equal(await queue.claim(), undefined)
})

test('every way in which a call ends queues its conversation for analysis', async () => {
  await clear()
  const calls = callStore(db)
  const talk = async (leaseUntil: string) => {
    const { id } = await putConversation(db, { userId, agentId })
    const call = aCall({ userId, agentId, status: 'in_progress', conversationId: id, leaseUntil })
    await db.insertInto('calls').values(call).execute()
    return { id, callId: call.id }
  }
  const later = new Date(Date.now() + 60_000).toISOString()
  const [finished, canceled, orphan] = [await talk(later), await talk(later), await talk(early)]
  await calls.finish(finished.callId, { status: 'completed', endReason: 'caller_hangup' })
  await calls.cancel(canceled.callId)
  await calls.closeOrphans()
  for (const { id } of [finished, canceled, orphan]) assert.equal(await statusOf(id), 'pending')
  assert.ok(await queue.claim())
})

test('a chat conversation is analysed only where its agent asks for it', async () => {
  for (const [analysis, status] of [
    [null, 'skipped'],
    [{ summary: false }, 'skipped'],
    [{}, 'skipped'],
    [{ summary: true }, 'pending'],
    [{ summary: false, success: 'It went well' }, 'pending'],
    [{ fields: { type: 'object' } }, 'pending'],
  ] as const) {
    const conversation = await conversations.start(userId, { agentId: await agentWith(analysis && { analysis }) })
    assert.equal(conversation.analysisStatus, null)
    assert.equal((await conversations.end(userId, conversation.id)).analysisStatus, status)
  }
})
