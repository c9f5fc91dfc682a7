// Deleting an agent: its data, links and live calls.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import pino from 'pino'
import {
  aNumber,
  anAgent,
  assertError,
  atEnd,
  type Client,
  startTestApp,
  testApp,
  usesPostgres,
} from '../../../test/app.ts'
import { goingOn, putCall, putRecording } from '../../../test/call-rows.ts'
import { until } from '../../../test/until.ts'
import { buildApp } from '../../app.ts'
import type { Db } from '../../db/database.ts'
import type { CallRow } from '../../db/tables.ts'

type Agent = { id: string; createdAt: string; updatedAt: string }

const newAgent = async (client: Client): Promise<Agent> => (await client.post('/api/agents', anAgent)).json

async function talk(client: Client, agentId: string): Promise<string> {
  const { json } = await client.post('/api/conversations/start', { agentId })
  for (const content of ['one', 'two'])
    await client.post(`/api/conversations/message/send/${json.id}`, { type: 'user', content })
  return json.id
}

const countOf = async (db: Db, table: 'conversations' | 'trunkLinks' | 'toolLinks' | 'calls', agentId: string) =>
  (await db.selectFrom(table).select('agentId').where('agentId', '=', agentId).execute()).length

test('70 DELETE returns the deleted agent, which is then gone', async () => {
  const { ana } = await testApp()
  const [agent, other] = [await newAgent(ana), await newAgent(ana)]
  const removed = await ana.delete(`/api/agents/${agent.id}`)
  assert.equal(removed.status, 200)
  assert.deepEqual(removed.json, agent)
  assertError(await ana.get(`/api/agents/${agent.id}`), 404)
  assertError(await ana.patch(`/api/agents/${agent.id}`, { name: 'x' }), 404)
  assertError(await ana.patch(`/api/agents/toggle/${agent.id}`), 404)
  assertError(await ana.delete(`/api/agents/${agent.id}`), 404)
  assert.deepEqual((await ana.get('/api/agents')).json, [other])
})

test('70 DELETE removes conversations and messages, including ended ones, and leaves those of other agents', async () => {
  const { ana, database } = await testApp()
  const [agent, other] = [await newAgent(ana), await newAgent(ana)]
  const [active, ended, kept] = [await talk(ana, agent.id), await talk(ana, agent.id), await talk(ana, other.id)]
  await ana.post('/api/conversations/end', { conversationId: ended })
  await ana.delete(`/api/agents/${agent.id}`)
  for (const id of [active, ended]) {
    assertError(await ana.get(`/api/conversations/${id}`), 404)
    assertError(await ana.get(`/api/conversations/messages/${id}`), 404)
    assertError(await ana.post(`/api/conversations/message/send/${id}`, { type: 'user', content: 'three' }), 404)
    assertError(await ana.post('/api/conversations/end', { conversationId: id }), 404)
    const rows = () => database.db.selectFrom('messages').select('id').where('conversationId', '=', id).execute()
    await until('its messages are purged', async () => (await rows()).length === 0)
  }
  assertError(await ana.post('/api/conversations/start', { agentId: agent.id }), 404)
  const { json: list } = await ana.get('/api/conversations')
  assert.deepEqual(
    list.map((conversation: { id: string }) => conversation.id),
    [kept],
  )
  assert.equal((await ana.get(`/api/conversations/messages/${kept}`)).json.length, 2)
})

