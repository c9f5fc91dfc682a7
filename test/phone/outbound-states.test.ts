// The states of an outbound call from `initiating` to its end: the effect of each response, and hangup at every stage.
// @run gate
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { SipRequest } from '../../src/sip/message/message.ts'
import type { Client } from '../app.ts'
import { assertError } from '../app.ts'
import { agentOnTrunk, ended, newNumber, startPhoneApp } from '../phone-app.ts'
import { type ByHand, openByHand } from '../phones/by-hand.ts'
import { until } from '../until.ts'

const app = await startPhoneApp({ CALLS_PER_SECOND: '1000' })

async function carrierOf(t: TestContext, client: Client, trunk: object = {}, at = app) {
  const carrier = await openByHand(t)
  return { carrier, ...(await agentOnTrunk(at, client, carrier.port, { type: 'outbound', trunk })) }
}
const dial = async (client: Client, agentId: string, toNumber = newNumber()): Promise<string> =>
  (await client.post('/api/calls/outbound', { agentId, toNumber })).json.callId
const statusOf = async (client: Client, callId: string) => (await client.get(`/api/calls/${callId}`)).json.status
const active = async (client: Client) => (await client.get('/api/calls/outbound/active')).json

/** Handles every INVITE with this function, and answers later requests normally. */
function answering(carrier: ByHand, invited: (invite: SipRequest) => void): void {
  const seen = new Set<string>()
  carrier.onRequest = (request) => {
    const branch = request.headers.get('via') ?? ''
    if (request.method === 'INVITE' && !seen.has(branch)) invited(request)
    if (request.method === 'BYE') carrier.answer(request, 200)
    if (request.method === 'CANCEL') {
      carrier.answer(request, 200)
      const invite = carrier.all('INVITE').at(-1) as SipRequest
      carrier.answer(invite, 487)
    }
    seen.add(branch)
  }
}

test('128 active calls are those that have not ended, with the status of each stage', async (t) => {
  const client = await app.newUser('states')
  const { carrier, agentId } = await carrierOf(t, client)
  const toNumber = newNumber()
  const states: string[] = []
  const callId = await dial(client, agentId, toNumber)
  const invite = await carrier.request('INVITE')
  const look = async () => {
    const [call, ...others] = await active(client)
    assert.deepEqual(others, [])
    assert.deepEqual(
      [call.callId, call.agentId, call.toNumber, call.direction],
      [callId, agentId, toNumber, 'outbound'],
    )
    assert.match(call.startedAt, /^\d{4}-.*Z$/)
    states.push(call.status)
    return call.status
  }
  assert.equal(await look(), 'initiating')
  carrier.answer(invite, 100)
  carrier.answer(invite, 180)
  await until('it rings', async () => (await statusOf(client, callId)) === 'ringing')
  assert.equal(await look(), 'ringing')
  carrier.answer(invite, 200, { sdp: carrier.sdp() })
  await until('it is answered', async () => (await statusOf(client, callId)) === 'in_progress')
  // A late response does not revert the status.
  carrier.answer(invite, 180)
  carrier.answer(invite, 200, { sdp: carrier.sdp() })
  assert.equal(await look(), 'in_progress')
  await until('the agent is heard', () => carrier.rtpPackets() > 5)
  answering(carrier, () => {})
  assert.equal((await client.post(`/api/calls/${callId}/hangup`)).status, 200)
  await carrier.request('BYE')
  assert.deepEqual(await active(client), [])
  const end = await ended(client, callId)
  assert.deepEqual([end.status, end.endReason], ['completed', 'canceled_by_api'])
  assert.deepEqual(states, ['initiating', 'ringing', 'in_progress'])
  assert.ok(end.startedAt <= end.ringingAt && end.ringingAt <= end.answeredAt && end.answeredAt <= end.endedAt)
})

test('each refusal by the called party has its own end reason, and no other trunk is tried', async (t) => {
  const client = await app.newUser('refusals')
  const { carrier, agentId } = await carrierOf(t, client, { priority: 1 })
  const second = await openByHand(t)
  const other = (await client.post('/api/trunks', { name: 'b', host: '127.0.0.1', port: second.port, priority: 2 }))
    .json
  await client.post(`/api/agents/${agentId}/link-trunk`, { trunkId: other.id, trunkType: 'outbound' })
  await app.app.phone?.refresh()
  const cases: [number, string, string][] = [
    [486, 'busy', 'busy'],
    [600, 'busy', 'busy'],
    [404, 'failed', 'invalid_number'],
    [484, 'failed', 'invalid_number'],
    [603, 'failed', 'rejected'],
    [403, 'failed', 'rejected'],
    [480, 'no_answer', 'no_answer'],
  ]
  for (const [code, status, endReason] of cases) {
    answering(carrier, (invite) => carrier.answer(invite, code, { reason: 'So be it' }))
    const end = await ended(client, await dial(client, agentId))
    assert.deepEqual([end.status, end.endReason, end.sipCode, end.hangupBy], [status, endReason, code, 'carrier'])
    assert.match(end.endDetail, /So be it/)
  }
  assert.equal(second.all('INVITE').length, 0)
})

