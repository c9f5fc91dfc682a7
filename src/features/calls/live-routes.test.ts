// Routes of live calls, without telephony: ownership, call state and validation.
// @run sqlite
import { test } from 'node:test'
import { anAgent, assertError, type Client, testApp } from '../../../test/app.ts'
import { goingOn, putCall } from '../../../test/call-rows.ts'

async function callOf(client: Client, db: Parameters<typeof putCall>[0], more: object = {}) {
  const { id: agentId } = (await client.post('/api/agents', anAgent)).json
  const { id } = await putCall(db, { userId: client.userId, agentId, ...more })
  return { id, agentId }
}

const all = [
  ['say', { text: 'Olá' }],
  ['transfer', { to: '+5511999990000' }],
] as const

test("another user's call is a 404", async () => {
  const { ana, bia, database } = await testApp()
  const { id } = await callOf(bia, database.db, goingOn)
  for (const [verb, body] of all) assertError(await ana.post(`/api/calls/${id}/${verb}`, body), 404, 'Call not found')
})

test('an ended or unanswered call is a 409; a call of another node is a 503 that names the node', async () => {
  const { ana, database } = await testApp()
  const over = await callOf(ana, database.db)
  const rings = await callOf(ana, database.db, { ...goingOn, status: 'ringing', answeredAt: null })
  const elsewhere = await callOf(ana, database.db, { ...goingOn, nodeId: 'node-b' })
  for (const [verb, body] of all) {
    assertError(await ana.post(`/api/calls/${over.id}/${verb}`, body), 409, 'This call has ended')
    assertError(await ana.post(`/api/calls/${rings.id}/${verb}`, body), 409, /not been answered/)
    assertError(await ana.post(`/api/calls/${elsewhere.id}/${verb}`, body), 503, /node-b/)
  }
})

test('a transfer has exactly one existing target; a whisper needs a bridge', async () => {
  const { ana, bia, database } = await testApp()
  const { id } = await callOf(ana, database.db, goingOn)
  const foreign = (await bia.post('/api/agents', anAgent)).json.id
  const idle = (await ana.post('/api/agents', anAgent)).json.id
  await ana.patch(`/api/agents/${idle}`, { isActive: false })
  const post = (body: object) => ana.post(`/api/calls/${id}/transfer`, body)
  assertError(await post({}), 400, /to and agentId/)
  assertError(await post({ to: '+5511999990000', agentId: 'x' }), 400, /to and agentId/)
  assertError(await post({ to: '+5511999990000', method: 'refer', whisper: 'Oi' }), 400, /whisper/)
  for (const agentId of ['missing', foreign, idle]) assertError(await post({ agentId }), 404, 'Agent not found')
  assertError(await ana.post(`/api/calls/${id}/say`, { text: '  ' }), 400, 'text must not be empty')
})

test('listening is refused with the usual errors before the WebSocket opens', async () => {
  const { ana, bia, anonymous, database } = await testApp()
  const { id } = await callOf(bia, database.db, goingOn)
  const url = `/api/calls/${id}/listen`
  assertError(await ana.get(url), 404, 'Call not found')
  assertError(await anonymous({ method: 'GET', url }), 401)
  assertError(await bia.get(url), 400, 'This path is a WebSocket')
  const narrow = await bia.withKey({ scopes: ['agents'] })
  assertError(await narrow.get(url), 403)
})
