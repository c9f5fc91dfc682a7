// Deleting a call or a conversation deletes every row with its content.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { anAgent, assertError, type Client, testApp } from '../../../test/app.ts'
import { goingOn, putCall, putConversation, putRecording } from '../../../test/call-rows.ts'
import { putText } from '../../../test/text-rows.ts'
import { until } from '../../../test/until.ts'
import { newId } from '../../base/ids.ts'
import { now } from '../../base/time/clock.ts'
import type { Db } from '../../db/database.ts'
import { tableKeys } from '../../db/table-keys.ts'
import { conversationStore } from '../conversations/store.ts'

const WORD = 'xylophone'

/** The tables that contain a word. */
async function tablesWith(db: Db, word: string): Promise<string[]> {
  const found: string[] = []
  for (const table of Object.keys(tableKeys) as (keyof typeof tableKeys)[]) {
    const rows = await db.selectFrom(table).selectAll().execute()
    if (rows.some((row) => JSON.stringify(row).includes(word))) found.push(table)
  }
  return found
}

const agentOf = async (client: Client): Promise<string> => (await client.post('/api/agents', anAgent)).json.id

/** The rows of a conversation, with the word in every column that holds content. */
async function talk(db: Db, client: Client, word: string, callId: string | null, conversationId: string) {
  const { userId } = client
  const { json: hook } = await client.post('/api/webhooks', { url: 'http://hooks.invalid/x', isActive: false })
  await conversationStore(db).said(userId, conversationId, { type: 'user', content: `I play the ${word}` }, now())
  await db
    .insertInto('toolCalls')
    .values({
      id: newId('tcl'),
      userId,
      conversationId,
      callId,
      toolId: null,
      name: 'look',
      arguments: `{"a":"${word}"}`,
      dedupeKey: newId('x'),
      argumentsKey: word,
      hasEffect: 0,
      status: 'done',
      result: word,
      error: null,
      variables: null,
      attempts: 1,
      startedAt: now(),
      endedAt: now(),
      durationMs: 5,
      leaseUntil: now(),
    })
    .execute()
  await db
    .insertInto('webhookDeliveries')
    .values({
      id: newId('dlv'),
      userId,
      webhookId: hook.id,
      eventId: newId('evt'),
      eventType: 'conversation.message',
      orderKey: callId ?? conversationId,
      status: 'delivered',
      attempts: 1,
      dueAt: null,
      statusCode: 200,
      error: null,
      response: `you sent ${word}`,
      durationMs: 5,
      createdAt: now(),
      lastAttemptAt: now(),
      deliveredAt: now(),
    })
    .execute()
  const analysis = { summary: word, success: true, successReason: null, fields: null, by: 'rules', at: now() }
  await db
    .updateTable('conversations')
    .set({ analysis: JSON.stringify(analysis), analysisStatus: 'done' })
    .where('id', '=', conversationId)
    .execute()
}

async function recordedCall(word = WORD) {
  const base = await testApp()
  const { ana, database, config } = base
  const { db } = database
  const owner = { userId: ana.userId, agentId: await agentOf(ana) }
  const { id: conversationId } = await putConversation(db, { ...owner, status: 'ended', endedAt: now() })
  const recording = `${newId('rec')}.wav`
  putRecording(config.dataDir, recording)
  const { id } = await putCall(db, { ...owner, conversationId, recording, metadata: JSON.stringify({ word }) })
  await talk(db, ana, word, id, conversationId)
  await db
    .insertInto('callTurns')
    .values({ callId: id, turns: `[{"text":"${word}"}]` })
    .execute()
  await db
    .insertInto('callLadders')
    .values({ callId: id, entries: `[{"summary":"${word}"}]` })
    .execute()
  await db
    .insertInto('rehearsals')
    .values({
      id: newId('reh'),
      ...owner,
      replayOf: id,
      name: 'again',
      mode: 'text',
      status: 'passed',
      endedAt: now(),
      checksPassed: 0,
      checksFailed: 0,
      durationMs: 5,
      outcome: `{"said":"${word}"}`,
      createdAt: now(),
    })
    .execute()
  const isThere = () => existsSync(join(config.dataDir, 'recordings', recording))
  return { ...base, db, id, conversationId, isThere }
}

for (const by of ['calls', 'conversations'] as const)
  test(`137 a call deleted through /api/${by} leaves no trace of its transcript`, async () => {
    const word = `${WORD}${by}`
    const { db, ana, bia, id, conversationId, isThere } = await recordedCall(word)
    assert.ok((await tablesWith(db, word)).length >= 8)
    const url = by === 'calls' ? `/api/calls/${id}` : `/api/conversations/${conversationId}`
    const before = (await ana.get(url)).json
    assertError(await bia.delete(url), 404)
    assert.ok(isThere())
    const removed = await ana.delete(url)
    assert.equal(removed.status, 200)
    assert.deepEqual(removed.json, before)
    await until('the file is deleted', () => !isThere())
    for (const path of [`/api/calls/${id}`, `/api/conversations/${conversationId}`, `/api/calls/${id}/turns`])
      assertError(await ana.get(path), 404)
    assert.deepEqual(await tablesWith(db, word), [])
    assertError(await ana.delete(url), 404)
  })

