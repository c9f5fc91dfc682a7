// Answer hooks of agents: web calls and chats.
// @run sqlite
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { anAgent, assertError, startTestApp } from '../../../test/app.ts'
import { until } from '../../../test/until.ts'
import { orderOf, webCaller } from '../../../test/web-caller.ts'
import { openWebServer, sendJson, type WebHandler } from '../../../test/web-server.ts'
import type { AnsweredCall } from '../../phone/ports.ts'

const answered: AnsweredCall[] = []
const app = await startTestApp(
  { ALLOWED_NETWORKS: '127.0.0.0/8' },
  {
    async converse(call, transport) {
      answered.push(call)
      for await (const _ of transport.input);
      return { endReason: 'caller_hangup' }
    },
  },
)

async function hookedAgent(t: TestContext, handle: WebHandler, timeoutMs = 5000) {
  const client = await app.newUser('owner')
  const agentId: string = (await client.post('/api/agents', anAgent)).json.id
  const second: string = (await client.post('/api/agents', { ...anAgent, name: 'Second' })).json.id
  const server = await openWebServer(t, handle)
  await client.put(`/api/agents/${agentId}/answer-hook`, { kind: 'url', url: server.url, timeoutMs })
  return { client, agentId, second, server }
}

test('a web call is answered as the hook of its agent says', async (t) => {
  let second = ''
  const hooked = await hookedAgent(t, (_, response) =>
    sendJson(response, { agentId: second, variables: { nome: 'Ana' }, language: 'es', context: 'VIP' }),
  )
  second = hooked.second
  const { client, agentId, server } = hooked
  const caller = await webCaller(app, await orderOf(client, agentId, { variables: { conta: '7' } }))
  const call = await until('the agent has the call', () => answered.find(({ userId }) => userId === client.userId))
  assert.deepEqual([call.agent.id, call.guidance?.language, call.guidance?.context], [second, 'es', 'VIP'])
  const asked = JSON.parse(server.asked[0]?.body ?? '')
  assert.deepEqual([asked.channel, asked.callId, asked.variables], ['web', call.callId, { conta: '7' }])
  const row = (await client.get(`/api/calls/${call.callId}`)).json
  assert.deepEqual([row.agentId, row.variables], [second, { conta: '7', nome: 'Ana' }])
  caller.socket.close()
})

test('a web call that the hook refuses is closed and listed; a dead hook does not cost it', async (t) => {
  const refusing = await hookedAgent(t, (_, response) => sendJson(response, { refuse: 486 }))
  const caller = await webCaller(app, await orderOf(refusing.client, refusing.agentId))
  assert.equal((await caller.closed).reason, 'This call was refused')
  const [row] = (await refusing.client.get('/api/calls')).json
  assert.deepEqual([row.status, row.endReason, row.sipCode], ['failed', 'rejected', 486])
  const dead = await hookedAgent(t, () => {}, 500)
  const other = await webCaller(app, await orderOf(dead.client, dead.agentId))
  await until('the agent has the call', () => answered.find(({ userId }) => userId === dead.client.userId))
  other.socket.close()
})

test('a chat asks once, before its first reply; a refusal is a 409', async (t) => {
  const { client, agentId, server } = await hookedAgent(t, (_, response) =>
    sendJson(response, { variables: { nome: 'Ana' }, context: 'VIP' }),
  )
  const { id } = (await client.post('/api/conversations/start', { agentId })).json
  const say = (content: string, conversation = id, by = client) =>
    by.post(`/api/conversations/message/send/${conversation}?reply=true`, { type: 'user', content })
  for (const words of ['bom dia', 'tudo bem?']) assert.equal((await say(words)).status, 201)
  assert.equal(server.asked.length, 1)
  const asked = JSON.parse(server.asked[0]?.body ?? '')
  assert.deepEqual([asked.channel, asked.conversationId, asked.callId], ['text', id, null])
  const refusing = await hookedAgent(t, (_, response) => sendJson(response, { refuse: true }))
  const other = (await refusing.client.post('/api/conversations/start', { agentId: refusing.agentId })).json.id
  assertError(await say('bom dia', other, refusing.client), 409, 'This call was refused')
})
