// Phones that nobody here wrote call the agent through a trunk: heard both ways, keys, hold, hang-up, record and recording.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AGENT_HZ, agentOnTrunk, startPhoneApp } from '../phone-app.ts'
import { gapsOf, heardMs, listen, stretchesOf } from '../phones/spectrum.ts'
import { until } from '../until.ts'
import { baresipPhone, hears, linphonePhone, recordingOf, rightlyEnded, type StartPhone, toneAgent } from './talks.ts'

const agent = toneAgent()
const app = await startPhoneApp({}, { converse: agent.converse })
const PHONE_HZ = 1000

const kinds: Record<string, StartPhone> = { baresip: baresipPhone, linphone: linphonePhone }
for (const [name, start] of Object.entries(kinds)) {
  test(`${name} calls the agent through a trunk, both hear each other, and it hangs up`, async (t) => {
    const client = await app.newUser(name)
    const phone = await start({ says: { hz: PHONE_HZ } })
    t.after(phone.stop)
    const { number } = await agentOnTrunk(app, client, phone.port)
    await phone.dial(`sip:${number}@127.0.0.1:${app.sipPort}`)
    const { call, digits, transport } = await agent.next()
    await phone.established()
    await hears(phone, AGENT_HZ, 1500)
    await phone.press('1#')
    await until('the agent has the keys', () => digits() === '1#')
    await transport.act({ do: 'digits', digits: '42*' })
    await until('the phone has the keys', () => phone.digits() === '42*')
    await phone.hold()
    await new Promise((r) => setTimeout(r, 1000))
    const n = (await client.get('/api/calls/' + call.callId)).json
    console.log(n.status)
    await phone.resume()
    await new Promise((r) => setTimeout(r, 1500))
    await phone.hangUp()
    await phone.over()
    const record = await rightlyEnded(client, call.callId, {
      direction: 'inbound',
      endReason: 'caller_hangup',
      hangupBy: 'caller',
    })
    const heard = listen(phone.heard())
    console.log(name, record.durationSeconds, gapsOf(heard), stretchesOf(heard, AGENT_HZ))
    const recording = await recordingOf(app, client, call.callId)
    console.log(recording.seconds, recording.left.rateHz, stretchesOf(recording.left, PHONE_HZ), stretchesOf(recording.right, AGENT_HZ), gapsOf(recording.left), gapsOf(recording.right), Date.parse(record.endedAt)-Date.parse(record.answeredAt))
    console.log((await client.get(`/api/calls/${call.callId}/sip`)).json.messages?.map((m: any) => `${m.direction} ${m.text}`).join('\n') ?? (await client.get(`/api/calls/${call.callId}/sip`)).json)
    assert.ok(heardMs(recording.left, PHONE_HZ) > 1000)
  })
}
