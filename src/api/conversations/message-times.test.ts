// Transcript messages are stored after they were spoken: their time is that of the first sound.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, testApp } from '../../../test/app.ts'
import { toIso } from '../../base/clock.ts'
import { conversationStore } from './store.ts'

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