test('a chat conversation can be deleted once it has ended, with the texts of its device', async () => {
  const { ana, database } = await testApp()
  const { db } = database
  const word = `${WORD}written`
  const agentId = await agentOf(ana)
  const { json: device } = await ana.post('/api/gateway/devices', { agentId })
  const { json: kept } = await ana.post('/api/conversations/start', { agentId, title: 'another' })
  const { json: started } = await ana.post('/api/conversations/start', { agentId, title: word })
  await talk(db, ana, word, null, started.id)
  const text = { userId: ana.userId, deviceId: device.id, peer: '+5511988887777' }
  await putText(db, { ...text, text: word, conversationId: started.id })
  await putText(db, { ...text, text: 'of nobody' })

  const url = `/api/conversations/${started.id}`
  assertError(await ana.delete(url), 409, 'This conversation has not ended; end it first')
  assert.equal((await ana.get(url)).status, 200)
  await ana.post('/api/conversations/end', { conversationId: started.id })
  assert.equal((await ana.delete(url)).json.status, 'ended')
  assert.deepEqual(await tablesWith(db, word), [])
  assert.ok((await tablesWith(db, 'of nobody')).includes('events'), 'what was told of another text stays')
  assertError(await ana.get(`/api/conversations/messages/${started.id}`), 404)
  assert.equal((await ana.get(`/api/conversations/${kept.id}`)).status, 200)
})

test('deleting a call in progress or its conversation is a 409 and changes nothing', async () => {
  const { ana, database } = await testApp()
  const owner = { userId: ana.userId, agentId: await agentOf(ana) }
  // The agent has transferred the call: its conversation has ended, but the call has not.
  const { id: conversationId } = await putConversation(database.db, { ...owner, status: 'ended' }, ['Alô'])
  const { id } = await putCall(database.db, { ...owner, ...goingOn, conversationId })
  assertError(await ana.delete(`/api/conversations/${conversationId}`), 409)
  assertError(await ana.delete(`/api/calls/${id}`), 409)
  assert.equal((await ana.get(`/api/conversations/messages/${conversationId}`)).json.length, 1)
})

test('a key without the scope calls cannot delete a call through its conversation', async () => {
  const { ana, db, conversationId, isThere } = await recordedCall()
  const talks = await ana.withKey({ scopes: ['conversations'] })
  assertError(await talks.delete(`/api/conversations/${conversationId}`), 403, 'This key does not have the scope calls')
  assert.ok(isThere())
  const { id: written } = await putConversation(db, {
    userId: ana.userId,
    agentId: await agentOf(ana),
    status: 'ended',
  })
  assert.equal((await talks.delete(`/api/conversations/${written}`)).status, 200)
  const both = await ana.withKey({ scopes: ['conversations', 'calls'] })
  assert.equal((await both.delete(`/api/conversations/${conversationId}`)).status, 200)
  await until('the file is deleted', () => !isThere())
})

test('of twenty concurrent deletions of a conversation one succeeds', async () => {
  const { ana, id, conversationId } = await recordedCall()
  const urls = Array.from({ length: 20 }, (_, i) =>
    i % 2 ? `/api/calls/${id}` : `/api/conversations/${conversationId}`,
  )
  const answers = await Promise.all(urls.map((url) => ana.delete(url)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(19).fill(404)])
})

test('deleting a call while its last messages are stored never fails and leaves none of them', async () => {
  const { ana, database } = await testApp()
  const owner = { userId: ana.userId, agentId: await agentOf(ana) }
  const store = conversationStore(database.db)
  for (let i = 0; i < 10; i++) {
    const { id: conversationId } = await putConversation(database.db, { ...owner, status: 'ended' })
    const { id } = await putCall(database.db, { ...owner, conversationId })
    const words = Array.from({ length: 4 }, () =>
      store.said(ana.userId, conversationId, { type: 'user', content: 'late' }, now()).then(
        () => 'said',
        (error: { kind?: string }) => error.kind,
      ),
    )
    const [removed, ...said] = await Promise.all([ana.delete(`/api/calls/${id}`), ...words])
    assert.equal(removed.status, 200, removed.text)
    for (const outcome of said) assert.ok(outcome === 'said' || outcome === 'not_found', String(outcome))
  }
  assert.deepEqual(await tablesWith(database.db, '"late"'), [])
})
