// Real phones call the agent, through a trunk and as registered devices: the call, its record and its recording.
// @run gate
import { test } from 'node:test'
import { agentOnTrunk, startPhoneApp } from '../phone-app.ts'
import { freeUdpPort } from '../phones/ports.ts'
import {
  baresipPhone,
  deviceOf,
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

const kinds: Record<string, StartPhone> = { baresip: baresipPhone, linphone: linphonePhone }
for (const [name, start] of Object.entries(kinds)) {
  test(`${name} calls through a trunk and hangs up`, async (t) => {
    const client = await app.newUser(name)
    const phone = await start({ says })
    t.after(phone.stop)
    const { number } = await agentOnTrunk(app, client, phone.port)
    await phone.dial(`sip:${number}@127.0.0.1:${app.sipPort}`)
    const talk = await agent.next()
    await wholeCall(phone, talk)
    await phone.hangUp()
    await phone.over()
    const { callId } = talk.call
    await rightlyEnded(client, callId, { direction: 'inbound', endReason: 'caller_hangup', hangupBy: 'caller' })
    await wholeRecording(app, client, talk, says.hz)
  })

  test(`${name} registers as a device with its credentials and calls; the agent hangs up`, async (t) => {
    const client = await app.newUser(name)
    const { agentId } = await agentOnTrunk(app, client, await freeUdpPort())
    const device = await deviceOf(app, client, agentId)
    const phone = await start({ user: device.user, registrar: device.registrar, says })
    t.after(phone.stop)
    await phone.registered()
    await phone.dial(`sip:agent@127.0.0.1:${app.sipPort}`)
    const talk = await agent.next()
    await wholeCall(phone, talk)
    await talk.transport.act({ do: 'hangup', reason: 'end_phrase' })
    await phone.over()
    const { callId } = talk.call
    await rightlyEnded(client, callId, { direction: 'inbound', endReason: 'end_phrase', hangupBy: 'agent' })
    await wholeRecording(app, client, talk, says.hz)
  })
}