test('70 tools, DIDs, devices and trunks stay; their links to the agent go', async () => {
  const { ana, database } = await testApp()
  const [agent, other] = [await newAgent(ana), await newAgent(ana)]
  const { json: tool } = await ana.post('/api/tools', { name: 'hang up', type: 'end_call' })
  const { json: device } = await ana.post('/api/gateway/devices', { name: 'phone', agentId: agent.id })
  const { json: own } = await ana.post('/api/did', { phoneNumber: aNumber(), countryCode: '55', agentId: agent.id })
  const { json: kept } = await ana.post('/api/did', { phoneNumber: aNumber(), countryCode: '55', agentId: other.id })
  const linked = aNumber()
  for (const { id } of [agent, other]) {
    await ana.post(`/api/tools/${tool.id}/agents/${id}`)
    await ana.post(`/api/agents/${id}/link-trunk`, { trunkId: 'main', trunkType: 'inbound' })
  }
  await ana.post(`/api/agents/${agent.id}/link-trunk`, { trunkId: 'main', trunkType: 'outbound', phoneNumber: linked })
  const { json: links } = await ana.get(`/api/agents/${other.id}/linked-trunks`)

  await ana.delete(`/api/agents/${agent.id}`)

  assert.deepEqual((await ana.get(`/api/tools/${tool.id}`)).json, tool)
  assert.equal((await ana.get(`/api/gateway/devices/${device.id}`)).json.agentId, null)
  assert.deepEqual((await ana.get(`/api/did/${own.id}`)).json, { ...own, agentId: null })
  assert.deepEqual((await ana.get(`/api/did/${kept.id}`)).json, kept)
  const { json: dids } = await ana.get('/api/did')
  const found = dids.find((did: { phoneNumber: string }) => did.phoneNumber === linked)
  assert.equal(found?.agentId, null)
  assert.equal((await ana.get('/api/trunks/main')).status, 200)
  for (const table of ['trunkLinks', 'toolLinks'] as const) assert.equal(await countOf(database.db, table, agent.id), 0)
  assertError(await ana.get(`/api/agents/${agent.id}/linked-trunks`), 404)
  assertError(await ana.get(`/api/agents/${agent.id}/tools`), 404)
  assert.equal((await ana.get(`/api/agents/${other.id}/tools`)).json.length, 1)
  assert.deepEqual((await ana.get(`/api/agents/${other.id}/linked-trunks`)).json, links)
})

test('70 its calls are deleted, including live ones, with their recording files', async () => {
  const { ana, config, database } = await testApp()
  const [agent, other] = [await newAgent(ana), await newAgent(ana)]
  for (const name of ['first.wav', 'second.wav', 'kept.wav']) putRecording(config.dataDir, name)
  const put = async (agentId: string, more: Partial<CallRow>) =>
    (await putCall(database.db, { userId: ana.userId, agentId, ...more })).id
  const calls = [
    await put(agent.id, { recording: 'first.wav', conversationId: await talk(ana, agent.id) }),
    await put(agent.id, { recording: 'second.wav', direction: 'inbound' }),
    await put(agent.id, { recording: 'never-written.wav' }),
    await put(agent.id, goingOn),
    await put(agent.id, { ...goingOn, status: 'ringing' }),
  ]
  const stays = await put(other.id, { recording: 'kept.wav' })
  const live = await put(other.id, goingOn)

  assert.equal((await ana.delete(`/api/agents/${agent.id}`)).status, 200)

  const left = (name: string) => existsSync(join(config.dataDir, 'recordings', name))
  await until('their files are deleted', () => !left('first.wav') && !left('second.wav'))
  assert.ok(left('kept.wav'))
  for (const id of calls) {
    assertError(await ana.get(`/api/calls/${id}`), 404)
    assertError(await ana.get(`/api/gateway/calls/recordings/${id}`), 404)
  }
  await until('its calls are purged', async () => (await countOf(database.db, 'calls', agent.id)) === 0)
  const { json: active } = await ana.get('/api/calls/outbound/active')
  assert.deepEqual(
    active.map((call: { callId: string }) => call.callId),
    [live],
  )
  assert.equal((await ana.get(`/api/gateway/calls/recordings/${stays}`)).status, 200)
})

test('70 another user cannot delete it or end its calls', async () => {
  const { ana, bia, database } = await testApp()
  const agent = await newAgent(ana)
  const call = await putCall(database.db, { userId: ana.userId, agentId: agent.id, ...goingOn })
  assertError(await bia.delete(`/api/agents/${agent.id}`), 404, 'Agent not found')
  assert.deepEqual((await ana.get(`/api/agents/${agent.id}`)).json, agent)
  assert.equal((await ana.get(`/api/calls/${call.id}`)).json.status, 'in_progress')
})

