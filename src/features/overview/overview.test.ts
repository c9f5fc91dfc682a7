// GET /api/overview: what is counted, in which time zone, and which setup steps remain.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aNumber, anAgent, assertError, type Client, startTestApp, testApp } from '../../../test/app.ts'
import { goingOn, putCall } from '../../../test/call-rows.ts'
import { nodeRows } from '../../db/nodes.ts'
import { dbTime } from '../../db/time.ts'
import { callTurns } from '../calls/turn-store.ts'
import type { ServiceNode, SetupStep } from './schema.ts'
import { overviewStore } from './store.ts'

/** A time zone where it is about noon, so that no test runs across midnight. */
const noonZone = () => {
  const ahead = 12 - new Date().getUTCHours()
  return ahead === 0 ? 'Etc/GMT' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
}
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
const get = async (client: Client) =>
  (await client.get(`/api/overview?timeZone=${encodeURIComponent(noonZone())}`)).json

async function withAgent() {
  const { ana, bia, database } = await testApp()
  const { id: agentId } = (await ana.post('/api/agents', anAgent)).json
  return { ana, bia, db: database.db, agentId, owner: { userId: ana.userId, agentId } }
}

test('a new user sees zeros, fourteen days, and the steps to take', async () => {
  const { ana } = await testApp()
  const seen = await get(ana)
  assert.equal(seen.callsNow, 0)
  assert.equal(seen.waitingCalls, 0)
  const nothing = { calls: 0, answered: 0, failed: 0, minutes: 0, averageSeconds: null, medianResponseMs: null }
  assert.deepEqual(seen.today, nothing)
  assert.deepEqual(seen.yesterday, { calls: 0, answered: 0, minutes: 0, medianResponseMs: null })
  assert.equal(seen.days.length, 14)
  assert.deepEqual(
    [...seen.days].sort((a, b) => (a.date < b.date ? -1 : 1)),
    seen.days,
  )
  assert.deepEqual(
    seen.setup.map((step: SetupStep) => [step.step, step.isDone]),
    ['agent', 'voice', 'model', 'phone', 'number', 'call'].map((step) => [step, false]),
  )
})

test("calls are counted on the day they started, and only the user's own", async () => {
  const { ana, bia, db, owner } = await withAgent()
  await putCall(db, { ...owner, startedAt: hoursAgo(1) })
  await putCall(db, { ...owner, startedAt: hoursAgo(2), status: 'failed', answeredAt: null })
  await putCall(db, { ...owner, startedAt: hoursAgo(3), status: 'busy', answeredAt: null })
  const threeMinutes = { answeredAt: hoursAgo(26), endedAt: hoursAgo(25.95) }
  await putCall(db, { ...owner, startedAt: hoursAgo(26), ...threeMinutes })
  const overAnHour = { startedAt: hoursAgo(24 * 13), answeredAt: hoursAgo(24 * 13), endedAt: hoursAgo(24 * 13 - 30) }
  await putCall(db, { ...owner, ...overAnHour })
  await putCall(db, { ...owner, startedAt: hoursAgo(24 * 15) })
  const { today, days } = await get(ana)
  const counted = { calls: 3, answered: 1, failed: 1, minutes: 0.5, averageSeconds: 30, medianResponseMs: null }
  assert.deepEqual(today, counted)
  const { date, ...last } = days[13]
  const none = { failed: 0, busy: 0, unanswered: 0 }
  assert.deepEqual(last, {
    calls: 3,
    answered: 1,
    minutes: 0.5,
    medianResponseMs: null,
    notAnswered: { failed: 1, busy: 1, unanswered: 0 },
  })
  assert.match(date, /^\d{4}-\d\d-\d\d$/)
  assert.deepEqual(
    { ...days[12], date: '' },
    {
      date: '',
      calls: 1,
      answered: 1,
      minutes: 3,
      medianResponseMs: null,
      notAnswered: none,
    },
  )
  assert.deepEqual(
    { ...days[0], date: '' },
    {
      date: '',
      calls: 1,
      answered: 1,
      minutes: 1800,
      medianResponseMs: null,
      notAnswered: none,
    },
  )
  assert.equal(
    days.reduce((sum: number, day: { calls: number }) => sum + day.calls, 0),
    5,
  )
  assert.equal((await get(bia)).today.calls, 0)
})

