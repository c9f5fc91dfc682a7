// Outbound trunks: selection, the content of the INVITE, and failover.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { SipRequest } from '../../src/sip/message/message.ts'
import type { Client } from '../app.ts'
import { agentOnTrunk, ended, newNumber, startPhoneApp } from '../phone-app.ts'
import { type ByHand, openByHand } from '../phones/by-hand.ts'
import { startCarrier } from '../phones/kamailio.ts'
import { freeUdpPort } from '../phones/ports.ts'
import { startSipp } from '../phones/sipp.ts'
import { callee } from '../phones/sipp-scenarios.ts'
import { until } from '../until.ts'

const app = await startPhoneApp({ CALLS_PER_SECOND: '1000' })

const dial = async (client: Client, agentId: string, toNumber = newNumber()) =>
  (await client.post('/api/calls/outbound', { agentId, toNumber })).json.callId as string

/** Refuses every INVITE with this response. */
function refusing(carrier: ByHand, status: number, headers: [string, string][] = []): void {
  carrier.onRequest = (request) => request.method === 'INVITE' && carrier.answer(request, status, { headers })
}

async function inviteOf(t: TestContext, trunk: object, agent: object = {}) {
  const client = await app.newUser('said')
  const carrier = await openByHand(t)
  refusing(carrier, 486)
  const { agentId } = await agentOnTrunk(app, client, carrier.port, { type: 'outbound', trunk, agent })
  const toNumber = newNumber()
  const callId = await dial(client, agentId, toNumber)
  const invite = await carrier.request('INVITE')
  return { invite, toNumber, carrier, row: await ended(client, callId) }
}

