// @run rest-nodes
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import pino from 'pino'
import { anAgent, assertError, atEnd, startTestApp, type TestApp, testConfig } from '../../../test/app.ts'
import { aCall, goingOn, putCall, putConversation, putRecording } from '../../../test/call-rows.ts'
import { until } from '../../../test/until.ts'
import { buildApp } from '../../app.ts'
import { diskIdOf } from '../../base/process/disk-id.ts'
import type { Config } from '../../config/config.ts'
import { openDatabase } from '../../db/database.ts'
import { retention } from '../../db/retention.ts'

const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
const isThere = ({ config }: TestApp, name: string) => existsSync(join(config.dataDir, 'recordings', name))

/** A new process on the same data, and a GET as its first user. */
async function restart({ config, ana }: TestApp, settings: Partial<Config> = {}) {
  const app = await buildApp({ ...config, ...settings }, pino({ level: 'silent' }))
  atEnd(() => app.close())
  return {
    app,
    get: async (url: string) => {
      const { statusCode, payload } = await app.http.inject({ url, headers: { 'x-api-key': ana.key } })
      return { status: statusCode, json: JSON.parse(payload) }
    },
  }
}

test('137 calls of a crashed process are closed at start, with their conversations', async () => {
  const first = await startTestApp()
  const { ana } = first
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const owner = { userId: ana.userId, agentId: agent.id }
  await first.app.close()
  const database = await openDatabase(first.config.database, () => {})
  const expired = { ...goingOn, leaseUntil: new Date(Date.now() - 1000).toISOString() }
  const { id: conversationId } = await putConversation(database.db, owner, ['Alô'])
  const orphans: string[] = []
  for (const status of ['initiating', 'ringing', 'in_progress', 'transferring'] as const)
    orphans.push((await putCall(database.db, { ...owner, ...expired, status, trunkId: 'tru_a', conversationId })).id)
  const { id: elsewhere } = await putCall(database.db, { ...owner, ...goingOn })
  const { id: over } = await putCall(database.db, { ...owner, leaseUntil: expired.leaseUntil })
  await database.close()

  const again = await restart(first)
  const get = async (path: string) => (await again.get(path)).json
  for (const id of orphans) {
    const call = await until('the orphan was closed', async () => {
      const json = await get(`/api/calls/${id}`)
      return json.endedAt !== null && json
    })
    assert.deepEqual([call.status, call.endReason, call.hangupBy], ['failed', 'orphaned', 'system'])
    assert.ok(call.endedAt >= call.startedAt && call.endDetail !== '')
  }
  assert.equal((await get(`/api/calls/${elsewhere}`)).status, 'in_progress', 'another process runs this one')
  assert.equal((await get(`/api/calls/${over}`)).status, 'completed', 'what has ended stays as it ended')
  const conversation = await get(`/api/conversations/${conversationId}`)
  assert.equal(conversation.status, 'ended')
  assert.ok(conversation.endedAt >= conversation.startedAt)
})

test('137 everything older than the retention days is removed, with conversations and recordings', async () => {
  const app = await startTestApp()
  const { ana, database, config } = app
  const { db } = database
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const owner = { userId: ana.userId, agentId: agent.id }
  const recorded = async (name: string, days: number, more: object = {}) => {
    putRecording(config.dataDir, `${name}.wav`)
    const { id: conversationId } = await putConversation(db, { ...owner, startedAt: ago(days) }, ['Alô'])
    const call = { ...owner, startedAt: ago(days), recording: `${name}.wav`, conversationId, ...more }
    return { id: (await putCall(db, call)).id, conversationId }
  }
  const old = await recorded('old', 31)
  const young = await recorded('young', 29)
  const live = await recorded('live', 31, goingOn)
  const { id: oldTalk } = await putConversation(db, { ...owner, startedAt: ago(31), status: 'ended' }, ['x'])
  const { id: youngTalk } = await putConversation(db, { ...owner, startedAt: ago(29), status: 'ended' }, ['x'])
  const node = diskIdOf(config.dataDir)

  await retention(db, null, node)()
  assert.equal((await ana.get('/api/calls')).json.length, 3, 'without a setting nothing goes')

  await retention(db, 30, node)()
  for (const path of [`/api/calls/${old.id}`, `/api/gateway/calls/recordings/${old.id}`])
    assertError(await ana.get(path), 404)
  for (const id of [old.conversationId, oldTalk]) {
    assertError(await ana.get(`/api/conversations/${id}`), 404)
    assertError(await ana.get(`/api/conversations/messages/${id}`), 404)
  }
  await until('the file is deleted', () => !isThere(app, 'old.wav'))
  for (const { id, conversationId } of [young, live]) {
    assert.equal((await ana.get(`/api/calls/${id}`)).status, 200)
    assert.equal((await ana.get(`/api/conversations/${conversationId}`)).status, 200)
  }
  assert.equal((await ana.get(`/api/conversations/${youngTalk}`)).status, 200)
  assert.ok(isThere(app, 'young.wav') && isThere(app, 'live.wav'))
  assert.equal((await ana.get(`/api/agents/${agent.id}`)).status, 200)
})

test('137 retention removes more than one batch, and days may be fractions', async () => {
  const { ana, database, config } = await startTestApp()
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const owner = { userId: ana.userId, agentId: agent.id }
  const many = Array.from({ length: 1100 }, () => aCall({ ...owner, startedAt: ago(0.6) }))
  for (let i = 0; i < many.length; i += 100)
    await database.db
      .insertInto('calls')
      .values(many.slice(i, i + 100))
      .execute()
  const { id: young } = await putCall(database.db, { ...owner, startedAt: ago(0.4) })
  await retention(database.db, 0.5, diskIdOf(config.dataDir))()
  const { json: left } = await ana.get('/api/calls')
  assert.deepEqual(
    left.map((call: { id: string }) => call.id),
    [young],
  )
})

test('137 the running service applies RETENTION_DAYS; without it nothing is removed', async () => {
  const first = await startTestApp()
  const { ana, database, config } = first
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const owner = { userId: ana.userId, agentId: agent.id }
  putRecording(config.dataDir, 'old.wav')
  const { id: old } = await putCall(database.db, { ...owner, startedAt: ago(3), recording: 'old.wav' })
  const { id: young } = await putCall(database.db, { ...owner, startedAt: ago(1) })
  await first.app.close()
  const forever = await restart(first)
  assert.equal((await forever.get(`/api/calls/${old}`)).status, 200)
  await forever.app.close()
  assert.ok(isThere(first, 'old.wav'))
  const { retentionDays } = await testConfig({ RETENTION_DAYS: '2' })
  const { get } = await restart(first, { retentionDays })
  await until('the old call is gone', async () => (await get(`/api/calls/${old}`)).status === 404)
  await until('its recording is gone', () => !isThere(first, 'old.wav'))
  assert.equal((await get(`/api/calls/${young}`)).status, 200)
})
