// Inbound calls through a trunk: number formats, lost and retransmitted messages, hold, offers in the ACK.
// @run gate
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../app.ts'
import { agentOnTrunk, ended, startPhoneApp } from '../phone-app.ts'
import { openByHand } from '../phones/by-hand.ts'
import { runSipp } from '../phones/sipp.ts'
import { caller } from '../phones/sipp-scenarios.ts'
import { until } from '../until.ts'

/** Shortened timers: Ramal gives up on a missing ACK after 3.2 s. */
const app = await startPhoneApp({}, { timers: { t1: 50, t2: 400, t4: 500 } })

const callsOf = async (client: Client) => (await client.get('/api/calls')).json
const lastCall = async (client: Client, rows = 1) =>
  (
    await until(`${rows} calls are in the list`, async () => {
      const found = await callsOf(client)
      return found.length === rows && found
    })
  )[0]

let carriers = 10
async function carrierOf(t: Parameters<typeof openByHand>[0], trunk: object = {}) {
  const carrier = await openByHand(t, `127.0.2.${carriers++}`)
  const client = await app.newUser('owner')
  const made = await agentOnTrunk(app, client, carrier.port, { trunk: { host: carrier.address, ...trunk } })
  return { carrier, client, ...made }
}

test('a DID matches in every format that carriers send', async (t) => {
  const { carrier, client, number, trunkId } = await carrierOf(t, { username: 'acc4711' })
  const digits = number.slice(1)
  const national = number.slice(3)
  const own = `127.0.0.1:${app.sipPort}`
  const contact = app.app.phone?.directory.contactUser({ userId: client.userId, id: trunkId })
  const to = `<sip:${number}@${own}>`
  const forms = [
    { uri: number },
    { uri: digits },
    { uri: `00${digits}` },
    { uri: national },
    { uri: `0${national}` },
    { uri: `sip:${number}@${own};user=phone` },
    { uri: `sip:${number};npdi;rn=+551199@${own};user=phone` },
    { uri: `tel:${number}` },
    { uri: `tel:${number.slice(0, 3)}-${national.slice(0, 2)}-${national.slice(2)}` },
    { uri: `tel:${national};phone-context=+55` },
    { uri: `sip:${contact}@${own}`, to },
    { uri: `sip:${contact}@${own}`, to: `<tel:${number}>` },
    { uri: `sip:t0123456789abcdef01234567@${own}`, to },
    { uri: `sip:acc4711@${own}`, to },
    { uri: `sip:${own}`, to },
    { uri: `sip:acc4711@${own}`, headers: [['p-called-party-id', to]] as [string, string][] },
  ]
  for (const [i, form] of forms.entries()) {
    const call = await carrier.call(app.sipPort, form)
    const response = await call.final()
    assert.equal(response.status, 200, JSON.stringify(form))
    call.ack()
    await call.bye()
    const row = await lastCall(client, i + 1)
    assert.equal(row.toNumber, number, JSON.stringify(form))
    assert.equal(row.fromNumber, '+5521988887777')
  }
})

test('a national number that matches two countries matches no DID', async (t) => {
  const { carrier, client, agentId } = await carrierOf(t)
  for (const code of ['55', '54'])
    await client.post('/api/did', { phoneNumber: `+${code}1144445555`, countryCode: code, agentId })
  assert.equal((await (await carrier.call(app.sipPort, { uri: '1144445555' })).final()).status, 404)
})

test('an inbound call from answer to end: row, conversation, recording, SIP ladder', async (t) => {
  const { carrier, client, number, agentId, trunkId } = await carrierOf(t)
  const call = await carrier.call(app.sipPort, { uri: number })
  await call.answered()
  const live = await until('it is in progress', async () =>
    (await callsOf(client)).find((c: { status: string }) => c.status === 'in_progress'),
  )
  assert.deepEqual(
    [live.agentId, live.trunkId, live.direction, live.hasRecording],
    [agentId, trunkId, 'inbound', false],
  )
  await until('the agent is heard', () => carrier.rtpPackets() > 10)
  assert.deepEqual((await client.get('/api/calls/outbound/active')).json, [])
  await call.bye()
  const row = await ended(client, live.id)
  assert.deepEqual([row.status, row.endReason, row.hangupBy], ['completed', 'caller_hangup', 'caller'])
  assert.ok(row.startedAt <= row.answeredAt && row.answeredAt <= row.endedAt)
  assert.equal((await client.get(`/api/conversations/${row.conversationId}`)).json.status, 'ended')
  const recording = await client.get(`/api/gateway/calls/recordings/${row.id}`)
  assert.equal(recording.status, 200)
  assert.ok(Number(recording.headers['content-length']) > 44)
  const { ladder } = await until('its messages are kept', async () => {
    const { json } = await client.get(`/api/calls/${row.id}/sip`)
    return json.entries.length > 0 && json
  })
  for (const word of ['INVITE', '200 OK', 'ACK', 'BYE']) assert.ok(ladder.includes(word), ladder)
})