/** Makes deletions from a table fail, as a broken disk would. Returns a function that restores it. */
async function breakDeletion(db: Db, table: 'messages' | 'trunkLinks'): Promise<() => Promise<unknown>> {
  const on = sql.table(table)
  if (!usesPostgres) {
    await sql`create trigger broken before delete on ${on} begin select raise(abort, 'broken'); end`.execute(db)
    return () => sql`drop trigger broken`.execute(db)
  }
  await sql`create or replace function refuse() returns trigger as $$ begin raise exception 'broken'; end $$ language plpgsql`.execute(
    db,
  )
  await sql`create trigger broken before delete on ${on} for each row execute function refuse()`.execute(db)
  return () => sql`drop trigger broken on ${on}`.execute(db)
}

test('70 deletion is one transaction: if a part fails, nothing changes, except that live calls were ended', async () => {
  const { ana, config, database } = await startTestApp()
  const agent = await newAgent(ana)
  const conversationId = await talk(ana, agent.id)
  const { json: did } = await ana.post('/api/did', { phoneNumber: aNumber(), countryCode: '55', agentId: agent.id })
  await ana.post(`/api/agents/${agent.id}/link-trunk`, { trunkId: 'main', trunkType: 'inbound' })
  putRecording(config.dataDir, 'kept.wav')
  const own = { userId: ana.userId, agentId: agent.id }
  const recorded = await putCall(database.db, { ...own, recording: 'kept.wav' })
  const live = await putCall(database.db, { ...own, ...goingOn })
  await breakDeletion(database.db, 'trunkLinks')

  assertError(await ana.delete(`/api/agents/${agent.id}`), 500, 'Something went wrong on our side')

  assert.deepEqual((await ana.get(`/api/agents/${agent.id}`)).json, agent)
  assert.equal((await ana.get(`/api/conversations/messages/${conversationId}`)).json.length, 2)
  assert.deepEqual((await ana.get(`/api/did/${did.id}`)).json, did)
  assert.equal((await ana.get(`/api/agents/${agent.id}/linked-trunks`)).json.length, 1)
  assert.ok(existsSync(join(config.dataDir, 'recordings', 'kept.wav')))
  assert.equal((await ana.get(`/api/calls/${recorded.id}`)).json.hasRecording, true)
  const { json: call } = await ana.get(`/api/calls/${live.id}`)
  assert.equal(call.status, 'completed')
  assert.ok(call.endedAt)
})

