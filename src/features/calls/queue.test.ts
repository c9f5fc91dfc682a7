// @run gate-postgres
// @run rest-nodes
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aNumber, anAgent, assertError, atEnd, type Client, startTestApp, usesTwoNodes } from '../../../test/app.ts'
import { goingOn, putCall } from '../../../test/call-rows.ts'
import { until } from '../../../test/until.ts'
import { openDatabase } from '../../db/database.ts'

const url = '/api/calls/outbound'
const makeAgent = async (client: Client): Promise<string> => (await client.post('/api/agents', anAgent)).json.id
const active = async (client: Client) => (await client.get(`${url}/active`)).json
const idsOf = (calls: { callId: string }[]) => calls.map((call) => call.callId)

/** One call per hundred seconds: the first is dialed at once, all others wait longer than any test runs. */
const slow = { CALLS_PER_SECOND: '0.01' }

const start = (client: Client, agentId: string, more: object = {}) =>
  client.post(url, { toNumber: aNumber(), agentId, ...more })

/** Uses up the permit: from here on, calls wait. */
async function useTurn(client: Client, agentId: string): Promise<string> {
  const { json } = await start(client, agentId)
  await until('the first call was dialled', async () => (await client.get(`/api/calls/${json.callId}`)).json.endedAt)
  return json.callId
}

test('127, 128 above the calls per second, calls wait as `initiating` and are listed as active', async () => {
  const { ana, bia } = await startTestApp(slow)
  const agentId = await makeAgent(ana)
  const first = await useTurn(ana, agentId)
  const waiting: string[] = []
  for (let i = 0; i < 3; i++) {
    const { status, json } = await start(ana, agentId, { metadata: { i } })
    assert.equal(status, 201)
    assert.equal(json.status, 'initiating')
    waiting.unshift(json.callId)
  }
  const calls = await active(ana)
  assert.deepEqual(idsOf(calls), waiting, 'newest first, and without the call that has ended')
  assert.ok(!waiting.includes(first))
  for (const call of calls) {
    assert.equal(call.status, 'initiating')
    assert.equal(call.agentId, agentId)
    assert.equal(call.direction, 'outbound')
    assert.match(call.toNumber, /^\+55/)
    assert.equal(new Date(call.startedAt).toISOString(), call.startedAt)
    assert.equal('endedAt' in call || 'endReason' in call, false, 'it has no end')
  }
  assert.deepEqual(await active(bia), [])
})

test('127 each user has their own queue', async () => {
  const { ana, bia } = await startTestApp(slow)
  await useTurn(ana, await makeAgent(ana))
  await useTurn(bia, await makeAgent(bia))
})

test('127 queued calls are dialled in order', {
  skip: usesTwoNodes && 'each node keeps the order of its own queue',
}, async () => {
  const { ana } = await startTestApp({ CALLS_PER_SECOND: '20' })
  const agentId = await makeAgent(ana)
  const ids: string[] = []
  const begin = performance.now()
  for (let i = 0; i < 8; i++) ids.push((await start(ana, agentId)).json.callId)
  await until('all calls were dialled', async () => (await active(ana)).length === 0)
  assert.ok(performance.now() - begin >= 7 * 50 - 20, 'not faster than twenty a second')
  const { json: calls } = await ana.get('/api/calls')
  // Two calls may end within the same millisecond.
  type Ended = { id: string; endedAt: string }
  const inOrderOfEnd = calls.toSorted(
    (a: Ended, b: Ended) => a.endedAt.localeCompare(b.endedAt) || a.id.localeCompare(b.id),
  )
  assert.deepEqual(idsOf(inOrderOfEnd), ids)
})

test('127 only a full queue is a 429, which has Retry-After and stores nothing', async () => {
  const { ana, bia } = await startTestApp({ ...slow, MAX_WAITING_CALLS: '2' })
  const agentId = await makeAgent(ana)
  await useTurn(ana, agentId)
  for (let i = 0; i < 2; i++) assert.equal((await start(ana, agentId)).status, 201)
  for (const path of [url, '/api/gateway/calls/outbound']) {
    const full = await ana.post(path, { toNumber: aNumber(), agentId })
    assertError(full, 429)
    assert.match(String(full.headers['retry-after']), /^[1-9]\d*$/)
  }
  assert.equal((await ana.get('/api/calls')).json.length, 3)
  assert.equal((await start(bia, await makeAgent(bia))).status, 201, "one user's queue is not another's")
})

test('127 concurrent calls do not overfill the queue', async () => {
  const { ana } = await startTestApp({ ...slow, MAX_WAITING_CALLS: '5' })
  const agentId = await makeAgent(ana)
  await useTurn(ana, agentId)
  const answers = await Promise.all(Array.from({ length: 30 }, () => start(ana, agentId)))
  assert.equal(answers.filter((a) => a.status === 201).length, 5)
  assert.equal(answers.filter((a) => a.status === 429).length, 25)
  assert.equal((await active(ana)).length, 5)
})

