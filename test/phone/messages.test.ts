// SIP MESSAGE to and from a real phone, and from unknown peers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InboundMessage } from '../../src/phone/ports.ts'
import type { SipResponse } from '../../src/sip/message/message.ts'
import { anAgent } from '../app.ts'
import { startPhoneApp } from '../phone-app.ts'
import { openByHand } from '../phones/by-hand.ts'
import { openAgent } from '../sip-agents.ts'
import { until } from '../until.ts'
import { deviceOf, linphonePhone } from './talks.ts'

const kept: InboundMessage[] = []
let keeps = true
const app = await startPhoneApp(
  {},
  {
    onMessage: async (message) => {
      if (keeps) kept.push(message)
      return keeps
    },
  },
)
const phones = () => app.app.phone ?? assert.fail('the phone is on')

test('a registered phone receives and sends a message, with Unicode intact', async (t) => {
  const agentId = (await app.ana.post('/api/agents', anAgent)).json.id
  const { id, user, registrar } = await deviceOf(app, app.ana, agentId)
  const phone = await linphonePhone({ user, registrar: { ...registrar, port: app.sipPort } })
  t.after(phone.stop)
  await phone.registered()
  const device = phones().directory.devices()[0] ?? assert.fail()
  const sent = await phones().sendMessage({ userId: device.userId, deviceId: id, text: 'Olá, seu código é 42 ☕' })
  assert.deepEqual(sent, { ok: true, detail: 'delivered' })
  await until('it is shown', () => /Message received from .*: Olá, seu código é 42 ☕/.test(phone.program.output()))

  phone.command(`chat sip:agent@127.0.0.1:${app.sipPort} Confirmo amanhã às 9`)
  const { key, ...got } = await until('it is kept', () => kept[0])
  assert.match(key, /^\S+ \d+$/)
  assert.deepEqual(got, { userId: device.userId, deviceId: id, from: null, to: 'agent', text: 'Confirmo amanhã às 9' })

  phone.command('quit')
  await phone.program.exited
  await until('it has signed off', () => phones().registrar.size === 0)
  const gone = await phones().sendMessage({ userId: device.userId, deviceId: id, text: 'x' })
  assert.match(gone.detail, /not connected/)
})

test('a message that is not stored, or not authenticated, is not acknowledged', async (t) => {
  const agentId = (await app.ana.post('/api/agents', anAgent)).json.id
  const { user, registrar } = await deviceOf(app, app.ana, agentId)
  const { ua } = await openAgent(t)
  const own = `sip:127.0.0.1:${app.sipPort}`
  const account = `<sip:${user}@127.0.0.1:${app.sipPort}>`
  const credentials = { username: user, password: registrar.password }
  const ask = async (method: string, more: object = {}) => {
    const outcome = await ua.request({ method, uri: own, from: account, to: account, ...more })
    return 'response' in outcome ? outcome.response.status : outcome.failure
  }
  const text = (content: string, type = 'text/plain') => ({ body: { type, content } })
  assert.equal(await ask('MESSAGE', { ...text('before'), credentials }), 404, 'it is not registered yet')
  assert.equal(await ask('REGISTER', { credentials }), 200)
  assert.equal(await ask('MESSAGE', { ...text('right'), credentials }), 200)
  assert.equal(await ask('MESSAGE', text('no password')), 401)
  assert.equal(await ask('MESSAGE', { ...text('<a/>', 'application/xml'), credentials }), 415)
  keeps = false
  assert.equal(await ask('MESSAGE', { ...text('lost'), credentials }), 404)
  keeps = true
  assert.deepEqual(
    kept.slice(-1).map((message) => message.text),
    ['right'],
  )
})

test('MESSAGE from unknown peers is refused as before, and not stored', async (t) => {
  const stranger = await openByHand(t)
  const request = stranger.ask(app.sipPort, 'MESSAGE', {
    uri: 'agent',
    body: { type: 'text/plain', content: 'buy now' },
  })
  const { message } = await until('it is answered', () =>
    stranger.heard.find(({ message: one }) => one.headers.get('call-id') === request.headers.get('call-id')),
  )
  assert.equal((message as SipResponse).status, 404)
  assert.equal(message.headers.has('www-authenticate'), false)
  assert.ok(kept.every(({ text }) => text !== 'buy now'))
})
