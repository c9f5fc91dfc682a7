// Refused inbound calls: the SIP code, the row that the owner sees, and the log line.
// @run gate
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerChallenge, newNonceCounters } from '../../src/sip/auth/digest.ts'
import { aNumber, type Client } from '../app.ts'
import { agentOnTrunk, ended, startPhoneApp } from '../phone-app.ts'
import { type ByHand, openByHand } from '../phones/by-hand.ts'
import { until } from '../until.ts'

const app = await startPhoneApp()

/** This user's only call, once it is stored with its messages. */
async function onlyCall(client: Client) {
  const call = await until('the call is in the list', async () => {
    const { json } = await client.get('/api/calls')
    return json.length > 0 && json[0].endedAt !== null && json
  })
  assert.equal(call.length, 1)
  const { entries } = await until('its messages are kept', async () => {
    const { json } = await client.get(`/api/calls/${call[0].id}/sip`)
    return json.entries.length > 0 && json
  })
  return { row: call[0], entries }
}

async function refusedBy(client: Client, carrier: ByHand, number: string, code: number, headers = {}) {
  const call = await carrier.call(app.sipPort, { uri: number, ...headers })
  const response = await call.final()
  assert.equal(response.status, code)
  const { row, entries } = await onlyCall(client)
  assert.equal(row.status, 'failed')
  assert.equal(row.direction, 'inbound')
  assert.equal(row.sipCode, code)
  assert.equal(row.fromNumber, '+5521988887777')
  assert.equal(row.hangupBy, 'system')
  assert.match(entries[0].summary, /^INVITE/)
  assert.ok(entries.some(({ summary }: { summary: string }) => summary.startsWith(String(code))))
  const line = app
    .logs()
    .split('\n')
    .find((text) => text.includes(client.userId) && text.includes('inbound call refused'))
  assert.match(line ?? '', new RegExp(`"sipCode":${code}`))
  assert.ok(line?.includes(row.endReason) && line.includes(row.endDetail))
  return { row, response }
}

/**
 * A new user with a trunk at this carrier's address. Each carrier has an address of its own, or users would share one.
 */
let carriers = 10
async function carrierOf(t: Parameters<typeof openByHand>[0], more: Parameters<typeof agentOnTrunk>[3] = {}) {
  const carrier = await openByHand(t, `127.0.1.${carriers++}`)
  const client = await app.newUser('owner')
  const trunk = { host: carrier.address, ...more.trunk }
  return { carrier, client, ...(await agentOnTrunk(app, client, carrier.port, { ...more, trunk })) }
}

test('102 a call to an unknown number is refused with 404, and is in no list', async (t) => {
  const { carrier, client, number } = await carrierOf(t)
  const unknown = await carrier.call(app.sipPort, { uri: '+551130009999' })
  assert.equal((await unknown.final()).status, 404)
  const known = await carrier.call(app.sipPort, { uri: number })
  await known.answered()
  await known.bye()
  const { row } = await onlyCall(client)
  assert.equal(row.toNumber, number)
})

test('102 a call to an inactive number is refused with 404', async (t) => {
  const { carrier, client, number } = await carrierOf(t)
  const [did] = (await client.get('/api/did')).json
  await client.patch(`/api/did/${did.id}`, { status: 'inactive' })
  const { row } = await refusedBy(client, carrier, number, 404)
  assert.match(row.endDetail, /inactive/)
})

test('102 a call to a number without an agent is refused with 404', async (t) => {
  const { carrier, client } = await carrierOf(t)
  const number = aNumber()
  await client.post('/api/did', { phoneNumber: number, countryCode: '55' })
  const { row } = await refusedBy(client, carrier, number, 404)
  assert.match(row.endDetail, /no agent/)
  assert.equal(row.agentId, null)
})

test('78, 102 an inactive agent does not answer: 480', async (t) => {
  const { carrier, client, number, agentId } = await carrierOf(t)
  await client.patch(`/api/agents/${agentId}`, { isActive: false })
  const { row } = await refusedBy(client, carrier, number, 480)
  assert.deepEqual([row.endReason, row.agentId], ['agent_inactive', agentId])
})

test('103 an agent for outbound calls does not answer: 480', async (t) => {
  const { carrier, client, number } = await carrierOf(t, { agent: { direction: 'outbound' } })
  const { row } = await refusedBy(client, carrier, number, 480)
  assert.match(row.endDetail, /only makes outbound calls/)
})

test('a trunk that is switched off, or not for inbound calls, is refused with 403', async (t) => {
  for (const trunk of [{ isActive: false }, { directions: ['outbound'] }]) {
    const { carrier, client, number } = await carrierOf(t, { trunk })
    const { row } = await refusedBy(client, carrier, number, 403)
    assert.equal(row.endReason, 'trunk_unavailable')
  }
})

