// Transcript messages: stored after they were spoken, but dated at their first sound; an operator's words are marked.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, testApp } from '../../../test/app.ts'
import { newId } from '../../base/ids.ts'
import { toIso } from '../../base/time/clock.ts'
import { conversationStore, type SpokenMessage } from './store.ts'

test('87 a message keeps the time when it was spoken, and messages are ordered by it', async () => {
  const { ana, database } = await testApp()
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const { json: conversation } = await ana.post('/api/conversations/start', { agentId: agent.id })
  const store = conversationStore(database.db)
  const startedMs = Date.parse(conversation.startedAt)
  const send = (content: string, atMs: number) =>
    store.said(ana.userId, conversation.id, { type: 'user', content }, toIso(startedMs + atMs))
  await send('first', 1500)
  await send('second', 4000)
  await send('said before that, and written later', 3000)
  const { json } = await ana.get(`/api/conversations/messages/${conversation.id}`)
  assert.deepEqual(
    json.map(({ timestamp }: { timestamp: string }) => Date.parse(timestamp) - startedMs),
    [1500, 4000, 4000],
  )
})

test('words that an operator had the agent say are marked in transcript and event, other messages are as before', async () => {
  const { ana, database } = await testApp()
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const { json: conversation } = await ana.post('/api/conversations/start', { agentId: agent.id })
  const store = conversationStore(database.db)
  const say = (message: SpokenMessage, id?: string) =>
    store.said(ana.userId, conversation.id, message, conversation.startedAt, id)
  // Without an id, a message is stored in one statement if the database supports it; with an id, in a transaction.
  const marked = { type: 'agent', author: 'operator' } as const
  const stored = [
    await say({ ...marked, content: 'one' }),
    await say({ ...marked, content: 'two' }, newId('msg')),
    await say({ type: 'agent', content: 'three' }),
  ]
  assert.deepEqual((await ana.get(`/api/conversations/messages/${conversation.id}`)).json, stored)
  const rows = await database.db
    .selectFrom('events')
    .select('data')
    .where('type', '=', 'conversation.message')
    .where('conversationId', '=', conversation.id)
    .orderBy('sequence')
    .execute()
  assert.deepEqual(
    rows.map(({ data }) => JSON.parse(data).message),
    stored,
  )
  assert.deepEqual(
    stored.map((message) => message.author ?? Object.keys(message).includes('author')),
    ['operator', 'operator', false],
  )
  const forged = await ana.post(`/api/conversations/message/send/${conversation.id}`, { ...marked, content: 'x' })
  assert.deepEqual([forged.status, forged.json.author], [201, undefined], 'a client cannot write as an operator')
})
