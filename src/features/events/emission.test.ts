// The events of every resource, and their removal along with it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aNumber, anAgent, type Client, startTestApp } from '../../../test/app.ts'
import { until } from '../../../test/until.ts'
import { masterKeys } from '../../base/crypto/master-key.ts'
import { keyRing } from '../../base/crypto/secrets.ts'
import { retention } from '../../db/retention.ts'
import { toCall } from '../calls/call-record.ts'
import { callLifecycle } from '../calls/lifecycle-store.ts'
import { callStore } from '../calls/store.ts'
import { ANALYSIS_LEASE_MS, analysisQueue } from '../conversations/analysis-queue.ts'
import { conversationStore } from '../conversations/store.ts'
import { toolCallStore } from '../conversations/tool-call-store.ts'
import { deviceStates } from '../devices/state-store.ts'
import { deviceTexts } from '../devices/text-queue.ts'
import { trunkStore } from '../trunks/store.ts'
import type { Event } from './schema.ts'
import { eventReader, toEvent } from './store.ts'

const app = await startTestApp()
const { db } = app.database
const secrets = keyRing(masterKeys(app.config.masterKeys, app.config.dataDir))
const [calls, course] = [callStore(db), callLifecycle(db)]
const conversations = conversationStore(db)
const reader = eventReader(db)
// biome-ignore lint/suspicious/noExplicitAny: tests look into data of many shapes
type Told = Omit<Event, 'data'> & { data: any }
const told = async ({ userId }: Client): Promise<Told[]> => (await reader.after(userId, 0, 1000)).map(toEvent)
const types = async (client: Client) => (await told(client)).map(({ type }) => type)

async function caller(name: string) {
  const client = await app.newUser(name)
  const { userId } = client
  // Analysis is off: the app would run it by itself and emit events at any time after a call.
  const agent = { ...anAgent, settings: { analysis: { summary: false } } }
  const agentId: string = (await client.post('/api/agents', agent)).json.id
  const inbound = { userId, agentId, fromNumber: aNumber(), toNumber: aNumber(), trunkId: null, deviceId: null }
  const answered = async () => {
    const { id } = await course.begin(inbound)
    const begun = await course.answered(id)
    assert.ok(begun && 'conversationId' in begun)
    return { id, ...begun }
  }
  return { client, userId, agentId, inbound, answered }
}
const end = { status: 'completed', endReason: 'caller_hangup', hangupBy: 'caller' } as const
const recording = (id: string) => ({ file: `${id}.wav`, node: 'nod_of_this_test' })
const whole = (id: string) => ({ ...end, recording: { ...recording(id), status: 'complete', error: null } }) as const

test('a call emits events from its start to its recording, each with its record and ids', async () => {
  const { client, userId, agentId, answered } = await caller('whole call')
  const { id, conversationId } = await answered()
  await course.recorded(id, recording(id))
  await conversations.said(userId, conversationId, { type: 'user', content: 'bom dia' }, new Date().toISOString())
  await course.digit(id, '5')
  await calls.finish(id, whole(id))
  await calls.finish(id, whole(id))
  await calls.settleRecording(id, whole(id).recording)
  assert.deepEqual(await types(client), [
    'call.initiated',
    'call.ringing',
    'call.answered',
    'conversation.started',
    'conversation.message',
    'call.dtmf',
    'conversation.ended',
    'call.ended',
    'call.recording_ready',
  ])
  const events = await told(client)
  for (const { data } of events) assert.deepEqual([data.callId, data.agentId], [id, agentId])
  for (const { data } of events.slice(2)) assert.equal(data.conversationId, conversationId)
  const last = events.at(-1)?.data.call
  assert.deepEqual([last.status, last.hasRecording, last.endReason], ['completed', true, 'caller_hangup'])
  assert.deepEqual(last, (await client.get(`/api/calls/${id}`)).json)
  assert.equal(events[5]?.data.digit, '5')
  assert.deepEqual(events[4]?.data.message.content, 'bom dia')
})

test('after a hang-up through the API the end is emitted at once, the recording event when it is complete', async () => {
  const { client, answered } = await caller('api')
  const { id } = await answered()
  await course.recorded(id, recording(id))
  await calls.cancel(id)
  assert.equal((await types(client)).at(-1), 'call.ended')
  assert.equal((await client.get(`/api/calls/${id}`)).json.hasRecording, false)
  assert.equal(await calls.finish(id, whole(id)), false) // the node that ran it reports the end afterwards
  assert.deepEqual((await types(client)).slice(-2), ['call.ended', 'call.recording_ready'])
})

