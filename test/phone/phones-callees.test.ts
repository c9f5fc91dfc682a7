// The agent calls real phones, through a trunk and as registered devices; they answer, refuse or keep ringing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../app.ts'
import { AGENT_HZ, agentOnTrunk, ended, newNumber, startPhoneApp } from '../phone-app.ts'
import { freeUdpPort } from '../phones/ports.ts'
import { until } from '../until.ts'
import {
  baresipPhone,
  deviceOf,
  hears,
  linphonePhone,
  NARROW,
  rightlyEnded,
  type StartPhone,
  toneAgent,
  wholeCall,
  wholeRecording,
} from './talks.ts'

const agent = toneAgent()
const app = await startPhoneApp({}, { converse: agent.converse })
const says = { hz: NARROW.phone }
// A phone accepts its own username only, which here is the number in the trunk's format.
const trunk = { numberFormat: { leadingPlus: false }, callerId: '+551140000000' }
const out = { trunk, type: 'outbound' as const }

async function callOut(client: Client, order: object): Promise<string> {
  const { status, json } = await client.post('/api/calls/outbound', order)
  assert.equal(status, 201, JSON.stringify(json))
  return json.callId
}

// How each phone rejects a call: one with 486 (busy), the other with 603 (decline).
const refusals: Record<string, object> = {
  baresip: { status: 'busy', endReason: 'busy', hangupBy: 'carrier', sipCode: 486 },
  linphone: { status: 'failed', endReason: 'rejected', hangupBy: 'carrier', sipCode: 603 },
}
const never = { answeredAt: null, conversationId: null }

const kinds: Record<string, StartPhone> = { baresip: baresipPhone, linphone: linphonePhone }
for (const [name, start] of Object.entries(kinds)) {
  test(`the agent calls ${name} through a trunk, which answers, talks and hangs up`, async (t) => {
    const client = await app.newUser(name)
    const toNumber = newNumber()
    const phone = await start({ user: toNumber.slice(1), says, answer: 'manual' })
    t.after(phone.stop)
    const { agentId, trunkId } = await agentOnTrunk(app, client, phone.port, out)
    const callId = await callOut(client, { toNumber, agentId })
    await phone.incoming()
    await until('it rings', async () => (await client.get(`/api/calls/${callId}`)).json.status === 'ringing')
    const { json } = await client.get('/api/calls/outbound/active')
    assert.deepEqual(
      json.map((call: { callId: string }) => call.callId),
      [callId],
    )
    await phone.accept()
    const talk = await agent.next()
    assert.equal(talk.call.callId, callId)
    await wholeCall(phone, talk)
    await phone.hangUp()
    const record = await rightlyEnded(client, callId, {
      direction: 'outbound',
      endReason: 'caller_hangup',
      hangupBy: 'caller',
    })
    assert.deepEqual([record.toNumber, record.fromNumber, record.trunkId], [toNumber, trunk.callerId, trunkId])
    await wholeRecording(app, client, talk, says.hz)
  })

  test(`the agent calls ${name} as a device, and the call is hung up through the API`, async (t) => {
    const client = await app.newUser(name)
    const { agentId } = await agentOnTrunk(app, client, await freeUdpPort(), { type: 'outbound' })
    const device = await deviceOf(app, client, agentId)
    const phone = await start({ user: device.user, registrar: device.registrar, says })
    t.after(phone.stop)
    await phone.registered()
    const callId = await callOut(client, { toNumber: newNumber(), agentId, fromDeviceTokens: [device.token] })
    await agent.next()
    await phone.established()
    await hears(phone, AGENT_HZ, 500)
    assert.equal((await client.post(`/api/calls/${callId}/hangup`)).status, 200)
    await phone.over()
    const record = await rightlyEnded(client, callId, {
      direction: 'outbound',
      endReason: 'canceled_by_api',
      hangupBy: 'system',
    })
    assert.equal(record.deviceId, device.id)
  })

  test(`${name} refuses a call, and another is hung up while it rings`, async (t) => {
    const client = await app.newUser(name)
    const toNumber = newNumber()
    const phone = await start({ user: toNumber.slice(1), answer: 'manual' })
    t.after(phone.stop)
    const { agentId } = await agentOnTrunk(app, client, phone.port, out)
    const refused = await callOut(client, { toNumber, agentId })
    await phone.incoming()
    await phone.hangUp()
    const { status, endReason, hangupBy, sipCode, answeredAt, conversationId } = await ended(client, refused)
    assert.deepEqual(
      { status, endReason, hangupBy, sipCode, answeredAt, conversationId },
      { ...refusals[name], ...never },
    )
    await phone.over()
    const canceled = await callOut(client, { toNumber, agentId })
    await phone.incoming()
    assert.equal((await client.post(`/api/calls/${canceled}/hangup`)).status, 200)
    await phone.over()
    const record = await ended(client, canceled)
    assert.deepEqual([record.status, record.endReason], ['canceled', 'canceled_by_api'])
  })
}
