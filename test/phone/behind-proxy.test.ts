// Ramal behind the Kamailio of deploy/kamailio: identification and bans of callers use the real source of a request.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { answerChallenge, newNonceCounters } from '../../src/sip/auth/digest.ts'
import type { SipResponse } from '../../src/sip/message/message.ts'
import { serialize } from '../../src/sip/message/serialize.ts'
import { anAgent } from '../app.ts'
import { AGENT_HZ, agentOnTrunk, ended, startPhoneApp } from '../phone-app.ts'
import { startBaresip } from '../phones/baresip.ts'
import { type ByHand, openByHand, plainSdp } from '../phones/by-hand.ts'
import { startBalancer } from '../phones/kamailio.ts'
import { heardMs, listen } from '../phones/spectrum.ts'
import { openPeer } from '../rtp-peer.ts'
import { until } from '../until.ts'

/** The proxy and real phones are at 127.0.0.1, the node and scripted peers at addresses of their own. */
async function behindProxy(t: TestContext, net: number, env: Record<string, string> = {}) {
  const app = await startPhoneApp({ SIP_HOST: `127.0.${net}.1`, SIP_PROXIES: '127.0.0.1', ...env })
  const node = `sip:127.0.${net}.1:${app.sipPort}`
  const proxy = await startBalancer({ nodes: [node] })
  t.after(proxy.stop)
  await proxy.probed(node, true)
  const carrier = await openByHand(t, `127.0.${net}.21`)
  const { number } = await agentOnTrunk(app, app.ana, carrier.port, { trunk: { host: carrier.address } })
  return { app, proxy, node, carrier, number, host: `127.0.${net}.1` }
}

async function deviceOf(app: Awaited<ReturnType<typeof startPhoneApp>>) {
  const agent = (await app.bia.post('/api/agents', anAgent)).json
  const device = (await app.bia.post('/api/gateway/devices', { name: 'desk', agentId: agent.id })).json
  const { username, password } = (await app.bia.get('/api/gateway/sip/credentials')).json
  await app.app.phone?.refresh()
  return { agentId: agent.id as string, token: device.token as string, username, password }
}

/** The status codes of a REGISTER and of the response to its authenticated retry. */
async function register(phone: ByHand, port: number, account: { username: string; password: string }) {
  const ask = (headers: [string, string][]) =>
    phone.ask(port, 'REGISTER', {
      to: `<sip:${account.username}@ramal>`,
      from: `<sip:${account.username}@ramal>`,
      headers,
    })
  const answerOf = async (callId: string | undefined) =>
    (await until(
      'the answer to REGISTER',
      () => phone.heard.find(({ message }) => message.headers.get('call-id') === callId)?.message,
    )) as SipResponse
  const first = ask([])
  const challenge = await answerOf(first.headers.get('call-id'))
  if (challenge.status !== 401) return [challenge.status]
  const proof = answerChallenge(challenge, first, account, newNonceCounters())
  const second = ask([['authorization', proof?.value ?? '']])
  return [401, (await answerOf(second.headers.get('call-id'))).status]
}

test('a trunk is known by its address behind the proxy, and nobody else can claim that address', async (t) => {
  const { app, proxy, node, carrier, number, host } = await behindProxy(t, 41)
  const call = await carrier.call(proxy.port, { uri: number })
  await call.answered()
  const [row] = (await app.ana.get('/api/calls')).json
  await until('the caller hears the agent', () => carrier.rtpPackets() > 10)
  assert.equal((await call.bye()).status, 200)
  assert.equal((await ended(app.ana, row.id)).endReason, 'caller_hangup')

  // Without accounts the proxy refuses strangers, and they get no response from the node itself.
  const stranger = await openByHand(t, '127.0.41.22')
  const forged: [string, string][] = [['X-Ramal-Source', `${carrier.address} ${carrier.port} udp`]]
  for (const headers of [[], forged, [...forged, ...forged]])
    assert.equal((await (await stranger.call(proxy.port, { uri: number, headers })).final()).status, 403)
  const forgedCall = await stranger.call(proxy.port, { uri: number, headers: forged })
  await forgedCall.final()
  const text = serialize(forgedCall.invite).toString('latin1')
  stranger.send(text.replaceAll(/branch=\w+|Call-ID: /g, '$&direct'), app.sipPort, host)
  await (await carrier.call(proxy.port, { uri: number })).answered()
  const direct = stranger.heard.filter(({ message }) => message.headers.get('call-id')?.startsWith('direct'))
  assert.equal(direct.length, 0, 'the node itself does not respond')
  assert.equal((await app.ana.get('/api/calls')).json.length, 2)
  await proxy.probed(node, true)
})