test('a call that is refused, unanswered or left by a crashed process emits call.failed', async () => {
  const { client, agentId, inbound, answered } = await caller('failures')
  await course.refused(inbound, { status: 'failed', endReason: 'agent_inactive' })
  assert.deepEqual(await types(client), ['call.failed'])
  const { callId } = (await client.post('/api/calls/outbound', { agentId, toNumber: aNumber() })).json
  await until('it ends', async () => (await types(client)).length === 3)
  assert.deepEqual((await types(client)).slice(1), ['call.initiated', 'call.failed'])
  assert.equal((await told(client)).at(-1)?.data.callId, callId)
  const left = await answered()
  await db.updateTable('calls').set({ leaseUntil: '2020-01-01T00:00:00.000Z' }).where('id', '=', left.id).execute()
  await calls.closeOrphans() // or the app, which does this too
  const closed = (await client.get(`/api/calls/${left.id}`)).json
  assert.deepEqual([closed.endReason, closed.hasRecording], ['orphaned', false])
  assert.deepEqual((await types(client)).slice(-2), ['conversation.ended', 'call.failed'])
  assert.deepEqual(await calls.closeOrphans(), [])
})

test('a transfer emits its start, then its completion or failure, also when the call ends with it', async () => {
  const { client, answered } = await caller('transfers')
  const rest = async () => (await types(client)).filter((type) => type.includes('transfer'))
  const { id } = await answered()
  await course.transferring(id)
  await course.resumed(id, false)
  await course.resumed(id, false)
  assert.deepEqual(await rest(), ['call.transfer_started', 'call.transfer_failed'])
  await course.transferring(id)
  await course.resumed(id, true)
  assert.deepEqual((await rest()).slice(2), ['call.transfer_started', 'call.transfer_completed'])
  await course.transferring(id)
  await calls.finish(id, { ...end, endReason: 'transferred' })
  assert.deepEqual((await rest()).slice(4), ['call.transfer_started', 'call.transfer_completed'])
  const other = await answered()
  await course.transferring(other.id)
  await calls.finish(other.id, end)
  assert.deepEqual((await rest()).slice(6), ['call.transfer_started', 'call.transfer_failed'])
})

test('a call that changes its provider emits events, until it has ended', async () => {
  const { client, answered } = await caller('providers')
  const { id } = await answered()
  const from = { providerId: 'prv_1', name: 'Mine', model: 'm' }
  const to = { providerId: 'embedded', name: 'Embedded', model: null }
  await course.chainChanged(id, { type: 'degraded', kind: 'tts', from, to, reason: 'timeout' })
  await course.chainChanged(id, { type: 'recovered', kind: 'tts', to: from })
  await calls.finish(id, end)
  await course.chainChanged(id, { type: 'recovered', kind: 'tts', to: from })
  const events = (await told(client)).filter(({ type }) => type === 'call.degraded' || type === 'call.recovered')
  assert.deepEqual(
    events.map(({ type, data: { call, kind, from, to, reason } }) => [type, call.id, kind, from, to, reason]),
    [
      ['call.degraded', id, 'tts', from, to, 'timeout'],
      ['call.recovered', id, 'tts', undefined, from, undefined],
    ],
  )
})

test('voicemail emits an event, a person who answers does not', async () => {
  const { client, answered } = await caller('voicemail')
  const { id } = await answered()
  await course.answeredBy(id, 'human')
  await course.answeredBy(id, 'machine')
  const events = (await told(client)).filter(({ type }) => type === 'call.voicemail')
  assert.deepEqual(
    events.map(({ data }) => data.call.answeredBy),
    ['machine'],
  )
})

test('the analysis of a call emits an event with its result, that of a chat conversation does not', async () => {
  const { client, agentId, userId, answered } = await caller('analysis')
  const analyses = analysisQueue(db, ANALYSIS_LEASE_MS, toCall)
  const { id, conversationId } = await answered()
  const written = (await client.post('/api/conversations/start', { agentId })).json.id
  const analysis = { summary: 'short', success: null, successReason: null, fields: null, by: 'x', at: '2020-01-01' }
  for (const one of [conversationId, written]) {
    const leaseUntil = '2030-01-01T00:00:00.000Z'
    const set = { analysisStatus: 'processing', analysisDueAt: leaseUntil } as const
    await db.updateTable('conversations').set(set).where('id', '=', one).execute()
    await analyses.complete({ id: one, userId, agentId, tries: 1, leaseUntil }, analysis)
    await analyses.complete({ id: one, userId, agentId, tries: 1, leaseUntil }, analysis) // lease lost
  }
  const events = (await told(client)).filter(({ type }) => type === 'call.analyzed')
  assert.equal(events.length, 1)
  assert.deepEqual([events[0]?.data.callId, events[0]?.data.analysis], [id, analysis])
  assert.equal(events[0]?.data.call.id, id)
})