test('a caller who is not among the allowed numbers is refused with 403, one who is gets through', async (t) => {
  const { carrier, client, number } = await carrierOf(t, { trunk: { allowedNumbers: ['+5511*', '+442071234567'] } })
  const { row } = await refusedBy(client, carrier, number, 403)
  assert.equal(row.endReason, 'rejected')
  const from = '"Bob" <sip:anonymous@anonymous.invalid>'
  const asserted: [string, string][] = [['p-asserted-identity', '<sip:+442071234567@example.org>']]
  const call = await carrier.call(app.sipPort, { uri: number, from, headers: asserted })
  await call.answered()
  await call.bye()
})

test('a call without a common codec is refused with 488', async (t) => {
  const { carrier, client, number } = await carrierOf(t, { trunk: { codecs: ['PCMA'] } })
  const { row } = await refusedBy(client, carrier, number, 488, { sdp: carrier.sdp('0 101') })
  assert.match(row.endDetail, /No audio in common/)
})

test("above a trunk's limit the next call is refused with 486, and the first continues", async (t) => {
  const { carrier, client, number } = await carrierOf(t, { trunk: { maxConcurrentCalls: 1 } })
  const first = await carrier.call(app.sipPort, { uri: number })
  await first.answered()
  const second = await carrier.call(app.sipPort, { uri: number })
  assert.equal((await second.final()).status, 486)
  const rows = await until('both are in the list', async () => {
    const { json } = await client.get('/api/calls')
    return json.length === 2 && json
  })
  const refused = rows.find((row: { sipCode: number | null }) => row.sipCode === 486)
  assert.deepEqual([refused.endReason, refused.status], ['concurrency_limit', 'failed'])
  assert.match(refused.endDetail, /This trunk carries 1 calls/)
  assert.equal((await first.bye()).status, 200)
  const other = rows.find((row: { id: string }) => row.id !== refused.id)
  assert.equal((await ended(client, other.id)).endReason, 'caller_hangup')
  const third = await carrier.call(app.sipPort, { uri: number })
  await third.answered()
  await third.bye()
})

test('of two users with one carrier, the owner of the number gets the call, and only they see a refusal', async (t) => {
  const carrier = await openByHand(t, '127.0.1.200')
  const [eva, fia] = [await app.newUser('eva'), await app.newUser('fia')]
  const trunk = { host: carrier.address }
  const ofEva = await agentOnTrunk(app, eva, carrier.port, { trunk: { ...trunk, isActive: false } })
  const account = { authMode: 'digest', username: 'fia', password: 'very-secret' }
  const ofFia = await agentOnTrunk(app, fia, carrier.port, { trunk: { ...trunk, ...account } })
  // The carrier's address belongs to Eva; for Fia it authenticates.
  const first = await carrier.call(app.sipPort, { uri: ofFia.number })
  const challenge = await first.final()
  assert.equal(challenge.status, 401)
  const proof = answerChallenge(challenge, first.invite, account, newNonceCounters())
  const headers: [string, string][] = [['authorization', proof?.value ?? '']]
  const call = await carrier.call(app.sipPort, { uri: ofFia.number, headers })
  await call.answered()
  await call.bye()
  const [row] = (await fia.get('/api/calls')).json
  assert.deepEqual([row.agentId, row.trunkId, row.toNumber], [ofFia.agentId, ofFia.trunkId, ofFia.number])
  assert.equal((await (await carrier.call(app.sipPort, { uri: ofEva.number })).final()).status, 403)
  const rowsOfEva = await until('the refused call is there', async () => {
    const { json } = await eva.get('/api/calls')
    return json.length > 0 && json
  })
  assert.deepEqual(
    rowsOfEva.map((each: { toNumber: string }) => each.toNumber),
    [ofEva.number],
  )
  assert.equal((await fia.get('/api/calls')).json.length, 1)
  await fia.delete(`/api/trunks/${ofFia.trunkId}`)
})

test('a trunk matches a range of addresses', async (t) => {
  const client = await app.newUser('range')
  const trunk = { host: 'carrier.invalid', allowedAddresses: ['127.0.3.0/24'] }
  const { number } = await agentOnTrunk(app, client, 5060, { trunk })
  const inside = await (await openByHand(t, '127.0.3.77')).call(app.sipPort, { uri: number })
  await inside.answered()
  await inside.bye()
  const outside = await (await openByHand(t, '127.0.4.77')).call(app.sipPort, { uri: number })
  await assert.rejects(outside.final(700), /not within/)
})
