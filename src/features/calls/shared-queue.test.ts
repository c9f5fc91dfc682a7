// The dial queues of two nodes on one real PostgreSQL: their pace, and how many calls may wait.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { aNumber, anAgent, assertError, atEnd, newPostgresDatabase, startTestApp } from '../../../test/app.ts'
import { until } from '../../../test/until.ts'
import { openDatabase } from '../../db/database.ts'
import { PERMIT_LEAD_MS, takePermit } from '../../db/pace.ts'
import type { CallRow } from '../../db/tables.ts'
import { dbTime } from '../../db/time.ts'
import { dialQueue, type SharedQueue } from './dial-queue.ts'

const url = await newPostgresDatabase({ isMigrated: true })
const { db, close } = await openDatabase({ kind: 'postgres', url }, () => {})
atEnd(close)
const log = pino({ level: 'silent' })

/** Records the permits of `paces` as they are taken, with the time of each by the database clock. */
function recorded() {
  const times: number[] = []
  const shared: SharedQueue = {
    async takePermit(userId, gapMs) {
      const permit = await takePermit(db, { name: `dial:${userId}`, gapMs })
      if (permit.isTaken) {
        const row = db.selectFrom('paces').select('nextAt').where('name', '=', `dial:${userId}`)
        times.push(Date.parse((await row.executeTakeFirstOrThrow()).nextAt))
      }
      return permit
    },
    leadMs: PERMIT_LEAD_MS,
    countWaiting: async () => 0,
  }
  return { times, shared }
}

test('127 the calls of two nodes keep the pace of their user together, each node in its order', async () => {
  const dialed: string[] = []
  const dial = async (call: CallRow) => void dialed.push(call.id)
  const { times, shared } = recorded()
  const newQueue = () => dialQueue({ dial, perSecond: 20, maxWaiting: 100, shared, log })
  const queues = [newQueue(), newQueue()]
  const ids = (node: number) => Array.from({ length: 8 }, (_, i) => `${node}-${i}`)
  for (const [node, queue] of queues.entries())
    for (const id of ids(node)) await queue.add('usr_pace', async () => ({ id, userId: 'usr_pace' }) as CallRow)
  await until('all were dialled', () => dialed.length === 16)
  for (const node of [0, 1])
    assert.deepEqual(
      dialed.filter((id) => id.startsWith(`${node}-`)),
      ids(node),
    )
  const sorted = times.toSorted((a, b) => a - b)
  // The other node may have advanced the row before it was read, which shows the same time twice.
  const distinct = [...new Set(sorted)]
  for (const [i, at] of distinct.entries())
    assert.ok(i === 0 || at - (distinct[i - 1] as number) >= 49, 'no two permits are closer than the gap')
  assert.ok((distinct.at(-1) as number) - (distinct[0] as number) >= (distinct.length - 1) * 49)
})

test('127 parallel requests for a permit get one', async () => {
  const begin = performance.now()
  const results = await Promise.all(
    Array.from({ length: 20 }, () => takePermit(db, { name: 'dial:usr_one', gapMs: 60_000 })),
  )
  const tookMs = Math.ceil(performance.now() - begin)
  assert.equal(results.filter(({ isTaken }) => isTaken).length, 1)
  // Each wait counts from its own start, which may be before or after that of the node with the permit.
  const isNext = (waitMs: number) => Math.abs(waitMs - (60_000 - PERMIT_LEAD_MS)) <= tookMs + 1
  for (const { isTaken, waitMs } of results)
    assert.ok(isTaken ? waitMs === 0 : isNext(waitMs), `${isTaken} ${waitMs} after ${tookMs} ms`)
})

test('127 a pace from before the clock was set back does not hold calls back', async () => {
  const nextAt = dbTime(db, 3_600_000)
  await db.insertInto('paces').values({ name: 'dial:usr_back', nextAt }).execute()
  const pace = { name: 'dial:usr_back', gapMs: 60_000 }
  assert.deepEqual(await takePermit(db, pace), { isTaken: true, waitMs: 0 })
  const { isTaken, waitMs } = await takePermit(db, pace)
  assert.ok(!isTaken && waitMs <= 60_000)
})

test('127 two nodes that accept calls in parallel never let more wait than MAX_WAITING_CALLS', async () => {
  const shared = { DATABASE_URL: await newPostgresDatabase({ isMigrated: true }), MASTER_KEY: 'm'.repeat(32) }
  const env = { ...shared, CALLS_PER_SECOND: '0.01', MAX_WAITING_CALLS: '5' }
  const [one, two] = [await startTestApp(env), await startTestApp(env)]
  const { ana } = one
  const agentId = (await ana.post('/api/agents', anAgent)).json.id
  const payload = () => JSON.stringify({ agentId, toNumber: aNumber() })
  const headers = { 'x-api-key': ana.key, 'content-type': 'application/json' }
  const order = ({ anonymous }: typeof one) =>
    anonymous({ method: 'POST', url: '/api/calls/outbound', headers, payload: payload() })
  const active = async () => (await ana.get('/api/calls/outbound/active')).json
  const first = await order(two)
  await until('the permit is used up', async () => (await active()).length === 0)
  const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => order(i % 2 === 0 ? one : two)))
  assert.equal(answers.filter(({ status }) => status === 201).length, 5)
  for (const answer of answers.filter(({ status }) => status !== 201)) assertError(answer, 429)
  const waiting = await active()
  assert.equal(waiting.length, 5, 'the pace of the other node holds for both')
  assert.ok(waiting.every((call: { callId: string }) => call.callId !== first.json.callId))
  await ana.post(`/api/calls/${waiting[0].callId}/hangup`)
  // The other node may hold it: if the command between nodes is late, the call ends when its lease is renewed.
  await until('the call is over', async () => (await active()).length === 4)
  assert.equal((await order(two)).status, 201, 'a call that was hung up makes room on every node')
  assertError(await order(one), 429)
})
