// Carrier ownership: no account receives another account's calls by claiming its carrier, nor places calls at its
// expense.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerChallenge, newNonceCounters } from '../../src/sip/auth/digest.ts'
import type { SipResponse } from '../../src/sip/message/message.ts'
import { anAgent, type Client } from '../app.ts'
import { agentOnTrunk, ended, newNumber, startPhoneApp } from '../phone-app.ts'
import { type ByHand, openByHand } from '../phones/by-hand.ts'
import { toneAgent } from './talks.ts'

const agent = toneAgent()
const app = await startPhoneApp({ CALLS_PER_SECOND: '1000' }, { converse: agent.converse })

const dial = async (client: Client, agentId: string) =>
  (await client.post('/api/calls/outbound', { agentId, toNumber: newNumber() })).json.callId as string

const busy = (carrier: ByHand) => {
  carrier.onRequest = (request) => request.method === 'INVITE' && carrier.answer(request, 486)
}

const statusOf = async (carrier: ByHand, uri: string) =>
  (await (await carrier.call(app.sipPort, { uri })).final()).status

/** The carrier's ACK proves its address. */
async function answeredCall(carrier: ByHand, uri: string): Promise<void> {
  const call = await carrier.call(app.sipPort, { uri })
  await call.answered()
  await call.bye()
}

async function answerTo(side: ByHand, method: string, headers: [string, string][] = [], username = 'nobody') {
  const request = side.ask(app.sipPort, method, { to: `<sip:${username}@127.0.0.1>`, headers })
  const isAnswer = ({ message }: ByHand['heard'][number]) =>
    message.headers.get('call-id') === request.headers.get('call-id')
  // As many event-loop turns as 700 ms have, however long they take.
  for (let looks = 0; looks < 35 && !side.heard.some(isAnswer); looks++) await sleep(20)
  return { request, response: side.heard.find(isAnswer)?.message as SipResponse | undefined }
}

async function guess(side: ByHand, username: string, password: string): Promise<number | undefined> {
  const { request, response } = await answerTo(side, 'REGISTER', [], username)
  if (response?.status !== 401) return response?.status
  const proof = answerChallenge(response, request, { username, password }, newNonceCounters())
  return (await answerTo(side, 'REGISTER', [['authorization', proof?.value ?? '']], username)).response?.status
}

async function users(t: TestContext, address: string) {
  const [ana, mallory] = [await app.newUser('ana'), await app.newUser('mallory')]
  return { ana, mallory, carrier: await openByHand(t, address) }
}

test('calls of a digest carrier stay with its account, whoever else claims the address', async (t) => {
  const { ana, mallory, carrier } = await users(t, '127.0.8.1')
  const trunk = { host: carrier.address, authMode: 'digest', username: 'acc', password: 'right' }
  const ofAna = await agentOnTrunk(app, ana, carrier.port, { trunk })
  const ofMallory = await agentOnTrunk(app, mallory, 5060, {
    trunk: { host: 'carrier.invalid', allowedAddresses: ['127.0.8.0/24'] },
  })
  for (const number of [ofAna.number, ofMallory.number, newNumber()]) assert.equal(await statusOf(carrier, number), 401)
  assert.deepEqual((await mallory.get('/api/calls')).json, [])
  // At an address of the range that no other user claims, the calls are Mallory's.
  const own = await openByHand(t, '127.0.8.9')
  const call = await own.call(app.sipPort, { uri: ofMallory.number })
  await call.answered()
  await call.bye()
})

test('a second account at an ip-authenticated carrier neither receives its calls nor calls through it', async (t) => {
  const { ana, mallory, carrier } = await users(t, '127.0.9.1')
  busy(carrier)
  const trunk = { host: carrier.address }
  const ofAna = await agentOnTrunk(app, ana, carrier.port, { trunk })
  await ana.post(`/api/agents/${ofAna.agentId}/link-trunk`, { trunkId: ofAna.trunkId, trunkType: 'outbound' })
  const ofMallory = await agentOnTrunk(app, mallory, carrier.port, { trunk })
  const linkOut = { trunkId: ofMallory.trunkId, trunkType: 'outbound' }
  await mallory.post(`/api/agents/${ofMallory.agentId}/link-trunk`, linkOut)
  // Nobody has proved the address, so it excludes nobody.
  assert.equal((await ended(mallory, await dial(mallory, ofMallory.agentId))).endReason, 'busy')
  await answeredCall(carrier, ofAna.number)
  const before = (await mallory.get('/api/calls')).json.length
  assert.equal(await statusOf(carrier, newNumber()), 404)
  assert.equal((await mallory.get('/api/calls')).json.length, before, 'she does not hear who called')

  const refused = await ended(mallory, await dial(mallory, ofMallory.agentId))
  assert.equal(refused.endReason, 'trunk_unavailable')
  assert.match(refused.endDetail, /127\.0\.9\.1 belongs to another account/)
  const report = (await mallory.post(`/api/trunks/${ofMallory.trunkId}/doctor`, {})).json
  assert.deepEqual([report.ok, report.cause], [false, 'not_allowed'])
  assert.equal(carrier.all('INVITE').length, 1)
  assert.equal(carrier.all('OPTIONS').length, 0)

  assert.equal((await ended(ana, await dial(ana, ofAna.agentId))).endReason, 'busy')
  assert.equal(carrier.all('INVITE').length, 2)
})