test('70 all data of a deleted agent disappears from every read at once, and is purged later, even after a restart', async () => {
  const first = await startTestApp()
  const { ana, config, database } = first
  const [agent, other] = [await newAgent(ana), await newAgent(ana)]
  const [gone, kept] = [await talk(ana, agent.id), await talk(ana, other.id)]
  putRecording(config.dataDir, 'purged.wav')
  const of = (agentId: string, conversationId: string, more: Partial<CallRow> = {}) =>
    putCall(database.db, { userId: ana.userId, agentId, conversationId, ...more })
  const call = await of(agent.id, gone, { recording: 'purged.wav', fromNumber: '+551188887777' })
  const stays = await of(other.id, kept)
  // Purging is blocked for now, so these reads show what readers see until the purge.
  const mend = await breakDeletion(database.db, 'messages')

  assert.equal((await ana.delete(`/api/agents/${agent.id}`)).status, 200)

  for (const path of [
    `/api/agents/${agent.id}`,
    `/api/calls/${call.id}`,
    `/api/calls/${call.id}/turns`,
    `/api/calls/${call.id}/sip`,
    `/api/gateway/calls/recordings/${call.id}`,
    `/api/conversations/${gone}`,
    `/api/conversations/messages/${gone}`,
    `/api/conversations/${gone}/tool-calls`,
  ])
    assertError(await ana.get(path), 404)
  assertError(await ana.post(`/api/conversations/message/send/${gone}`, { type: 'user', content: 'x' }), 404)
  assertError(await ana.post('/api/conversations/end', { conversationId: gone }), 404)
  assertError(await ana.post('/api/conversations/start', { agentId: agent.id }), 404)
  assertError(await ana.post('/api/calls/outbound', { agentId: agent.id, toNumber: aNumber() }), 404)
  for (const path of [`/api/calls/${call.id}`, `/api/conversations/${gone}`]) assertError(await ana.delete(path), 404)
  const ids = async (path: string) => (await ana.get(path)).json.map(({ id }: { id: string }) => id)
  assert.deepEqual(await ids('/api/agents'), [other.id])
  assert.deepEqual(await ids('/api/conversations'), [kept])
  for (const path of ['/api/calls', '/api/calls?q=one', '/api/calls?live=false'])
    assert.deepEqual(await ids(path), [stays.id])
  assert.deepEqual(await ids(`/api/calls?agentId=${agent.id}`), [])
  const forgotten = await ana.post('/api/conversations/forget', { number: '+551188887777', dryRun: true })
  assert.equal(forgotten.json.calls, 0)
  const days: { calls: number }[] = (await ana.get('/api/overview')).json.days // the call may be dated yesterday
  assert.equal(
    days.reduce((sum, { calls }) => sum + calls, 0),
    1,
  )
  assert.equal(await countOf(database.db, 'calls', agent.id), 1, 'its row is still there')
  await mend()

  await first.app.close()
  const again = await buildApp(config, pino({ level: 'silent' }))
  atEnd(() => again.close())
  const { db } = again.database
  const agents = () => db.selectFrom('agents').select('id').where('id', '=', agent.id).execute()
  await until('the agent is purged', async () => (await agents()).length === 0)
  assert.equal((await db.selectFrom('messages').select('id').execute()).length, 2)
  await until('the file is deleted', () => !existsSync(join(config.dataDir, 'recordings', 'purged.wav')))
})

test('70 anything created while the agent is being deleted is either refused or deleted with it', async () => {
  const { ana, database } = await testApp()
  const removed: string[] = []
  for (let round = 0; round < 5; round++) {
    const agent = await newAgent(ana)
    removed.push(agent.id)
    const conversationId = await talk(ana, agent.id)
    const link = { trunkId: 'main', trunkType: 'inbound', phoneNumber: aNumber() }
    await ana.post(`/api/agents/${agent.id}/link-trunk`, link)
    const begin = () => [
      ana.post('/api/conversations/start', { agentId: agent.id }),
      ana.post(`/api/conversations/message/send/${conversationId}`, { type: 'user', content: 'x' }),
      ana.post(`/api/agents/${agent.id}/link-trunk`, link),
      ana.post(`/api/agents/${agent.id}/link-trunk`, { ...link, trunkType: 'outbound' }),
      ana.patch(`/api/agents/${agent.id}`, { name: 'x' }),
    ]
    const removal = [begin(), begin(), ana.delete(`/api/agents/${agent.id}`), begin(), begin()].flat()
    const statuses = (await Promise.all(removal)).map((answer) => answer.status)
    assert.ok(
      statuses.every((status) => [200, 201, 404].includes(status)),
      statuses.join(),
    )
    assertError(await ana.get(`/api/agents/${agent.id}`), 404)
    assert.deepEqual((await ana.get('/api/conversations')).json, [])
  }
  // Purged together, once a second: waiting in each round would take up most of this test.
  for (const table of ['conversations', 'trunkLinks'] as const)
    for (const id of removed)
      await until('nothing of it is left', async () => (await countOf(database.db, table, id)) === 0)
})

test('70 of concurrent DELETEs exactly one succeeds', async () => {
  const { ana } = await testApp()
  const agent = await newAgent(ana)
  const answers = await Promise.all(Array.from({ length: 10 }, () => ana.delete(`/api/agents/${agent.id}`)))
  const statuses = answers.map((answer) => answer.status).sort()
  assert.deepEqual(statuses, [200, ...Array(9).fill(404)])
})