test('a retransmitted INVITE makes one call, and its answer is repeated', async (t) => {
  const { carrier, client, number } = await carrierOf(t)
  const call = await carrier.call(app.sipPort, { uri: number })
  for (let i = 0; i < 5; i++) call.repeat()
  await call.final()
  for (let i = 0; i < 5; i++) call.repeat()
  await until('the answer was repeated', () => call.finals().length >= 2)
  assert.equal(new Set(call.finals().map((one) => one.headers.get('to'))).size, 1, 'always the same dialog')
  call.ack()
  await call.bye()
  assert.equal((await callsOf(client)).length, 1)
})

test('a caller who cancels before the answer gets 487, and the row is canceled', async (t) => {
  const { carrier, client, number } = await carrierOf(t)
  const call = await carrier.call(app.sipPort, { uri: number })
  call.cancel()
  assert.equal((await call.final()).status, 487)
  assert.equal(call.finals('CANCEL')[0]?.status, 200)
  const row = await ended(client, (await lastCall(client)).id)
  assert.deepEqual([row.status, row.endReason, row.hangupBy], ['canceled', 'caller_hangup', 'caller'])
  await until('all places are free', () => app.app.phone?.live.total === 0)
})

test('an unacknowledged answer is retransmitted, then the call is hung up and its row closed', async (t) => {
  const { carrier, client, number } = await carrierOf(t)
  const call = await carrier.call(app.sipPort, { uri: number })
  await call.final()
  await call.over()
  assert.ok(call.finals().length >= 5, `${call.finals().length} answers`)
  const row = await ended(client, (await lastCall(client)).id)
  assert.deepEqual([row.status, row.endReason, row.hangupBy], ['failed', 'sip_error', 'system'])
  assert.ok(row.endDetail)
})

test('a second BYE gets 481', async (t) => {
  const { carrier, number } = await carrierOf(t)
  const call = await carrier.call(app.sipPort, { uri: number })
  await call.answered()
  assert.equal((await call.bye()).status, 200)
  assert.equal((await call.bye()).status, 481)
})

test('a re-INVITE holds and resumes the call', async (t) => {
  const { carrier, client, number } = await carrierOf(t)
  const call = await carrier.call(app.sipPort, { uri: number })
  await call.answered()
  await until('the agent is heard', () => carrier.rtpPackets() > 5)
  const held = await call.tell('INVITE', `${carrier.sdp()}a=sendonly\r\n`)
  assert.equal(held.status, 200)
  assert.match(held.body.toString(), /a=recvonly/)
  const before = carrier.rtpPackets()
  const resumed = await call.tell('INVITE', carrier.sdp())
  assert.match(resumed.body.toString(), /a=sendrecv|^(?![\s\S]*a=(recvonly|inactive))/)
  await until('the agent is heard again', () => carrier.rtpPackets() > before + 10)
  await call.bye()
  assert.equal((await callsOf(client)).length, 1)
})

test('an INVITE without an offer gets ours, and the answer is taken from its ACK', async (t) => {
  const { carrier, number } = await carrierOf(t)
  const call = await carrier.call(app.sipPort, { uri: number, sdp: null })
  const response = await call.final()
  assert.equal(response.status, 200)
  assert.match(response.body.toString(), /m=audio \d+ RTP\/AVP/)
  call.ack(carrier.sdp())
  await until('the agent is heard', () => carrier.rtpPackets() > 5)
  await call.bye()
})

test('a digest trunk calls in with its password only', async (t) => {
  const client = await app.newUser('digest')
  const trunk = { host: '127.0.2.250', authMode: 'digest', username: 'carrier-x', password: 'very-secret' }
  const { number, trunkId } = await agentOnTrunk(app, client, 5060, { trunk })
  // Another user's trunk with the same username does not interfere.
  const other = await app.newUser('namesake')
  await agentOnTrunk(app, other, 5060, { trunk: { ...trunk, host: '127.0.2.251', password: 'another' } })
  const callAs = (password: string) => {
    const credentials = { username: 'carrier-x', password, challenge: 401 as const }
    const to = `127.0.0.1:${app.sipPort}`
    // By default sipp signs a URI without the called number.
    const args = ['-auth_uri', `${number}@${to}`]
    return runSipp({ scenario: caller({ talkMs: 200, credentials }), to, service: number, args })
  }
  await callAs('very-secret')
  const row = await lastCall(client)
  assert.deepEqual([row.trunkId, row.toNumber], [trunkId, number])
  await assert.rejects(callAs('guessed'), /403 Forbidden/)
  const silent = await openByHand(t, '127.0.2.250')
  assert.equal((await (await silent.call(app.sipPort, { uri: number })).final()).status, 401)
  assert.equal((await callsOf(client)).length, 1)
  assert.ok(!app.logs().includes('very-secret'))
})
