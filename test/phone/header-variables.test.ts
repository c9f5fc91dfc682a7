// SIP headers as variables of inbound calls, and the headers of outbound calls as a carrier sees them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../app.ts'
import { agentOnTrunk, ended, startPhoneApp } from '../phone-app.ts'
import { openByHand } from '../phones/by-hand.ts'
import { toneAgent } from './talks.ts'

const agent = toneAgent()
const app = await startPhoneApp({}, { converse: agent.converse })

test('the headers that the trunk names become variables; the others do not', async (t) => {
  const client = await app.newUser('owner')
  const carrier = await openByHand(t, '127.0.3.1')
  const headerVariables = ['x-customer-id', 'Diversion', 'History-Info', 'User-to-User', 'X-Long', 'X-None']
  const trunk = { host: carrier.address, headerVariables }
  const { number } = await agentOnTrunk(app, client, carrier.port, { trunk })
  const call = await carrier.call(app.sipPort, {
    uri: number,
    headers: [
      ['X-Customer-Id', '42'],
      ['X-Other', 'no'],
      ['Diversion', '<sip:+551130000001@carrier.example>;reason=unconditional'],
      ['History-Info', '<sip:a@carrier.example>;index=1'],
      ['History-Info', '<sip:b@carrier.example>;index=1.1'],
      ['User-to-User', '3132\u00013334;encoding=hex'],
      ['X-Long', 'x'.repeat(2000)],
    ],
  })
  await call.answered()
  const { callId } = (await agent.next()).call
  const { variables } = (await client.get(`/api/calls/${callId}`)).json
  assert.deepEqual(variables, {
    sip_x_customer_id: '42',
    sip_diversion: '<sip:+551130000001@carrier.example>;reason=unconditional',
    sip_history_info: '<sip:a@carrier.example>;index=1, <sip:b@carrier.example>;index=1.1',
    sip_user_to_user: '3132 3334;encoding=hex',
    sip_x_long: 'x'.repeat(1024),
  })
  await call.bye()
})

test('an outbound call carries the headers that its trunk allows', async (t) => {
  const client = await app.newUser('caller')
  const carrier = await openByHand(t, '127.0.3.2')
  const trunk = {
    host: carrier.address,
    headers: { 'X-Account': 'trunk' },
    outboundHeaders: ['X-Customer-Id', 'X-Account'],
  }
  const { agentId } = await agentOnTrunk(app, client, carrier.port, { trunk, type: 'outbound' })
  const order = (headers: object, more: object = {}) =>
    client.post('/api/calls/outbound', { agentId, toNumber: '+5511955554444', headers, ...more })
  carrier.onRequest = (request) => carrier.answer(request, request.method === 'INVITE' ? 486 : 200)
  const made = await order({ 'x-customer-id': '42', 'X-Account': 'call' })
  assert.equal(made.status, 201, made.text)
  const invite = await carrier.request('INVITE')
  assert.deepEqual(invite.headers.all('x-customer-id'), ['42'])
  assert.deepEqual(invite.headers.all('x-account'), ['call'])
  const row = await ended(client, made.json.callId)
  assert.ok(!('headers' in row))

  assertError(await order({ 'X-Other': '1' }), 400, /^headers: X-Other is not allowed/)
  assertError(await order({ 'P-Asserted-Identity': '<sip:x@y>' }), 400, /P-Asserted-Identity/)
  for (const name of ['Via', 'From', 'Route', 'X-a b', 'X-a\r\nVia'])
    assertError(await order({ [name]: '1' }), 400, /^headers/)
  for (const value of ['a\r\nVia: b', 'a\nb', 'x'.repeat(1025), 5])
    assertError(await order({ 'X-Customer-Id': value }), 400, /^headers/)
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`X-H${i}`, '1']))
  assertError(await order(many), 400, /^headers/)
  assertError(await order({ 'X-Customer-Id': '1' }, { fromDeviceTokens: ['gw_x'] }), 400, /X-Customer-Id/)
  assert.equal(carrier.all('INVITE').length, 1)
})