test('calls without an answer are told apart by reason; live ones and failures during a call are none of them', async () => {
  const { ana, db, owner } = await withAgent()
  const at = { startedAt: hoursAgo(1) }
  for (const status of ['failed', 'busy', 'no_answer', 'no_answer', 'canceled'] as const)
    await putCall(db, { ...owner, ...at, status, answeredAt: null })
  await putCall(db, { ...owner, ...at, status: 'failed' })
  await putCall(db, { ...owner, ...goingOn, ...at, status: 'ringing', answeredAt: null })
  const { days, today } = await get(ana)
  assert.deepEqual(days[13].notAnswered, { failed: 1, busy: 1, unanswered: 3 })
  assert.equal(days[13].answered, 1)
  assert.equal(today.failed, 2)
})

test('yesterday is counted up to the same time of day, in the time zone of the user', async () => {
  const { ana, bia, db, owner } = await withAgent()
  const put = (hours: number) => {
    const startedAt = hoursAgo(hours)
    return putCall(db, { ...owner, startedAt, answeredAt: startedAt, endedAt: hoursAgo(hours - 0.05) })
  }
  // It is about noon: 23 hours ago has a later time of day than now, 25 hours ago an earlier one.
  const late = await put(23)
  const early = await put(25)
  const turns = (totalMs: number) => [{ latency: { totalMs } }] as never
  await callTurns(db).save(late.id, turns(5000))
  await callTurns(db).save(early.id, turns(700))
  const { yesterday, days } = await get(ana)
  assert.deepEqual(yesterday, { calls: 1, answered: 1, minutes: 3, medianResponseMs: 700 })
  assert.deepEqual([days[12].calls, days[12].medianResponseMs], [2, 700])
  assert.equal((await get(bia)).yesterday.calls, 0)
})

test('test calls are left out of the figures of the days and of the agents', async () => {
  const { ana, db, agentId, owner } = await withAgent()
  const put = async (isTest: 0 | 1, totalMs: number) => {
    const { id } = await putCall(db, { ...owner, startedAt: hoursAgo(1), isTest })
    await callTurns(db).save(id, [{ latency: { totalMs } }] as never)
  }
  await put(1, 9000)
  const empty = await get(ana)
  assert.deepEqual([empty.today.calls, empty.days[13].calls, empty.today.medianResponseMs], [0, 0, null])
  assert.deepEqual((await ana.get('/api/overview/agents')).json, [])
  await put(0, 700)
  const { today, days, setup } = await get(ana)
  assert.deepEqual([today.calls, days[13].calls, today.medianResponseMs], [1, 1, 700])
  assert.deepEqual(
    (await ana.get('/api/overview/agents')).json.map((one: { calls: number }) => one.calls),
    [1],
  )
  assert.ok(setup.find((step: SetupStep) => step.step === 'call').isDone)
  assert.equal((await ana.get(`/api/calls/count?agentId=${agentId}`)).json.count, 2)
})

test('live calls and waiting calls are counted separately', async () => {
  const { ana, db, owner } = await withAgent()
  const begun = { ...owner, ...goingOn, startedAt: hoursAgo(0.1), answeredAt: hoursAgo(0.1) }
  await putCall(db, { ...begun, direction: 'inbound' })
  await putCall(db, { ...begun, status: 'ringing', answeredAt: null })
  await putCall(db, { ...begun, status: 'initiating', answeredAt: null })
  const { callsNow, waitingCalls, today } = await get(ana)
  assert.deepEqual([callsNow, waitingCalls], [2, 1])
  assert.ok(today.minutes >= 6 && today.minutes < 8, `${today.minutes} minutes until now`)
})

test("the median is that of today's response times, the lower of the two middle ones", async () => {
  const { ana, db, owner } = await withAgent()
  const turns = (...times: (number | null)[]) => times.map((totalMs) => ({ latency: { totalMs } })) as never
  const put = async (startedAt: string, ...times: (number | null)[]) =>
    callTurns(db).save((await putCall(db, { ...owner, startedAt })).id, turns(...times))
  await put(hoursAgo(1), 900, null, 700)
  await put(hoursAgo(2), 800, 2000)
  await put(hoursAgo(30), 1, 1, 1, 1, 1, 1, 1)
  assert.equal((await get(ana)).today.medianResponseMs, 800)
})

