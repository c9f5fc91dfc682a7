// What a user's calls may reach: networks, numbers, and the server that receives the password; and when the agent
// starts to speak.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { SipRequest } from '../../src/sip/message/message.ts'
import type { Client } from '../app.ts'
import { agentOnTrunk, ended, newNumber, type PhoneApp, startPhoneApp } from '../phone-app.ts'
import { type ByHand, openByHand } from '../phones/by-hand.ts'
import { until } from '../until.ts'
import { toneAgent } from './talks.ts'

const agent = toneAgent()
const app = await startPhoneApp({ CALLS_PER_SECOND: '1000' }, { converse: agent.converse })

const dial = async (client: Client, agentId: string, toNumber = newNumber()) =>
  ended(client, (await client.post('/api/calls/outbound', { agentId, toNumber })).json.callId)

const answering = (carrier: ByHand, status: number, headers: [string, string][] = []) => {
  carrier.onRequest = (request) => request.method === 'INVITE' && carrier.answer(request, status, { headers })
}

async function caller(t: TestContext, trunk: object = {}, of: PhoneApp = app, role?: 'admin') {
  const client = await of.newUser('caller', role)
  const carrier = await openByHand(t)
  answering(carrier, 486)
  return { client, carrier, ...(await agentOnTrunk(of, client, carrier.port, { trunk, type: 'outbound' })) }
}

test('members reach only the private networks in SIP_NETWORKS; administrators reach all', async (t) => {
  const closed = await startPhoneApp({ SIP_NETWORKS: '127.0.15.1' })
  const member = await caller(t, {}, closed)
  const row = await dial(member.client, member.agentId)
  assert.equal(row.endReason, 'trunk_unavailable')
  assert.match(row.endDetail, /127\.0\.0\.1 is not a public address/)
  const report = (await member.client.post(`/api/trunks/${member.trunkId}/doctor`, {})).json
  assert.deepEqual([report.cause, report.entries], ['not_allowed', []])
  assert.equal(member.carrier.heard.length, 0)

  const listed = await openByHand(t, '127.0.15.1')
  answering(listed, 486)
  const other = await agentOnTrunk(closed, await closed.newUser('listed'), listed.port, {
    trunk: { host: listed.address },
    type: 'outbound',
  })
  assert.ok(other.trunkId)
  const admin = await caller(t, {}, closed, 'admin')
  assert.equal((await dial(admin.client, admin.agentId)).endReason, 'busy')
})

test('a trunk that a key without full access set up reaches no private network, also as an administrator’s', async (t) => {
  const closed = await startPhoneApp({ SIP_NETWORKS: '127.0.15.1' })
  const admin = await closed.newUser('admin', 'admin')
  const narrow = await admin.withKey({ scopes: ['agents', 'calls'] })
  const carrier = await openByHand(t)
  answering(carrier, 486)
  const { agentId, trunkId } = await agentOnTrunk(closed, narrow, carrier.port, { type: 'outbound' })
  const doctor = async (client: Client) => (await client.post(`/api/trunks/${trunkId}/doctor`, {})).json.cause
  assert.match((await dial(narrow, agentId)).endDetail, /is not a public address/)
  assert.equal(await doctor(narrow), 'not_allowed')
  assert.equal(carrier.heard.length, 0)
  // A host set with full access is reached; a key without full access cannot point the trunk elsewhere.
  const url = `/api/trunks/${trunkId}`
  await admin.patch(url, { host: 'localhost' })
  await admin.patch(url, { host: '127.0.0.1' })
  await narrow.patch(url, { name: 'renamed' })
  assert.equal((await dial(narrow, agentId)).endReason, 'busy')
  const inside = await openByHand(t, '127.0.15.2')
  await narrow.patch(url, { host: inside.address, port: inside.port })
  assert.match((await dial(admin, agentId)).endDetail, /is not a public address/)
  assert.equal(await doctor(admin), 'not_allowed')
  assert.equal(inside.heard.length, 0)
})

test('a peer whose Contact is private is answered at its source address', async (t) => {
  const closed = await startPhoneApp({ SIP_NETWORKS: '127.0.16.1' })
  const [carrier, inside] = [await openByHand(t, '127.0.16.1'), await openByHand(t, '127.0.16.2')]
  const { number } = await agentOnTrunk(closed, closed.ana, carrier.port, { trunk: { host: carrier.address } })
  const contact: [string, string][] = [['record-route', `<sip:${inside.address}:${inside.port};lr>`]]
  const call = await carrier.call(closed.sipPort, { uri: number, headers: contact })
  await call.answered()
  const id = await until('the call is there', async () => (await closed.ana.get('/api/calls')).json[0]?.id)
  await closed.ana.post(`/api/calls/${id}/hangup`)
  await call.over()
  assert.equal(inside.heard.length, 0)
})

test('a redirect is followed within the carrier only, and never to a denied number', async (t) => {
  const { client, carrier, agentId } = await caller(t, { username: 'account', password: 's3cret' })
  const elsewhere = await openByHand(t, '127.0.17.1')
  const places = [
    `<sip:+88216000000@127.0.0.1:${carrier.port}>`,
    `<sip:01188216000000@127.0.0.1:${carrier.port}>`,
    `<sip:+5511900000000@${elsewhere.address}:${elsewhere.port}>`,
  ]
  for (const contact of places) {
    carrier.onRequest = (request) => {
      if (request.method !== 'INVITE') return
      carrier.answer(request, 302, { headers: [['contact', contact]] })
    }
    const row = await dial(client, agentId)
    assert.equal(row.sipCode, 302, contact)
  }
  assert.equal(elsewhere.heard.length, 0)
  assert.ok(carrier.all('INVITE').every((invite) => !(invite as SipRequest).uri.includes('88216')))
  carrier.onRequest = (request) => {
    if (request.method !== 'INVITE') return
    if (request.uri.includes('+5511900000001')) return carrier.answer(request, 486)
    carrier.answer(request, 302, { headers: [['contact', `<sip:+5511900000001@127.0.0.1:${carrier.port}>`]] })
  }
  assert.equal((await dial(client, agentId)).endReason, 'busy')
})

