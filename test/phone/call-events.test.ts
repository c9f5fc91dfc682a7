// Events of a real SIP call on /api/events and at a webhook: each arrives once and in order.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { conversationStore } from '../../src/features/conversations/store.ts'
import type { Event } from '../../src/features/events/schema.ts'
import type { Converse } from '../../src/phone/ports.ts'
import { hearEvents } from '../event-feed.ts'
import { agentOnTrunk, newNumber, sayTone, startPhoneApp } from '../phone-app.ts'
import { openByHand } from '../phones/by-hand.ts'
import { until } from '../until.ts'
import { openWebServer } from '../web-server.ts'

const speaks: Converse = async (call, transport, signal) => {
  const { userId, conversationId } = call
  const said = { type: 'agent', content: 'Bom dia' } as const
  await conversationStore(app.database.db).said(userId, conversationId, said, new Date().toISOString())
  return sayTone(call, transport, signal)
}
const app = await startPhoneApp({ CALLS_PER_SECOND: '1000', ALLOWED_NETWORKS: '127.0.0.0/8' }, { converse: speaks })
const base = await app.app.listen()

const steps = [
  'call.initiated',
  'call.ringing',
  'call.answered',
  'conversation.started',
  'conversation.message',
  'conversation.ended',
  'call.ended',
  'call.recording_ready',
]
/** May arrive at any point between the others. */
const analyzed = 'call.analyzed'

test('an outbound call emits its events, from creation to recording, to the event stream and to a webhook', async (t) => {
  const client = await app.newUser('events')
  const carrier = await openByHand(t)
  const { agentId } = await agentOnTrunk(app, client, carrier.port, { type: 'outbound' })
  const server = await openWebServer(t, (_, response) => response.end('ok'))
  const hook = (await client.post('/api/webhooks', { url: server.url, agentIds: [agentId] })).json
  const feed = await hearEvents(t, base, client.key)
  const { callId } = (await client.post('/api/calls/outbound', { agentId, toNumber: newNumber() })).json
  const invite = await carrier.request('INVITE')
  carrier.answer(invite, 180)
  await until('it rings', () => feed.types().includes('call.ringing'))
  carrier.answer(invite, 200, { sdp: carrier.sdp() })
  await until('the agent is heard', () => carrier.rtpPackets() > 10)
  carrier.onRequest = (request) => {
    if (request.method === 'BYE') carrier.answer(request, 200)
  }
  assert.equal((await client.post(`/api/calls/${callId}/hangup`)).status, 200)
  await until('all is told', () => feed.events.length > steps.length)
  assert.deepEqual(
    feed.types().filter((type) => type !== analyzed),
    steps,
  )
  for (const { data } of feed.events) assert.deepEqual([data.callId, data.agentId], [callId, agentId])
  assert.equal((await client.get(`/api/gateway/calls/recordings/${callId}`)).status, 200)
  await until('all is posted', () => server.asked.length > steps.length)
  const posted = server.asked.map(
    ({ body, headers }) => new Webhook(hook.secret).verify(body, headers as Record<string, string>) as Event,
  )
  assert.deepEqual(posted, feed.events)
})

test('an inbound call emits the same events; a refused one emits a failure', async (t) => {
  const client = await app.newUser('inbound')
  const carrier = await openByHand(t)
  const { agentId, number } = await agentOnTrunk(app, client, carrier.port)
  const feed = await hearEvents(t, base, client.key)
  const call = await carrier.call(app.sipPort, { uri: number })
  await call.answered()
  await until('the agent is heard', () => carrier.rtpPackets() > 10)
  await call.bye()
  await until('all is told', () => feed.events.length > steps.length)
  assert.deepEqual(
    feed.types().filter((type) => type !== analyzed),
    steps,
  )
  const ended = (feed.events.find(({ type }) => type === 'call.ended')?.data.call ?? {}) as Record<string, unknown>
  assert.deepEqual([ended.direction, ended.endReason, ended.toNumber], ['inbound', 'caller_hangup', number])
  await client.patch(`/api/agents/${agentId}`, { isActive: false })
  const refused = await carrier.call(app.sipPort, { uri: number })
  assert.ok((await refused.final()).status >= 400)
  await until('it is told', () => feed.events.length > steps.length + 1)
  assert.equal(feed.types().at(-1), 'call.failed')
})
