// Calls of a process that is paused or whose clock changes: they continue, and their duration stays correct.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../../src/config/load.ts'
import { openDatabase } from '../../src/db/database.ts'
import { newPostgresDatabase, usesPostgres } from '../app.ts'
import { agentOnService, answeredCall, databaseOfRun, NUMBER, startPhoneService, talking } from '../phone-service.ts'
import { openByHand } from '../phones/by-hand.ts'
import { until } from '../until.ts'

const movedClock = { NODE_OPTIONS: `--import ${join(import.meta.dirname, '..', 'moved-clock.ts')}` }

for (const [how, stepMs] of [
  ['forwards', 3_600_000],
  ['backwards', -3_600_000],
] as const)
  test(`a system clock set ${how} by an hour neither ends a call nor changes its duration`, async (t) => {
    const service = await startPhoneService({
      ...(await databaseOfRun()),
      ...movedClock,
      CLOCK_STEP_MS: String(stepMs),
    })
    const { carrier, call, row } = await talking(t, service)
    const began = performance.now()
    service.process.kill('SIGUSR2')
    const heard = carrier.rtpPackets()
    // Spans several lease checks; 50 packets are one second.
    await until('it goes on', () => carrier.rtpPackets() > heard + 250, 20_000)
    assert.equal((await service.get(`/api/calls/${row.id}`)).status, 'in_progress')
    assert.equal((await call.bye()).status, 200)
    const end = await until('its end is written', async () => {
      const found = await service.get(`/api/calls/${row.id}`)
      return found.endedAt !== null && found
    })
    assert.equal(end.endReason, 'caller_hangup')
    const longest = (performance.now() - began) / 1000 + 60
    assert.ok(end.durationSeconds >= 2 && end.durationSeconds < longest, `${end.durationSeconds} s`)
    await service.kill('SIGTERM')
  })

test('a process that was paused for longer than a lease keeps its calls', async (t) => {
  const service = await startPhoneService(await databaseOfRun())
  const { carrier, call, row } = await talking(t, service)
  const { db, close } = await openDatabase(readConfig({ DATA_DIR: service.dataDir, ...service.env }).database, () => {})
  const leaseUntil = new Date(Date.now() - 5000).toISOString() // already expired, to avoid the wait
  const expired = () => db.updateTable('calls').set({ leaseUntil }).where('id', '=', row.id).execute()
  await until(
    'it is paused and its lease has expired',
    async () => {
      service.process.kill('SIGSTOP')
      const isDone = await expired().then(
        () => true,
        () => false, // if paused during a write, the process holds a lock
      )
      return isDone || (service.process.kill('SIGCONT') && null)
    },
    60_000,
  )
  await close()
  service.process.kill('SIGCONT')
  const heard = carrier.rtpPackets()
  await until('it goes on', () => carrier.rtpPackets() > heard + 200, 20_000)
  assert.equal((await service.get(`/api/calls/${row.id}`)).status, 'in_progress')
  assert.equal((await call.bye()).status, 200)
  await service.kill('SIGTERM')
})

if (usesPostgres)
  test('a node whose clock is 15 seconds ahead does not orphan the calls of another node', async (t) => {
    const env = { DATABASE_URL: await newPostgresDatabase(), MASTER_KEY: 'k'.repeat(40) }
    const one = await startPhoneService(env)
    const two = await startPhoneService({ ...env, ...movedClock, CLOCK_AHEAD_MS: '15000' }, { key: one.key })
    const carrier = await openByHand(t)
    await agentOnService(one, { host: '127.0.0.1', port: carrier.port }, NUMBER)
    const call = await answeredCall(carrier, one.sipPort)
    const heard = carrier.rtpPackets()
    await until('it goes on', () => carrier.rtpPackets() > heard + 250, 20_000)
    const [row] = (await two.get('/api/calls')).filter((each: { status: string }) => each.status === 'in_progress')
    assert.ok(row, 'the call is in progress')
    assert.equal((await call.bye()).status, 200)
    await Promise.all([one.kill('SIGTERM'), two.kill('SIGTERM')])
  })