test('a password that the carrier does not ask for calls at nobody else’s expense; one that it asks for is enough', async (t) => {
  const { ana, mallory, carrier } = await users(t, '127.0.9.2')
  const trunk = { host: carrier.address }
  const ofAna = await agentOnTrunk(app, ana, carrier.port, { trunk })
  await answeredCall(carrier, ofAna.number)
  const account = { username: 'account', password: 'secret' }
  const outbound = { type: 'outbound', trunk: { ...trunk, ...account } } as const
  const ofMallory = await agentOnTrunk(app, mallory, carrier.port, outbound)
  // The carrier recognizes this server by its address and rings without a challenge.
  carrier.onRequest = (request) => {
    if (request.method === 'CANCEL') carrier.answer(request, 200)
    if (request.method === 'INVITE') carrier.answer(request, 180)
  }
  for (let i = 0; i < 2; i++) {
    const refused = await ended(mallory, await dial(mallory, ofMallory.agentId))
    assert.deepEqual([refused.endReason, refused.answeredAt], ['trunk_unavailable', null])
    assert.match(refused.endDetail, /belongs to another account/)
  }
  await carrier.next('CANCEL')
  assert.equal(carrier.all('INVITE').length, 1, 'the second call is not sent')
  const eva = await app.newUser('eva')
  const ofEva = await agentOnTrunk(app, eva, carrier.port, outbound)
  carrier.onRequest = (request) =>
    carrier.answer(request, 200, request.method === 'INVITE' ? { sdp: carrier.sdp() } : {})
  assert.match((await ended(eva, await dial(eva, ofEva.agentId))).endDetail, /belongs to another account/)
  await carrier.next('BYE')

  const bia = await app.newUser('bia')
  const ofBia = await agentOnTrunk(app, bia, carrier.port, outbound)
  const challenge: [string, string][] = [['proxy-authenticate', 'Digest realm="r", nonce="n", qop="auth"']]
  carrier.onRequest = (request) => {
    if (request.method !== 'INVITE') return
    if (request.headers.has('proxy-authorization')) carrier.answer(request, 486)
    else carrier.answer(request, 407, { headers: challenge })
  }
  assert.equal((await ended(bia, await dial(bia, ofBia.agentId))).endReason, 'busy')
})

test('a range or a host that is only written down excludes nobody', async (t) => {
  const { ana, mallory, carrier } = await users(t, '127.0.9.3')
  busy(carrier)
  const claims = { host: carrier.address, allowedAddresses: ['127.0.9.0/24'] }
  await agentOnTrunk(app, mallory, carrier.port, { trunk: claims })
  for (const account of [{}, { username: 'account', password: 'secret' }]) {
    const trunk = { host: carrier.address, ...account }
    const { agentId } = await agentOnTrunk(app, ana, carrier.port, { trunk, type: 'outbound' })
    assert.equal((await ended(ana, await dial(ana, agentId))).endReason, 'busy')
  }
  assert.equal(carrier.all('INVITE').length, 2)
})

test('a call goes to the owner of its number, whoever claimed the address first; one to a number of nobody is in no list', async (t) => {
  const { ana, mallory, carrier } = await users(t, '127.0.9.4')
  const ofMallory = await agentOnTrunk(app, mallory, carrier.port, {
    trunk: { host: '127.0.9.5', allowedAddresses: ['127.0.9.0/24'] },
  })
  const ofAna = await agentOnTrunk(app, ana, carrier.port, { trunk: { host: carrier.address } })
  const lists = async () => [(await ana.get('/api/calls')).json, (await mallory.get('/api/calls')).json]
  assert.equal(await statusOf(carrier, newNumber()), 404)
  assert.deepEqual(await lists(), [[], []])
  await answeredCall(carrier, ofAna.number)
  const [rows, others] = await lists()
  assert.deepEqual([rows.length, rows[0].toNumber, others.length], [1, ofAna.number, 0])
  // Proved or not, her number is hers.
  await answeredCall(carrier, ofMallory.number)
  assert.equal((await mallory.get('/api/calls')).json[0].toNumber, ofMallory.number)
  assert.equal(await statusOf(carrier, newNumber()), 404)
  assert.deepEqual(
    (await lists()).map((list) => list.length),
    [1, 1],
  )
})

test('a number without its country code goes to the account that has proved the address, and to nobody while it is of two', async (t) => {
  const { ana, mallory, carrier } = await users(t, '127.0.9.6')
  const trunk = { host: carrier.address }
  const national = newNumber().slice(3)
  const numberOf = async (client: Client, phoneNumber: string, countryCode: string) => {
    const { agentId } = await agentOnTrunk(app, client, carrier.port, { trunk })
    assert.equal((await client.post('/api/did', { phoneNumber, countryCode, agentId })).status, 201)
  }
  // Registered first, and the same number without the country code.
  await numberOf(mallory, `+54${national}`, '54')
  await numberOf(ana, `+55${national}`, '55')
  assert.equal(await statusOf(carrier, national), 404)
  await answeredCall(carrier, `+55${national}`)
  await answeredCall(carrier, national)
  assert.deepEqual((await mallory.get('/api/calls')).json, [])
  assert.equal((await ana.get('/api/calls')).json.length, 2)
})