test('each step is done once its requirement exists', async () => {
  const { ana, db, agentId, owner } = await withAgent()
  const done = async () =>
    (await get(ana)).setup.filter((step: SetupStep) => step.isDone).map((step: SetupStep) => step.step)
  assert.deepEqual(await done(), ['agent'])
  const number = { phoneNumber: aNumber(), countryCode: '55' }
  const did = (await ana.post('/api/did', number)).json
  assert.deepEqual(await done(), ['agent'])
  await ana.patch(`/api/did/${did.id}`, { agentId })
  await putCall(db, owner)
  assert.deepEqual(await done(), ['agent', 'number', 'call'])
})

test('a reachable trunk counts as a way to call, like a connected device; so does each route to an agent', async () => {
  const { ana, database } = await testApp()
  const { db } = database
  const { id: agentId } = (await ana.post('/api/agents', anAgent)).json
  const things = async () => overviewStore(db).things(ana.userId)
  assert.deepEqual(await things(), { agent: true, way: false, number: false, call: false })
  const trunk = (await ana.post('/api/trunks', { name: 'Carrier', host: 'sip.example.com' })).json
  assert.equal((await things()).way, false)
  await db.updateTable('trunks').set({ status: 'registered' }).where('id', '=', trunk.id).execute()
  assert.equal((await things()).way, true)
  await db.updateTable('trunks').set({ status: 'unreachable' }).where('id', '=', trunk.id).execute()
  const device = (await ana.post('/api/gateway/devices', { name: 'Desk' })).json
  assert.deepEqual(await things(), { agent: true, way: false, number: false, call: false })
  await db.updateTable('devices').set({ status: 'connected' }).where('id', '=', device.id).execute()
  assert.equal((await things()).way, true)
  await ana.patch(`/api/gateway/devices/${device.id}`, { agentId })
  assert.equal((await things()).number, true)
  await ana.patch(`/api/gateway/devices/${device.id}`, { agentId: null })
  assert.equal((await things()).number, false)
  await ana.post(`/api/agents/${agentId}/link-trunk`, { trunkId: trunk.id, trunkType: 'inbound' })
  assert.equal((await things()).number, true)
})

test('the time zone must exist, and defaults to UTC', async () => {
  const { ana } = await testApp()
  assertError(await ana.get('/api/overview?timeZone=Mars/Base'), 400, /timeZone must be the name of a time zone/)
  assertError(await ana.get(`/api/overview?timeZone=${'x'.repeat(65)}`), 400)
  const today = new Date().toISOString().slice(0, 10)
  const { date } = (await ana.get('/api/overview')).json.days[13]
  assert.ok(date === today || date === new Date().toISOString().slice(0, 10))
})

test('administrators see the nodes with their load and state; members see none', async () => {
  const base = await startTestApp({ NODE_NAME: 'ramal-1' })
  const { db } = base.database
  const others = ['ramal-2', 'ramal-3'].map((name) => nodeRows(db, { name, release: '9.9.9' }))
  const load = { calls: 7, maxCalls: 100, busy: 0.254, address: null, isDraining: true }
  for (const node of others) await node.enter(load)
  await db
    .updateTable('nodes')
    .set({ leaseUntil: dbTime(db, -1) })
    .where('name', '=', 'ramal-3')
    .execute()
  const admin = await base.newUser('root', 'admin')
  const seen = (await get(admin)).nodes.map(({ startedAt, ...node }: ServiceNode) => node)
  assert.deepEqual(seen.slice(1), [
    { name: 'ramal-2', state: 'draining', calls: 7, maxCalls: 100, cpuPercent: 25, version: '9.9.9' },
    { name: 'ramal-3', state: 'down', calls: 0, maxCalls: 100, cpuPercent: 0, version: '9.9.9' },
  ])
  const { name, state, calls, maxCalls } = seen[0]
  assert.deepEqual({ name, state, calls, maxCalls }, { name: 'ramal-1', state: 'up', calls: 0, maxCalls: null })
  assert.deepEqual((await get(await base.newUser('m', 'member'))).nodes, [])
})
