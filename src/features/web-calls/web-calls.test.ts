// Web calls over a real WebSocket: the token, audio both ways, the record and the recording.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, assertError, type Client, startTestApp, type TestApp, testApp } from '../../../test/app.ts'
import { recordingOf, toneAgent } from '../../../test/phone/talks.ts'
import { AGENT_HZ } from '../../../test/phone-app.ts'
import { heardMs, tone } from '../../../test/phones/spectrum.ts'
import { until } from '../../../test/until.ts'
import { orderOf, UP_HZ, webCaller } from '../../../test/web-caller.ts'

const agent = toneAgent()
let shared: Promise<TestApp> | undefined
async function toneApp() {
  shared ??= startTestApp({}, { converse: agent.converse })
  const base = await shared
  return { ...base, ana: await base.newUser('ana'), bia: await base.newUser('bia') }
}
const newAgent = async (client: Client, more: object = {}): Promise<string> =>
  (await client.post('/api/agents', { ...anAgent, ...more })).json.id

test('a request returns a token and where to use it', async () => {
  const { ana } = await testApp()
  const agentId = await newAgent(ana)
  const beforeMs = Date.now()
  const { status, json } = await ana.post('/api/web-calls', { agentId, expiresInSeconds: 120 })
  const afterMs = Date.now()
  assert.equal(status, 201)
  const { token, expiresAt, ...rest } = json
  assert.match(token, /^rwc_[\w.-]+$/)
  const issuedMs = Date.parse(expiresAt) - 120_000
  assert.ok(issuedMs >= beforeMs - 1000 && issuedMs <= afterMs + 1000, expiresAt) // whole seconds
  const paths = { socketPath: '/web-calls/audio', webrtcPath: '/web-calls/webrtc' }
  assert.deepEqual(rest, { agentId, ...paths, iceServers: [] })
})

test('a request needs an active agent of its owner, and the scope calls', async () => {
  const { ana, bia } = await testApp()
  const agentId = await newAgent(ana)
  assertError(await bia.post('/api/web-calls', { agentId }), 404, 'Agent not found')
  assertError(await ana.post('/api/web-calls', { agentId: 'agt_nobody' }), 404, 'Agent not found')
  assertError(await ana.post('/api/web-calls', { agentId, expiresInSeconds: 4 }), 400)
  assertError(await ana.post('/api/web-calls', { agentId, variables: { a: 'x'.repeat(2100) } }), 400)
  const other = await ana.withKey({ scopes: ['tts'] })
  assertError(await other.post('/api/web-calls', { agentId }), 403)
  const caller = await ana.withKey({ scopes: ['calls'] })
  assert.equal((await caller.post('/api/web-calls', { agentId })).status, 201)
  await ana.patch(`/api/agents/${agentId}`, { isActive: false })
  assertError(await ana.post('/api/web-calls', { agentId }), 409, 'This agent is not active')
})