test('a transfer to a SIP address does not reach the carrier of another account, nor this server itself', async (t) => {
  const { ana, mallory, carrier } = await users(t, '127.0.10.1')
  busy(carrier)
  const ofAna = await agentOnTrunk(app, ana, carrier.port, { trunk: { host: carrier.address } })
  await answeredCall(carrier, ofAna.number)
  const own = await openByHand(t, '127.0.10.2')
  const free = await openByHand(t, '127.0.10.3')
  busy(free)
  const { number } = await agentOnTrunk(app, mallory, own.port, { trunk: { host: own.address } })
  const call = await own.call(app.sipPort, { uri: number })
  await call.answered()
  let talk = await agent.next()
  while (talk.call.userId !== mallory.userId) talk = await agent.next()
  const { transport } = talk
  const transfer = (to: string) => transport.act({ do: 'transfer', to, method: 'bridge', ringTimeoutMs: 15_000 })
  const place = `${carrier.address}:${carrier.port}`
  for (const to of [`sip:+5511900000000@${place}`, `sip:x@carrier.invalid:${carrier.port};maddr=${carrier.address}`])
    assert.match((await transfer(to)).detail ?? '', /belongs to another account/)
  assert.match((await transfer(`sip:x@127.0.0.1:${app.sipPort}`)).detail ?? '', /is this server itself/)
  assert.equal((await transfer(`sip:x@${free.address}:${free.port}`)).status, 'busy')
  assert.equal(carrier.all('INVITE').length, 0)
  await call.bye()
})

test('a claimed address may not guess passwords, and OPTIONS from a mere range is not answered', async (t) => {
  const { ana, mallory, carrier: guesser } = await users(t, '127.0.11.7')
  const device = (await ana.post('/api/gateway/devices', { name: 'desk' })).json
  assert.ok(device.id)
  const account = (await ana.get('/api/gateway/sip/credentials')).json
  const ofMallory = await agentOnTrunk(app, mallory, 5060, {
    trunk: { host: '127.0.12.1', allowedAddresses: ['127.0.11.0/24'] },
  })
  assert.equal((await answerTo(guesser, 'OPTIONS')).response, undefined)
  assert.equal((await answerTo(await openByHand(t, '127.0.12.1'), 'OPTIONS')).response?.status, 200)
  const tries: (number | undefined)[] = []
  for (let i = 0; i < 7; i++) tries.push(await guess(guesser, account.username, `guess${i}`))
  assert.deepEqual(tries.slice(-2), [undefined, undefined], `${tries}`)
  const call = await guesser.call(app.sipPort, { uri: ofMallory.number })
  await call.answered()
  await call.bye()
})

test('an address keeps its owner when another account moves a trunk there that is older', async (t) => {
  const { ana, mallory, carrier } = await users(t, '127.0.13.1')
  const older = (await mallory.post('/api/trunks', { name: 'old', host: '127.0.13.99', optionsPing: false })).json
  const ofAna = await agentOnTrunk(app, ana, carrier.port, { trunk: { host: carrier.address } })
  await mallory.patch(`/api/trunks/${older.id}`, { host: carrier.address, port: carrier.port })
  await ana.patch(`/api/trunks/${ofAna.trunkId}`, { allowedAddresses: ['127.0.13.2'] })
  const call = await carrier.call(app.sipPort, { uri: ofAna.number })
  await call.answered()
  await call.bye()
  assert.deepEqual((await mallory.get('/api/calls')).json, [])
})

test('a change through the API is visible to the phone when the response is sent', async (t) => {
  const client = await app.newUser('at once')
  const carrier = await openByHand(t, '127.0.14.1')
  busy(carrier)
  const agentId = (await client.post('/api/agents', anAgent)).json.id
  const settings = { name: 'x', host: carrier.address, port: carrier.port, optionsPing: false }
  const trunkId = (await client.post('/api/trunks', settings)).json.id
  const phoneNumber = newNumber()
  await client.post(`/api/agents/${agentId}/link-trunk`, { trunkId, trunkType: 'inbound', phoneNumber })
  assert.equal(await statusOf(carrier, phoneNumber), 200)
  await client.post(`/api/agents/${agentId}/link-trunk`, { trunkId, trunkType: 'outbound' })
  assert.equal((await ended(client, await dial(client, agentId))).endReason, 'busy')
  await client.post('/api/gateway/devices', { name: 'desk', agentId })
  const phone = await openByHand(t, '127.0.14.2')
  const { username, password } = (await client.get('/api/gateway/sip/credentials')).json
  assert.equal(await guess(phone, username, password), 200)
  const fresh = (await client.post('/api/gateway/sip/credentials/rotate', {})).json
  assert.equal(await guess(phone, username, fresh.password), 200)
})
