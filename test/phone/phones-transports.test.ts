// A real phone over TCP and TLS: it registers, calls and is called over one connection.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { atEnd, type Client } from '../app.ts'
import { agentOnTrunk, newNumber, startPhoneApp } from '../phone-app.ts'
import { freeSipPort, freeUdpPort } from '../phones/ports.ts'
import { newFolder } from '../phones/program.ts'
import {
  baresipPhone,
  deviceOf,
  messagesOf,
  NARROW,
  rightlyEnded,
  talkBoth,
  toneAgent,
  wholeCall,
  wholeRecording,
} from './talks.ts'

const folder = newFolder('certificate')
atEnd(() => rmSync(folder, { recursive: true }))
const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
execFileSync('openssl', [...made, ...names, '-keyout', key, '-out', cert], { stdio: 'ignore' })

const agent = toneAgent()
const tlsPort = await freeSipPort()
const tls = { SIP_TLS_PORT: String(tlsPort), TLS_CERT: cert, TLS_KEY: key }
const app = await startPhoneApp(tls, { converse: agent.converse })
const says = { hz: NARROW.phone }

async function assertTransport(client: Client, callId: string, wanted: string): Promise<void> {
  const transports = new Set((await messagesOf(client, callId)).map(({ transport }) => transport))
  assert.deepEqual([...transports], [wanted])
}

for (const transport of ['tcp', 'tls'] as const)
  test(`baresip registers over ${transport}, calls and is called by the same connection`, async (t) => {
    const client = await app.newUser('ana')
    const { agentId } = await agentOnTrunk(app, client, await freeUdpPort())
    const device = await deviceOf(app, client, agentId)
    const port = transport === 'tls' ? tlsPort : app.sipPort
    const phone = await baresipPhone({
      user: device.user,
      registrar: { ...device.registrar, port, transport },
      says,
      config: [`sip_cafile ${cert}`],
    })
    t.after(phone.stop)
    await phone.registered()
    await phone.dial(`sip:agent@127.0.0.1:${port};transport=${transport}`)
    const inbound = await talkBoth({ app, agent, phone, client, hz: NARROW })
    await phone.over()
    await assertTransport(client, inbound, transport)
    const order = { toNumber: newNumber(), agentId, fromDeviceTokens: [device.token] }
    const { callId } = (await client.post('/api/calls/outbound', order)).json
    const talk = await agent.next()
    await wholeCall(phone, talk)
    await talk.transport.act({ do: 'hangup', reason: 'agent_ended' })
    await phone.over()
    await rightlyEnded(client, callId, { direction: 'outbound', endReason: 'agent_ended', hangupBy: 'agent' })
    await wholeRecording(app, client, talk, says.hz)
    await assertTransport(client, callId, transport)
  })