test('127 a refused call frees its place in the queue', async () => {
  const { ana } = await startTestApp({ ...slow, MAX_WAITING_CALLS: '1' })
  const agentId = await makeAgent(ana)
  await useTurn(ana, agentId)
  for (let i = 0; i < 3; i++) assertError(await start(ana, 'agt_none'), 404)
  assert.equal((await start(ana, agentId)).status, 201)
  assertError(await start(ana, agentId), 429)
})

test('127, 137 hanging up a queued call cancels it and frees its place', async () => {
  const { ana, bia } = await startTestApp({ ...slow, MAX_WAITING_CALLS: '1' })
  const agentId = await makeAgent(ana)
  await useTurn(ana, agentId)
  const { callId } = (await start(ana, agentId)).json
  assertError(await start(ana, agentId), 429)
  assertError(await bia.post(`/api/calls/${callId}/hangup`), 404, 'Call not found')
  assertError(await ana.delete(`/api/calls/${callId}`), 409)
  const { status, json } = await ana.post(`/api/calls/${callId}/hangup`)
  assert.equal(status, 200)
  assert.deepEqual([json.status, json.endReason, json.callId], ['canceled', 'canceled_by_api', callId])
  assert.ok(json.endedAt >= json.startedAt)
  assertError(await ana.post(`/api/calls/${callId}/hangup`), 409)
  assert.deepEqual(await active(ana), [])
  assert.equal((await start(ana, agentId)).status, 201)
  assert.deepEqual((await ana.get(`/api/calls/${callId}`)).json, json)
})

test('137 of ten concurrent hang-ups one succeeds', async () => {
  const { ana } = await startTestApp(slow)
  const agentId = await makeAgent(ana)
  await useTurn(ana, agentId)
  const { callId } = (await start(ana, agentId)).json
  const answers = await Promise.all(Array.from({ length: 10 }, () => ana.post(`/api/calls/${callId}/hangup`)))
  assert.equal(answers.filter((a) => a.status === 200).length, 1)
  assert.equal(answers.filter((a) => a.status === 409).length, 9)
})

test('127 the lease of a queued call is renewed, so that no other process adopts it', async () => {
  const { ana, database } = await startTestApp(slow)
  const agentId = await makeAgent(ana)
  await useTurn(ana, agentId)
  const { callId } = (await start(ana, agentId)).json
  const lease = async () => {
    const row = database.db.selectFrom('calls').select('leaseUntil').where('id', '=', callId)
    return (await row.executeTakeFirstOrThrow()).leaseUntil
  }
  const first = await lease()
  await until('the lease was renewed', async () => (await lease()) > first)
  assert.equal((await active(ana))[0].status, 'initiating')
})

test('127 while the service drains, a new call is a 503 and queued calls go on', {
  skip: usesTwoNodes && 'only one node drains',
}, async () => {
  const { ana, app } = await startTestApp(slow)
  const agentId = await makeAgent(ana)
  await useTurn(ana, agentId)
  const { callId } = (await start(ana, agentId)).json
  assert.equal((await ana.post('/api/web-calls', { agentId })).status, 201)
  app.drain()
  for (const [path, body] of [
    [url, { toNumber: aNumber(), agentId }],
    ['/api/gateway/calls/outbound', { toNumber: aNumber(), agentId }],
    ['/api/web-calls', { agentId }],
  ] as const) {
    const refused = await ana.post(path, body)
    assertError(refused, 503, /shutting down/)
    assert.match(String(refused.headers['retry-after']), /^[1-9]\d*$/)
  }
  assert.deepEqual(idsOf(await active(ana)), [callId])
  assert.equal((await ana.get('/api/calls')).json.length, 2)
})

test('127 calls still queued when the service stops are ended with that reason', async () => {
  const { ana, nodes, config } = await startTestApp(slow)
  const agentId = await makeAgent(ana)
  await useTurn(ana, agentId)
  const { callId } = (await start(ana, agentId)).json
  for (const node of nodes) await node.close()
  const database = await openDatabase(config.database, () => {})
  atEnd(() => database.close())
  const call = database.db.selectFrom('calls').selectAll().where('id', '=', callId)
  const { status, endReason, endedAt } = await call.executeTakeFirstOrThrow()
  assert.deepEqual([status, endReason], ['failed', 'node_shutdown'])
  assert.notEqual(endedAt, null)
})

test('128 active calls are the outbound calls in progress, without ended and inbound ones', async () => {
  const { ana, database } = await startTestApp()
  const owner = { userId: ana.userId, agentId: await makeAgent(ana) }
  const { db } = database
  const live: string[] = []
  for (const [i, status] of (['initiating', 'ringing', 'in_progress'] as const).entries()) {
    const startedAt = new Date(Date.now() - 20_000 + i).toISOString()
    live.unshift((await putCall(db, { ...owner, ...goingOn, status, startedAt })).id)
  }
  await putCall(db, { ...owner, ...goingOn, direction: 'inbound' })
  for (const status of ['completed', 'failed', 'busy', 'no_answer', 'canceled'] as const)
    await putCall(db, { ...owner, status })
  const calls = await active(ana)
  assert.deepEqual(idsOf(calls), live)
  assert.deepEqual(
    calls.map((call: { status: string }) => call.status),
    ['in_progress', 'ringing', 'initiating'],
  )
  assert.ok(calls[0].durationSeconds >= 17, 'from the answer to now')
})