test('neither a number format nor a transfer dials a denied number', async (t) => {
  const { client, carrier, agentId, trunkId } = await caller(t, {
    numberFormat: { stripPrefix: '5511', prefix: '+882' },
  })
  const row = await dial(client, agentId, '+551116123456')
  assert.equal(row.endReason, 'trunk_unavailable')
  assert.match(row.endDetail, /would dial a number that may not be called/)
  await client.patch(`/api/trunks/${trunkId}`, { numberFormat: { stripPrefix: '55' } })
  assert.equal((await dial(client, agentId, '+5597987654321')).endReason, 'busy')
  assert.deepEqual(
    carrier.all('INVITE').map((invite) => /^sip:([^@]+)@/.exec((invite as SipRequest).uri)?.[1]),
    ['97987654321'],
  )
})

test('a trunk moved to another server does not send its password there until it is set again', async (t) => {
  const client = await app.newUser('moved')
  const registrar = async () => {
    const side = await openByHand(t)
    const challenge: [string, string] = ['www-authenticate', 'Digest realm="r", nonce="n", algorithm=MD5, qop="auth"']
    side.onRequest = (request) =>
      request.headers.has('authorization')
        ? side.answer(request, 200, { headers: [['expires', '300']] })
        : side.answer(request, 401, { headers: [challenge] })
    return side
  }
  const [carrier, evil] = [await registrar(), await registrar()]
  const trunk = { authMode: 'register', username: 'account', password: 's3cret' }
  const { trunkId, agentId } = await agentOnTrunk(app, client, carrier.port, { trunk, type: 'outbound' })
  const status = (wanted: string) =>
    until(`it is ${wanted}`, async () => {
      const { json } = await client.get(`/api/trunks/${trunkId}`)
      return json.status === wanted && json
    })
  await status('registered')
  const moved = await client.patch(`/api/trunks/${trunkId}`, { port: evil.port, realm: null })
  assert.deepEqual([moved.status, moved.json.port, moved.json.hasPassword], [200, evil.port, true])
  assert.match((await status('auth_failed')).statusDetail, /send the password again/)
  assert.match((await dial(client, agentId)).endDetail, /send the password again/)
  assert.equal((await client.post(`/api/trunks/${trunkId}/doctor`, {})).json.cause, 'send_password_again')
  assert.equal(evil.heard.length, 0)
  await client.patch(`/api/trunks/${trunkId}`, { port: carrier.port })
  await status('registered')
  await client.patch(`/api/trunks/${trunkId}`, { port: evil.port, password: 's3cret' })
  await until('it registers there', () => evil.all('REGISTER').length > 0)
  await status('registered')
})

test('a 403 after credentials means auth_failed; one without a challenge does not', async (t) => {
  for (const [isAsked, wanted] of [
    [true, 'auth_failed'],
    [false, 'unreachable'],
  ] as const) {
    const client = await app.newUser('refused')
    const carrier = await openByHand(t)
    const challenge: [string, string] = ['www-authenticate', 'Digest realm="r", nonce="n", algorithm=MD5, qop="auth"']
    carrier.onRequest = (request) =>
      isAsked && !request.headers.has('authorization')
        ? carrier.answer(request, 401, { headers: [challenge] })
        : carrier.answer(request, 403, { reason: 'Wrong password' })
    const trunk = { authMode: 'register', username: 'account', password: 'wrong' }
    const { trunkId } = await agentOnTrunk(app, client, carrier.port, { trunk })
    const { statusDetail } = await until(`it is ${wanted}`, async () => {
      const { json } = await client.get(`/api/trunks/${trunkId}`)
      return json.status === wanted && json
    })
    assert.equal(statusDetail, '403 Wrong password')
  }
})

test('the agent speaks only after the ACK', async (t) => {
  const client = await app.newUser('forged')
  const carrier = await openByHand(t, '127.0.18.1')
  const { number } = await agentOnTrunk(app, client, carrier.port, { trunk: { host: carrier.address } })
  const call = await carrier.call(app.sipPort, { uri: number })
  await call.final()
  await until('the answer was repeated', () => call.finals().length >= 3)
  const row = async () => (await client.get('/api/calls')).json[0]
  assert.deepEqual([(await row()).answeredAt, (await row()).conversationId], [null, null])
  call.ack()
  await until('the agent has the call', async () => (await row()).status === 'in_progress')
  await call.bye()
})

test('a transfer without a caller ID presents the called DID', async (t) => {
  const client = await app.newUser('withheld')
  const carrier = await openByHand(t, '127.0.19.1')
  const { number } = await agentOnTrunk(app, client, carrier.port, { trunk: { host: carrier.address } })
  const from = '<sip:anonymous@anonymous.invalid>'
  const call = await carrier.call(app.sipPort, { uri: number, from })
  await call.answered()
  let talk = await agent.next()
  while (talk.call.userId !== client.userId) talk = await agent.next()
  answering(carrier, 486)
  const outcome = await talk.transport.act({
    do: 'transfer',
    to: '+5511987654321',
    method: 'bridge',
    ringTimeoutMs: 15_000,
  })
  assert.equal(outcome.status, 'busy')
  assert.match((await carrier.request('INVITE')).headers.get('from') ?? '', new RegExp(`<sip:\\${number}@`))
  await call.bye()
})