test('the INVITE carries the caller identity as the trunk is configured', async (t) => {
  const trunk = {
    callerId: '+551140001234',
    fromUser: 'acc4711',
    fromDomain: 'sip.example.org',
    headers: { 'X-Tenant': 'seven' },
  }
  const { invite, toNumber, row } = await inviteOf(t, trunk, { name: 'Ana "the voice"' })
  const header = (name: string) => invite.headers.get(name) ?? ''
  assert.match(invite.uri, new RegExp(`^sip:\\${toNumber}@127.0.0.1:\\d+$`))
  assert.match(header('from'), /^"Ana \\"the voice\\"" <sip:acc4711@sip\.example\.org>;tag=/)
  assert.equal(header('p-asserted-identity'), '<sip:+551140001234@sip.example.org>')
  assert.equal(header('x-tenant'), 'seven')
  assert.ok(header('to').includes(toNumber))
  assert.match(header('user-agent'), /^Ramal\//)
  assert.match(invite.body.toString(), /m=audio \d+ RTP\/AVP/)
  assert.equal(row.fromNumber, '+551140001234')
})

test('without fromUser, From carries the caller ID', async (t) => {
  const { invite } = await inviteOf(t, { callerId: '+551140001234' })
  assert.match(invite.headers.get('from') ?? '', /<sip:\+551140001234@127\.0\.0\.1>/)
  assert.equal(invite.headers.get('p-asserted-identity'), undefined)
})

test("the number is dialled in the trunk's format", async (t) => {
  const formats: [object, (e164: string) => string][] = [
    [{ leadingPlus: false }, (number) => number.slice(1)],
    [{ leadingPlus: false, prefix: '00' }, (number) => `00${number.slice(1)}`],
    [{ stripPrefix: '+55', prefix: '0' }, (number) => `0${number.slice(3)}`],
  ]
  for (const [numberFormat, written] of formats) {
    const { invite, toNumber, row } = await inviteOf(t, { numberFormat })
    assert.equal(/^sip:([^@]+)@/.exec(invite.uri)?.[1], written(toNumber))
    assert.equal(row.toNumber, toNumber)
  }
})

test('a call goes through the outbound proxy, with a Route header', async (t) => {
  const client = await app.newUser('proxy')
  const proxy = await openByHand(t)
  refusing(proxy, 486)
  const trunk = { host: 'far.invalid', outboundProxy: `127.0.0.1:${proxy.port}` }
  const { agentId } = await agentOnTrunk(app, client, 5060, { type: 'outbound', trunk })
  const callId = await dial(client, agentId)
  const invite = await proxy.request('INVITE')
  assert.match(invite.uri, /@far\.invalid:5060$/)
  assert.equal(invite.headers.get('route'), `<sip:127.0.0.1:${proxy.port};lr>`)
  assert.equal((await ended(client, callId)).endReason, 'busy')
})

test('a challenge of the carrier is answered, and the call continues', async (t) => {
  const client = await app.newUser('asked')
  const there = await startSipp({ scenario: callee({ hangsUpAfterMs: 200 }) })
  t.after(there.stop)
  const number = newNumber()
  const carrier = await startCarrier({ accounts: { trunk7: 's3cret' }, phones: { [number]: there.uri } })
  t.after(carrier.stop)
  const account = { username: 'trunk7', password: 's3cret' }
  const { agentId } = await agentOnTrunk(app, client, carrier.port, { type: 'outbound', trunk: account })
  const end = await ended(client, await dial(client, agentId, number))
  assert.deepEqual([end.status, end.endReason], ['completed', 'caller_hangup'])
  await there.succeeded()
  const text = JSON.stringify((await client.get(`/api/calls/${end.id}/sip`)).json)
  assert.match(text, /407 Proxy Authentication Required/)
  assert.ok(!/response=\\*"[0-9a-f]{32}/.test(text), 'the answer to the challenge is masked')
  const wrong = { username: 'trunk7', password: 'wrong' }
  const bad = await agentOnTrunk(app, client, carrier.port, {
    type: 'outbound',
    trunk: { ...wrong, name: 'locked out' },
  })
  const refused = await ended(client, await dial(client, bad.agentId, number))
  assert.deepEqual([refused.status, refused.endReason, refused.sipCode], ['failed', 'trunk_auth_failed', 407])
  assert.match(refused.endDetail, /locked out/)
})

/** An agent with trunks in this order, by name. */
async function agentWith(
  client: Client,
  trunks: { name: string; host?: string; port: number; [more: string]: unknown }[],
) {
  const agent = (await client.post('/api/agents', { name: 'A', systemPrompt: 'x' })).json
  for (const [i, trunk] of trunks.entries()) {
    const made = { host: '127.0.0.1', optionsPing: false, priority: i, ...trunk }
    const { id } = (await client.post('/api/trunks', made)).json
    await client.post(`/api/agents/${agent.id}/link-trunk`, { trunkId: id, trunkType: 'outbound' })
  }
  await app.app.phone?.refresh()
  return agent.id as string
}

test('a call fails over from a dead, refusing or failing trunk to the next by priority', async (t) => {
  const client = await app.newUser('failover')
  const [locked, broken, good] = [await openByHand(t), await openByHand(t), await openByHand(t)]
  refusing(locked, 401, [['www-authenticate', 'Digest realm="x", nonce="1", algorithm=MD5']])
  refusing(broken, 500)
  good.onRequest = (request) => good.answer(request, 200, request.method === 'INVITE' ? { sdp: good.sdp() } : {})
  const agentId = await agentWith(client, [
    { name: 'nowhere', host: 'no-such-host.invalid', port: 5060 },
    { name: 'dead', port: await freeUdpPort() },
    { name: 'locked', port: locked.port },
    { name: 'broken', port: broken.port },
    { name: 'good', port: good.port },
    { name: 'spare', port: broken.port },
  ])
  const callId = await dial(client, agentId)
  await good.request('INVITE', 0, 40_000)
  const { trunkId } = await until('it is answered', async () => {
    const { json } = await client.get(`/api/calls/${callId}`)
    return json.status === 'in_progress' && json
  })
  const used = (await client.get(`/api/trunks/${trunkId}`)).json
  assert.equal(used.name, 'good')
  assert.equal(broken.all('INVITE').length, 1, 'the last is never asked')
  await client.post(`/api/calls/${callId}/hangup`)
  await good.request('BYE')
})

test('when no trunk can carry a call, its endDetail names each trunk and the reason', async (t) => {
  const client = await app.newUser('none')
  const broken = await openByHand(t)
  refusing(broken, 503)
  const agentId = await agentWith(client, [
    { name: 'switched off', port: 5060, isActive: false },
    { name: 'only inbound', port: 5060, directions: ['inbound'] },
    { name: 'dead', port: await freeUdpPort() },
    { name: 'broken', port: broken.port },
  ])
  const end = await ended(client, await dial(client, agentId))
  assert.deepEqual([end.status, end.hangupBy], ['failed', 'carrier'])
  for (const part of ['switched off is switched off', 'only inbound is not for outbound', 'dead: ', 'broken: '])
    assert.ok(end.endDetail.includes(part), end.endDetail)
  assert.match(end.endDetail, /503/)
  const alone = await agentWith(client, [{ name: 'dead', port: await freeUdpPort() }])
  const dead = await ended(client, await dial(client, alone))
  assert.deepEqual([dead.status, dead.endReason, dead.sipCode], ['failed', 'trunk_unavailable', null])
  const without = await agentWith(client, [])
  const none = await ended(client, await dial(client, without))
  assert.equal(none.endReason, 'trunk_unavailable')
  assert.match(none.endDetail, /no trunk/)
})

test('a call fails over from a full trunk to the next', async (t) => {
  const client = await app.newUser('full')
  const [first, second] = [await openByHand(t), await openByHand(t)]
  for (const side of [first, second])
    side.onRequest = (request: SipRequest) =>
      request.method === 'CANCEL' ? side.answer(request, 200) : side.answer(request, 180)
  const agentId = await agentWith(client, [
    { name: 'one', port: first.port, maxConcurrentCalls: 1 },
    { name: 'two', port: second.port },
  ])
  const calls = [await dial(client, agentId), await dial(client, agentId)]
  await first.request('INVITE')
  await second.request('INVITE')
  for (const side of [first, second])
    assert.equal(new Set(side.all('INVITE').map(({ headers }) => headers.get('call-id'))).size, 1, 'a call for each')
  for (const callId of calls) await client.post(`/api/calls/${callId}/hangup`)
})