test('an unanswered call is cancelled after the ring timeout: no_answer', async (t) => {
  const impatient = await startPhoneApp({}, { ringMs: 1500 })
  const client = await impatient.newUser('nobody')
  const { carrier, agentId } = await carrierOf(t, client, {}, impatient)
  answering(carrier, (invite) => carrier.answer(invite, 180))
  const end = await ended(client, await dial(client, agentId))
  assert.deepEqual([end.status, end.endReason, end.hangupBy], ['no_answer', 'no_answer', 'system'])
  await carrier.request('CANCEL')
})

test('a call can be hung up through the API while it waits, dials and rings', async (t) => {
  const client = await app.newUser('hangup')
  const { carrier, agentId } = await carrierOf(t, client, { maxConcurrentCalls: 1 })
  const invited: SipRequest[] = []
  answering(carrier, (invite) => {
    invited.push(invite)
    if (invited.length === 1) carrier.answer(invite, 180)
  })
  const ringing = await dial(client, agentId)
  await until('it rings', async () => (await statusOf(client, ringing)) === 'ringing')
  const waiting = await dial(client, agentId)
  assert.equal(await statusOf(client, waiting), 'initiating')
  assert.equal((await client.post(`/api/calls/${waiting}/hangup`)).json.status, 'canceled')
  assertError(await client.post(`/api/calls/${waiting}/hangup`), 409)
  const hung = (await client.post(`/api/calls/${ringing}/hangup`)).json
  assert.deepEqual([hung.status, hung.endReason], ['canceled', 'canceled_by_api'])
  await carrier.request('CANCEL')
  await until('its place is free', () => app.app.phone?.live.total === 0)
  const tried = await dial(client, agentId)
  await until('it is sent', () => invited.length === 2)
  await client.post(`/api/calls/${tried}/hangup`)
  // A CANCEL must wait for a provisional response (RFC 3261 section 9.1).
  carrier.answer(invited[1] as SipRequest, 100)
  await carrier.request('CANCEL', 1)
  assert.equal(await statusOf(client, tried), 'canceled')
  assert.equal(invited.length, 2, 'the one that waited never went out')
  await until('nothing is left', () => app.app.phone?.live.total === 0 && app.app.phone.live.ids().length === 0)
})

test('an answer that crosses our CANCEL is acknowledged and hung up', async (t) => {
  const client = await app.newUser('crossing')
  const { carrier, agentId } = await carrierOf(t, client)
  carrier.onRequest = (request) => {
    if (request.method === 'INVITE' && carrier.all('INVITE').length === 1) carrier.answer(request, 180)
    if (request.method === 'CANCEL') {
      carrier.answer(request, 200)
      carrier.answer(carrier.all('INVITE')[0] as SipRequest, 200, { sdp: carrier.sdp() })
    }
    if (request.method === 'BYE') carrier.answer(request, 200)
  }
  const callId = await dial(client, agentId)
  await until('it rings', async () => (await statusOf(client, callId)) === 'ringing')
  await client.post(`/api/calls/${callId}/hangup`)
  await carrier.next('ACK')
  await carrier.request('BYE')
  assert.equal(await statusOf(client, callId), 'canceled')
})

test('the remote side hangs up: completed, by the caller', async (t) => {
  const client = await app.newUser('far')
  const { carrier, agentId } = await carrierOf(t, client)
  answering(carrier, (invite) => carrier.answer(invite, 200, { sdp: carrier.sdp() }))
  const callId = await dial(client, agentId)
  const recordingStatus = async () => (await client.get(`/api/calls/${callId}`)).json.recordingStatus
  await until('it is answered and recorded', async () => (await recordingStatus()) === 'recording')
  const invite = await carrier.request('INVITE')
  const [from, to] = [invite.headers.get('to'), invite.headers.get('from')]
  const bye = [
    `BYE sip:x@127.0.0.1:${app.sipPort} SIP/2.0`,
    `Via: SIP/2.0/UDP 127.0.0.1:${carrier.port};branch=z9hG4bKbye;rport`,
    `From: ${from};tag=far`,
    `To: ${to}`,
    `Call-ID: ${invite.headers.get('call-id')}`,
    'CSeq: 9 BYE',
    'Max-Forwards: 70',
    'Content-Length: 0',
  ]
  carrier.send(`${bye.join('\r\n')}\r\n\r\n`, app.sipPort)
  const end = await ended(client, callId)
  assert.deepEqual([end.status, end.endReason, end.hangupBy], ['completed', 'caller_hangup', 'caller'])
  const isRecorded = async () => (await client.get(`/api/calls/${callId}`)).json.hasRecording
  await until('its recording is stored', isRecorded)
})