test('audio and DTMF go both ways, and both sides are on the recording', async () => {
  const app = await toneApp()
  const agentId = await newAgent(app.ana)
  const order = { variables: { nome: 'João' }, metadata: { ticket: 7 } }
  const caller = await webCaller(app, await orderOf(app.ana, agentId, order))
  const talk = await agent.next()
  caller.says(tone(1000, 4, UP_HZ).pcm)
  const { callId, conversationId, ...rates } = await caller.until('started')
  assert.deepEqual(rates, { type: 'started', inputRateHz: 16_000, outputRateHz: 24_000 })
  assert.deepEqual([callId, conversationId], [talk.call.callId, talk.call.conversationId])

  caller.tell({ type: 'digit', digit: '5' })
  caller.tell({ type: 'digit', digit: '#' })
  await until('the agent has the keys', () => talk.digits() === '5#')
  const live = (await app.ana.get(`/api/calls/${callId}`)).json
  const { status, channel, direction, fromNumber, toNumber, variables, metadata } = live
  assert.deepEqual(
    { status, channel, direction, fromNumber, toNumber, variables, metadata },
    { status: 'in_progress', channel: 'web', direction: 'inbound', fromNumber: null, toNumber: 'web', ...order },
  )
  assertError(await app.bia.get(`/api/calls/${callId}`), 404)
  await until('the tone is heard', () => heardMs(caller.heard(), AGENT_HZ) > 1200, 60_000)
  await until('he has said all', () => !caller.isSpeaking())
  caller.tell({ type: 'hangup' })
  assert.equal((await caller.until('ended')).endReason, 'caller_hangup')
  assert.equal((await caller.closed).code, 1000)

  const record = (await app.ana.get(`/api/calls/${callId}`)).json
  assert.deepEqual([record.status, record.endReason, record.hangupBy], ['completed', 'caller_hangup', 'caller'])
  const { left, right, seconds } = await recordingOf(app as never, app.ana, String(callId))
  assert.equal(left.rateHz, 16_000)
  // On a busy machine, some of it arrives too late to be played.
  assert.ok(heardMs(left, 1000) > 500 && heardMs(left, 1000) < 4200, `the caller for ${heardMs(left, 1000)} ms`)
  assert.ok(heardMs(right, AGENT_HZ) > 1000, `the agent for ${heardMs(right, AGENT_HZ)} ms`)
  assert.equal(heardMs(left, AGENT_HZ) + heardMs(right, 1000), 0, 'each is on its own side')
  const callMs = Date.parse(record.endedAt) - Date.parse(record.answeredAt)
  assert.ok(Math.abs(seconds * 1000 - callMs) < 1500, `${seconds} s of ${callMs} ms`)
})

test('the consent notice is played before recording starts, and an agent that does not record has no recording', async () => {
  const own = toneAgent()
  const notices: string[] = []
  const announce = async (_call: unknown, text: string) => void notices.push(text)
  const app = await startTestApp({}, { converse: own.converse, announce })
  const talk = async (recording: object) => {
    const caller = await webCaller(app, await orderOf(app.ana, await newAgent(app.ana, { settings: { recording } })))
    const { callId } = (await own.next()).call
    caller.tell({ type: 'hangup' })
    await caller.closed
    return (await app.ana.get(`/api/calls/${callId}`)).json.hasRecording
  }
  assert.equal(await talk({ consentNotice: 'This call is recorded.' }), true)
  assert.deepEqual(notices, ['This call is recorded.'])
  assert.equal(await talk({ enabled: false, consentNotice: 'This call is recorded.' }), false)
  assert.equal(notices.length, 1)
})

test('a token ends with the key that requested it', async () => {
  const app = await toneApp()
  const agentId = await newAgent(app.ana)
  const ordering = await app.ana.withKey({ name: 'ordering' })
  const [order, other] = [await orderOf(ordering, agentId), await orderOf(app.ana, agentId)]
  const keys = (await app.ana.get('/api/api-keys')).json as { id: string; name: string }[]
  await app.ana.delete(`/api/api-keys/${keys.find(({ name }) => name === 'ordering')?.id}`)
  assert.equal((await (await webCaller(app, order)).closed).code, 4401)
  const caller = await webCaller(app, other)
  await agent.next()
  caller.tell({ type: 'hangup' })
  assert.equal((await caller.closed).code, 1000)
})

test('a token opens one call only, even after that call was deleted', async () => {
  const app = await toneApp()
  const order = await orderOf(app.ana, await newAgent(app.ana))
  const caller = await webCaller(app, order)
  const { callId } = (await agent.next()).call
  caller.tell({ type: 'hangup' })
  await caller.closed
  const url = `/api/calls/${callId}`
  await until('it has ended', async () => (await app.ana.get(url)).json.endedAt)
  assert.equal((await app.ana.delete(url)).status, 200)
  assert.equal((await (await webCaller(app, order)).closed).code, 4409)
  assertError(await app.ana.get(url), 404)
})