test('the proxy reaches a node at its own address, the audio at PUBLIC_ADDRESS', async (t) => {
  const { app, proxy, carrier, number, host } = await behindProxy(t, 44, { PUBLIC_ADDRESS: '203.0.113.9' })
  const call = await carrier.call(proxy.port, { uri: number })
  const answer = await call.answered()
  assert.equal(answer.headers.get('contact'), `<sip:${number}@${host}:${app.sipPort}>`)
  assert.match(answer.body.toString(), /^c=IN IP4 203\.0\.113\.9\r$/m)
  assert.equal((await call.bye()).status, 200)
})

test('the audio of a phone behind NAT is accepted from where its signalling comes from, in both directions', async (t) => {
  const { app, proxy, host, carrier, number } = await behindProxy(t, 45)
  const account = await deviceOf(app)
  const sdp = plainSdp('192.0.2.55', 4000)
  const quiet = new Uint8Array(160).fill(0xff)
  const hears = async (phone: ByHand, offer: string) => {
    const audio = await openPeer(undefined, phone.address, host)
    const sending = setInterval(() => audio.send(Number(/m=audio (\d+)/.exec(offer)?.[1]), quiet), 20)
    await until('the phone hears the agent', () => audio.got.length > 20).finally(() => {
      clearInterval(sending)
      audio.close()
    })
  }
  const inbound = await carrier.call(proxy.port, { uri: number, sdp })
  await hears(carrier, (await inbound.answered()).body.toString())
  await inbound.bye()

  const phone = await openByHand(t, '127.0.45.22')
  assert.deepEqual(await register(phone, proxy.port, account), [401, 200])
  phone.onRequest = (request) => phone.answer(request, 200, { sdp })
  const asked = { agentId: account.agentId, toNumber: '+5511999990000', fromDeviceTokens: [account.token] }
  await app.bia.post('/api/calls/outbound', asked)
  await hears(phone, (await phone.request('INVITE')).body.toString())
})

test('wrong passwords behind the proxy ban their own address, never the proxy', async (t) => {
  const { app, proxy, carrier, number } = await behindProxy(t, 42)
  const account = await deviceOf(app)
  const [guesser, owner] = [await openByHand(t, '127.0.42.22'), await openByHand(t, '127.0.42.23')]
  for (let i = 0; i < 8; i++) await register(guesser, proxy.port, { ...account, password: `guess${i}` })
  assert.deepEqual(await register(guesser, proxy.port, account), [403], 'banned, even with the right password')
  assert.deepEqual(await register(owner, proxy.port, account), [401, 200])
  await (await carrier.call(proxy.port, { uri: number })).answered()
})

test('a device registers and calls through the proxy, and is called', async (t) => {
  const { app, proxy } = await behindProxy(t, 43)
  const account = await deviceOf(app)
  for (const transport of ['udp', 'tcp'] as const) {
    const registrar = { port: proxy.port, password: account.password, transport }
    const phone = await startBaresip({ user: account.username, registrar, says: { hz: 900 }, answer: 'auto' })
    t.after(phone.stop)
    await phone.next('REGISTER_OK')
    await phone.dial(`sip:agent@127.0.0.1:${proxy.port}`)
    await phone.next('CALL_ESTABLISHED')
    await until('the phone hears the agent', () => heardMs(listen(phone.heard()), AGENT_HZ) > 300)
    await phone.hangUp()
    await phone.next('CALL_CLOSED')
    const asked = { agentId: account.agentId, toNumber: '+5511999990000', fromDeviceTokens: [account.token] }
    const { callId } = (await app.bia.post('/api/calls/outbound', asked)).json
    await phone.next('CALL_ESTABLISHED')
    await until(
      'it is in progress',
      async () => (await app.bia.get(`/api/calls/${callId}`)).json.status === 'in_progress',
    )
    await app.bia.post(`/api/calls/${callId}/hangup`)
    await phone.next('CALL_CLOSED')
    await phone.stop()
  }
})
