// The agent transfers a real phone to another one by REFER; they then talk without Ramal.
// @run gate
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent } from '../app.ts'
import { AGENT_HZ, agentOnTrunk, startPhoneApp } from '../phone-app.ts'
import { heardMs, listen } from '../phones/spectrum.ts'
import { until } from '../until.ts'
import { baresipPhone, deviceOf, hears, linphonePhone, rightlyEnded, type StartPhone, toneAgent } from './talks.ts'

const agent = toneAgent()
const app = await startPhoneApp({}, { converse: agent.converse })

const kinds: Record<string, StartPhone> = { baresip: baresipPhone, linphone: linphonePhone }
for (const [name, start] of Object.entries(kinds)) {
  test(`${name} is transferred to another phone and talks to it`, async (t) => {
    const client = await app.newUser(name)
    const [phone, other] = [
      await start({ says: { hz: 1000 } }),
      await (name === 'baresip' ? linphonePhone : baresipPhone)({ user: 'second', says: { hz: 1600 } }),
    ]
    t.after(phone.stop)
    t.after(other.stop)
    const { number } = await agentOnTrunk(app, client, phone.port)
    await phone.dial(`sip:${number}@127.0.0.1:${app.sipPort}`)
    const { call, transport } = await agent.next()
    await phone.established()
    await hears(phone, AGENT_HZ, 300)
    const transferred = transport.act({ do: 'transfer', to: other.uri })
    await until('it is being transferred', async () => {
      const { status } = (await client.get(`/api/calls/${call.callId}`)).json
      return status === 'transferring' || status === 'completed'
    })
    assert.equal((await transferred).status, 'connected')
    await other.established()
    await rightlyEnded(client, call.callId, { direction: 'inbound', endReason: 'transferred', hangupBy: 'agent' })
    await Promise.all([hears(phone, 1600, 500), hears(other, 1000, 500)])
    await phone.hangUp()
    await other.over()
  })

  test(`${name} cannot reach its transfer target: the agent learns of it, and the call continues`, async (t) => {
    const client = await app.newUser(name)
    const phone = await start({ says: { hz: 1000 } })
    t.after(phone.stop)
    const other = await baresipPhone({ user: 'second', answer: 'manual' })
    t.after(other.stop)
    const { number } = await agentOnTrunk(app, client, phone.port)
    await phone.dial(`sip:${number}@127.0.0.1:${app.sipPort}`)
    const { call, transport, signal } = await agent.next()
    await phone.established()
    // No REFER is sent for a denied number.
    const denied = await transport.act({ do: 'transfer', to: '+8821612345678' })
    assert.deepEqual(denied, { status: 'failed', detail: 'this number may not be called' })
    const transfer = transport.act({ do: 'transfer', to: other.uri })
    await other.incoming()
    assert.match((await transport.act({ do: 'transfer', to: other.uri })).detail ?? '', /another transfer/)
    await other.hangUp()
    const { status, detail } = await transfer
    assert.equal(status, 'busy')
    assert.match(detail ?? '', /486/)
    await until('it goes on', async () => (await client.get(`/api/calls/${call.callId}`)).json.status === 'in_progress')
    assert.equal(signal.aborted, false)
    // Linphone puts the first call on hold for the second; its user must resume it.
    if (phone.kind === 'baresip') await hears(phone, AGENT_HZ, heardMs(listen(phone.heard()), AGENT_HZ) + 500)
    await transport.act({ do: 'hangup', reason: 'agent_ended' })
    await phone.over()
    await rightlyEnded(client, call.callId, { direction: 'inbound', endReason: 'agent_ended', hangupBy: 'agent' })
  })
}

test('a phone that hangs up during its transfer ends the call, and the agent learns of it', async (t) => {
  const client = await app.newUser('ana')
  const [phone, other] = [await baresipPhone(), await baresipPhone({ user: 'second', answer: 'manual' })]
  t.after(phone.stop)
  t.after(other.stop)
  const { number } = await agentOnTrunk(app, client, phone.port)
  await phone.dial(`sip:${number}@127.0.0.1:${app.sipPort}`)
  const { call, transport } = await agent.next()
  await phone.established()
  const told = transport.act({ do: 'transfer', to: other.uri })
  await other.incoming()
  // Hangs up the new call first, then the one with Ramal.
  await phone.hangUp()
  await phone.hangUp()
  assert.notEqual((await told).status, 'connected')
  await rightlyEnded(client, call.callId, { direction: 'inbound', endReason: 'caller_hangup', hangupBy: 'caller' })
})

test('a phone registered here is bridged: a REFER would bring it back to the same agent', async (t) => {
  const client = await app.newUser('desk')
  const agentId = (await client.post('/api/agents', anAgent)).json.id
  const { user, registrar } = await deviceOf(app, client, agentId)
  const [phone, other] = [
    await baresipPhone({ user, registrar, says: { hz: 1000 } }),
    await baresipPhone({ user: 'second', says: { hz: 1600 } }),
  ]
  t.after(phone.stop)
  t.after(other.stop)
  await phone.registered()
  await phone.dial(`sip:123@127.0.0.1:${app.sipPort}`)
  const { call, transport } = await agent.next()
  await phone.established()
  const refused = await transport.act({ do: 'transfer', to: other.uri, method: 'refer' })
  assert.equal(refused.status, 'failed')
  assert.match(refused.detail ?? '', /REFER is not possible for a phone registered here/)
  assert.deepEqual(await transport.act({ do: 'transfer', to: other.uri }), { status: 'connected' })
  await other.established()
  await Promise.all([hears(phone, 1600, 500), hears(other, 1000, 500)])
  await phone.hangUp()
  await rightlyEnded(client, call.callId, { direction: 'inbound', endReason: 'transferred', hangupBy: 'caller' })
  const calls = (await client.get('/api/calls')).json
  assert.deepEqual(
    calls.map(({ toNumber }: { toNumber: string }) => toNumber),
    ['123'],
    'no second call of the same phone',
  )
})