test('a tool call emits events when it starts and when it ends, whatever the outcome', async () => {
  const { client, userId, agentId, answered } = await caller('tools')
  const { id: callId, conversationId } = await answered()
  const store = toolCallStore(db)
  const base = { userId, conversationId, callId, toolId: null, name: 'look', arguments: '{"city":"x"}' }
  let keys = 0
  const asked = () => {
    const key = String(++keys)
    return { ...base, dedupeKey: key, argumentsKey: key, hasEffect: false, leaseMs: 60_000 }
  }
  const caps = { runs: 3, effects: 3 }
  const begin = async () => {
    const begun = await store.begin(asked(), caps)
    assert.ok(begun.state === 'begun')
    return begun.id
  }
  const done = { status: 'done', result: 'sunny', error: null, durationMs: 5, variables: null } as const
  await store.finish(await begin(), done)
  await store.finish(await begin(), { ...done, status: 'failed', result: null, error: 'no' })
  const left = await begin()
  await db.updateTable('toolCalls').set({ leaseUntil: '2020-01-01T00:00:00.000Z' }).where('id', '=', left).execute()
  await store.closeLeft()
  await store.begin(asked(), caps) // exceeds the tool's caps
  await store.refuse(asked(), 'not now')
  const events = (await told(client)).filter(({ type }) => type.startsWith('tool.'))
  assert.deepEqual(
    events.map(({ type }) => type.slice(5)),
    ['called', 'completed', 'called', 'failed', 'called', 'failed', 'failed', 'failed'],
  )
  for (const { data } of events)
    assert.deepEqual([data.callId, data.conversationId, data.agentId], [callId, conversationId, agentId])
  const { name, status, result, arguments: given } = events[1]?.data.toolCall ?? {}
  assert.deepEqual([name, status, result, given], ['look', 'done', 'sunny', { city: 'x' }])
})

test('devices and trunks emit an event for each status change only; a received text emits one', async () => {
  const { client, userId, agentId } = await caller('devices')
  const device = (await client.post('/api/gateway/devices', { name: 'desk', agentId })).json
  const states = deviceStates(db, secrets)
  await states.seen(device.id, true)
  await states.seen(device.id, true)
  await states.change(device.id, { error: 'weak line' })
  await db.updateTable('devices').set({ lastSeenAt: '2020-01-01T00:00:00.000Z' }).where('id', '=', device.id).execute()
  await states.stillThere([], 30_000)
  await client.patch(`/api/gateway/devices/${device.id}`, { isDisabled: true })
  const events = (await told(client)).filter(({ type }) => type === 'device.status_changed')
  const steps = events.map(({ data }) => [data.previousStatus, data.device.status])
  assert.deepEqual(steps, [
    ['provisioning', 'waiting_qr'],
    ['waiting_qr', 'connected'],
    ['connected', 'disconnected'],
    ['disconnected', 'disabled'],
  ])
  for (const { data } of events) assert.deepEqual([data.deviceId, data.agentId], [device.id, agentId])
  assert.ok(!JSON.stringify(events).includes(device.token), 'its token is not told')

  const texts = deviceTexts(db)
  const text = { userId, deviceId: device.id, key: 'k', peer: '+5511', own: null, text: 'oi' }
  await texts.received(text)
  await texts.received(text)
  const received = (await told(client)).filter(({ type }) => type === 'device.text_received')
  assert.equal(received.length, 1)
  assert.deepEqual(received[0]?.data.text.content, 'oi')

  const trunk = (await client.post('/api/trunks', { name: 'line', host: 'sip.example.com', password: 'hidden' })).json
  const trunks = trunkStore(db, secrets)
  const state = { status: 'registered', detail: null, isSeen: true } as const
  await trunks.found(userId, trunk.id, state)
  await trunks.found(userId, trunk.id, state)
  await trunks.found(userId, trunk.id, { status: 'unreachable', detail: 'no answer', isSeen: false })
  const lines = (await told(client)).filter(({ type }) => type === 'trunk.status_changed')
  assert.deepEqual(
    lines.map(({ data }) => [data.trunkId, data.previousStatus, data.trunk.status]),
    [
      [trunk.id, 'unknown', 'registered'],
      [trunk.id, 'registered', 'unreachable'],
    ],
  )
  assert.ok(!JSON.stringify(lines).includes('hidden'))
})

test('removing a call or an agent removes its events', async () => {
  const { client, userId, agentId, answered } = await caller('removal')
  const { id, conversationId } = await answered()
  await conversations.said(userId, conversationId, { type: 'user', content: 'secret' }, new Date().toISOString())
  await calls.finish(id, end)
  const other = await answered()
  assert.equal((await client.delete(`/api/calls/${id}`)).status, 200)
  const left = await told(client)
  assert.ok(left.length > 0 && left.every(({ data }) => data.callId === other.id))
  assert.ok(!JSON.stringify(left).includes('secret'))
  await calls.finish(other.id, end)
  const written = (await client.post('/api/conversations/start', { agentId })).json.id
  await client.post(`/api/conversations/message/send/${written}`, { type: 'user', content: 'x' })
  assert.equal((await client.delete(`/api/agents/${agentId}`)).status, 200)
  assert.deepEqual(await told(client), [])
})

test('events are stored for seven days, also where everything else is stored for ever', async () => {
  const { client, answered } = await caller('retention')
  await answered()
  const [first, second] = await told(client)
  const at = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  await db
    .updateTable('events')
    .set({ createdAt: at(7.1) })
    .where('id', '=', String(first?.id))
    .execute()
  await db
    .updateTable('events')
    .set({ createdAt: at(6.9) })
    .where('id', '=', String(second?.id))
    .execute()
  await retention(db, null, 'nod_of_this_test')()
  assert.deepEqual(
    (await told(client)).map(({ sequence }) => sequence),
    [2, 3, 4],
  )
})
