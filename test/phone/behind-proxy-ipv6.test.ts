// IPv6 phones at the Kamailio of deploy/kamailio: signaling continues to the node over IPv4, audio goes directly over
// IPv6.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { anAgent } from '../app.ts'
import { newNumber, startPhoneApp } from '../phone-app.ts'
import { startBalancer } from '../phones/kamailio.ts'
import { selfSigned } from '../sip-ends.ts'
import { baresipPhone, deviceOf, hears, messagesOf, NARROW, rightlyEnded, talkBoth, toneAgent } from './talks.ts'

const agent = toneAgent()
// PUBLIC_ADDRESS: IPv4 behind NAT, common alongside a public IPv6 address.
const env = { SIP_HOST: '::', SIP_PROXIES: '127.0.0.1', PUBLIC_ADDRESS: '203.0.113.9' }
const app = await startPhoneApp(env, { converse: agent.converse })
const node = `sip:127.0.0.1:${app.sipPort}`

test('a phone over IPv6 registers at the proxy, calls and is called, by UDP and by TLS', async (t) => {
  const proxy = await startBalancer({ nodes: [node], beside: '[::1]', tls: selfSigned(t, 'IP:::1') })
  t.after(proxy.stop)
  await proxy.probed(node, true)
  for (const transport of ['udp', 'tls'] as const) {
    const client = await app.newUser('ana')
    const agentId = (await client.post('/api/agents', anAgent)).json.id
    const device = await deviceOf(app, client, agentId)
    const port = transport === 'tls' ? proxy.tlsPort : proxy.port
    const phone = await baresipPhone({
      user: device.user,
      address: '::1',
      registrar: { ...device.registrar, port, transport },
      says: { hz: NARROW.phone },
      config: [`sip_cafile ${join(proxy.folder, 'sip.crt')}`],
    })
    t.after(phone.stop)
    await phone.registered()
    await phone.dial(`sip:agent@[::1]:${port};transport=${transport}`)
    const inbound = await talkBoth({ app, agent, phone, client, hz: NARROW })
    await phone.over()
    // The node's BYE must reach the phone, over the phone's own TLS connection.
    await phone.dial(`sip:agent@[::1]:${port};transport=${transport}`)
    const answered = await agent.next()
    await phone.established()
    await answered.transport.act({ do: 'hangup', reason: 'agent_ended' })
    await phone.over()
    const order = { toNumber: newNumber(), agentId, fromDeviceTokens: [device.token] }
    const { callId } = (await client.post('/api/calls/outbound', order)).json
    const talk = await agent.next()
    await phone.established()
    await hears(phone, NARROW.agent, 300)
    await talk.transport.act({ do: 'hangup', reason: 'agent_ended' })
    await phone.over()
    await rightlyEnded(client, callId, { direction: 'outbound', endReason: 'agent_ended', hangupBy: 'agent' })
    for (const id of [inbound, callId]) {
      const messages = (await messagesOf(client, id)).map(({ message }) => message)
      const sources = messages.flatMap((message) => /X-Ramal-Source: (\S+) \d+ (\w+)/.exec(message)?.slice(1) ?? [])
      assert.deepEqual(new Set(sources), new Set(['::1', transport]))
      const audio = messages.flatMap((message) => /\r\nc=(.+)\r\n/.exec(message)?.[1] ?? [])
      assert.deepEqual(new Set(audio), new Set(['IN IP6 ::1']))
    }
    await phone.stop()
  }
})
