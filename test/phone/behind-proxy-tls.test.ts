// Phones and carriers over TLS at the Kamailio of deploy/kamailio, with a node behind it that is reached over UDP.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { anAgent } from '../app.ts'
import { agentOnTrunk, newNumber, startPhoneApp } from '../phone-app.ts'
import { startBalancer } from '../phones/kamailio.ts'
import { selfSigned } from '../sip-ends.ts'
import { until } from '../until.ts'
import { baresipPhone, deviceOf, messagesOf, NARROW, rightlyEnded, talkBoth, toneAgent } from './talks.ts'

const agent = toneAgent()
const host = '127.0.46.1'
const app = await startPhoneApp({ SIP_HOST: host, SIP_PROXIES: '127.0.0.1' }, { converse: agent.converse })
const node = `sip:${host}:${app.sipPort}`
const says = { hz: NARROW.phone }

async function startProxy(t: TestContext) {
  const proxy = await startBalancer({ nodes: [node], tls: selfSigned(t) })
  t.after(proxy.stop)
  await proxy.probed(node, true)
  return { proxy, config: [`sip_cafile ${join(proxy.folder, 'sip.crt')}`] }
}

/** The peer's address as the proxy reports it in the messages of a call. */
async function sourcesOf(...[client, callId]: Parameters<typeof messagesOf>): Promise<Set<string | undefined>> {
  const fromPeer = (await messagesOf(client, callId)).filter(({ message }) => message.includes('\r\nX-Ramal-Source: '))
  return new Set(fromPeer.map(({ message }) => /X-Ramal-Source: ([^\r]+)/.exec(message)?.[1]))
}

test('a phone over TLS registers, calls with SRTP, and is called over the connection that it opened', async (t) => {
  const { proxy, config } = await startProxy(t)
  const client = await app.newUser('ana')
  const agentId = (await client.post('/api/agents', anAgent)).json.id
  const device = await deviceOf(app, client, agentId)
  const registrar = { ...device.registrar, port: proxy.tlsPort, transport: 'tls' as const }
  const phone = await baresipPhone({ user: device.user, registrar, mediaenc: 'srtp', says, config })
  t.after(phone.stop)
  await phone.registered()
  const connections = async () =>
    [...(await proxy.command('tls.list')).matchAll(/src_port: (\d+)/g)].map(([, it]) => it)
  const [port, ...others] = await connections()
  assert.deepEqual(others, [])

  await phone.dial(`sip:agent@127.0.0.1:${proxy.tlsPort};transport=tls`)
  const inbound = await talkBoth({ app, agent, phone, client, hz: NARROW })
  await phone.over()
  assert.deepEqual(await sourcesOf(client, inbound), new Set([`127.0.0.1 ${port} tls`]))
  const answer = (await messagesOf(client, inbound)).find(({ summary }) => /^200 .*INVITE/.test(summary))
  assert.match(answer?.message ?? '', /\r\na=crypto:/)

  const order = { toNumber: newNumber(), agentId, fromDeviceTokens: [device.token] }
  const { callId } = (await client.post('/api/calls/outbound', order)).json
  const talk = await agent.next()
  await phone.established()
  await talk.transport.act({ do: 'hangup', reason: 'agent_ended' })
  await phone.over()
  await rightlyEnded(client, callId, { direction: 'outbound', endReason: 'agent_ended', hangupBy: 'agent' })
  assert.deepEqual(await sourcesOf(client, callId), new Set([`127.0.0.1 ${port} tls`]))
  const [invite] = await messagesOf(client, callId)
  assert.match(
    invite?.message ?? '',
    new RegExp(`Route: <sip:127.0.0.1:${proxy.port};lr;received=sip:127.0.0.1:${port}%3B`),
  )
  assert.deepEqual(await connections(), [port], 'no other connection was opened')

  // The phone dies without signaling: the call fails at once.
  phone.program.process.kill('SIGKILL')
  await until('the proxy has seen the end of the connection', async () => (await connections()).length === 0)
  const lost = (await client.post('/api/calls/outbound', { ...order, toNumber: newNumber() })).json.callId
  const record = await until('it has ended', async () => {
    const { json } = await client.get(`/api/calls/${lost}`)
    return json.endedAt !== null && json
  })
  assert.deepEqual([record.status, record.endReason, record.sipCode], ['failed', 'trunk_unavailable', 430])
})

test('a carrier over TLS is known by its address', async (t) => {
  const { proxy, config } = await startProxy(t)
  const client = await app.newUser('ana')
  const carrier = await baresipPhone({ mediaenc: 'srtp-mand', says, config })
  t.after(carrier.stop)
  const { number } = await agentOnTrunk(app, client, carrier.port, { trunk: { mediaEncryption: 'required' } })
  await carrier.dial(`sip:${number}@127.0.0.1:${proxy.tlsPort};transport=tls`)
  const callId = await talkBoth({ app, agent, phone: carrier, client, hz: NARROW })
  const [source] = await sourcesOf(client, callId)
  assert.match(source ?? '', /^127\.0\.0\.1 \d+ tls$/)
})
