// Web calls over WebRTC, with a real peer on loopback: audio both ways, the data channel, the recording, and invalid
// offers.
// @run own-process: it counts the sockets of its process.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, assertError, atEnd, startTestApp, type TestApp } from '../../../test/app.ts'
import { recordingOf, toneAgent } from '../../../test/phone/talks.ts'
import { AGENT_HZ, ended } from '../../../test/phone-app.ts'
import { heardMs } from '../../../test/phones/spectrum.ts'
import { until } from '../../../test/until.ts'
import { orderOf } from '../../../test/web-caller.ts'
import { webPeer } from '../../../test/web-peer.ts'

const agent = toneAgent()
let shared: Promise<TestApp> | undefined
async function toneApp() {
  shared ??= startTestApp({ ICE_SERVERS: '[]' }, { converse: agent.converse })
  const app = await shared
  const { id } = (await app.ana.post('/api/agents', anAgent)).json
  return { ...app, token: await orderOf(app.ana, id) }
}
const offerTo = (app: TestApp, token: string, payload: unknown) =>
  app.anonymous({
    method: 'POST',
    url: '/web-calls/webrtc',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', origin: 'https://shop.example' },
    payload: JSON.stringify(payload),
  })

for (const codec of ['opus', 'PCMU'] as const)
  test(`audio goes both ways with ${codec}, and the data channel carries the rest`, async () => {
    const app = await toneApp()
    const peer = await webPeer(codec, { hz: 1000 })
    atEnd(() => peer.close())
    const answer = await offerTo(app, app.token, { sdp: peer.offer })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.headers['access-control-allow-origin'], '*')
    await peer.accept(answer.json.sdp)
    const talk = await agent.next()
    const { callId } = talk.call
    assert.equal((await peer.until('started')).callId, callId)
    peer.tell({ type: 'digit', digit: '7' })
    await until('the agent has the key', () => talk.digits() === '7')
    await until('the agent is heard', () => heardMs(peer.heard(), AGENT_HZ) > 1000, 60_000)
    await until('the caller is heard', () => heardMs(talk.heard(), 1000) > 1000, 60_000)
    peer.tell({ type: 'hangup' })
    assert.equal((await peer.until('ended')).endReason, 'caller_hangup')
    await ended(app.ana, callId)
    const { left, right } = await recordingOf(app as never, app.ana, callId)
    assert.equal(left.rateHz, codec === 'opus' ? 16_000 : 8000)
    assert.ok(heardMs(left, 1000) > 700, `the caller for ${heardMs(left, 1000)} ms`)
    assert.ok(heardMs(right, AGENT_HZ) > 900, `the agent for ${heardMs(right, AGENT_HZ)} ms`)
    assertError(await offerTo(app, app.token, { sdp: peer.offer }), 409, 'This token was used before')
  })

test('when the agent hangs up, the peer is notified', async () => {
  const app = await toneApp()
  const peer = await webPeer('opus', { hz: 1000 })
  atEnd(() => peer.close())
  await peer.accept((await offerTo(app, app.token, { sdp: peer.offer })).json.sdp)
  const talk = await agent.next()
  await talk.transport.act({ do: 'hangup', reason: 'agent_ended' })
  assert.equal((await peer.until('ended')).endReason, 'agent_ended')
})

test('a renegotiated call goes on, only for the browser that opened it', async () => {
  const app = await toneApp()
  const peer = await webPeer('opus', { hz: 1000 })
  atEnd(() => peer.close())
  await peer.accept((await offerTo(app, app.token, { sdp: peer.offer })).json.sdp)
  const talk = await agent.next()
  await until('the agent is heard', () => heardMs(peer.heard(), AGENT_HZ) > 300)
  const foreign = peer.offer.replace(
    /(sha-256 )..:/g,
    (_, start) => `${start}${peer.offer.includes('256 00:') ? '01' : '00'}:`,
  )
  assertError(await offerTo(app, app.token, { sdp: foreign, isRestart: true }), 409, /another browser/)
  assertError(await offerTo(app, app.token, { sdp: 'x', isRestart: true }), 400)

  const answer = await offerTo(app, app.token, { sdp: await peer.again(), isRestart: true })
  assert.equal(answer.status, 200, answer.text)
  const ufrag = (sdp: string) => /a=ice-ufrag:(\S+)/.exec(sdp)?.[1]
  assert.ok(ufrag(answer.json.sdp), answer.json.sdp)
  await peer.accept(answer.json.sdp)
  await until('it is connected again', () => peer.state() === 'connected')
  const before = heardMs(peer.heard(), AGENT_HZ)
  await until('the agent is heard on', () => heardMs(peer.heard(), AGENT_HZ) > before + 500)
  peer.tell({ type: 'digit', digit: '3' })
  await until('the agent has the key', () => talk.digits() === '3')
  peer.tell({ type: 'hangup' })
  assert.equal((await peer.until('ended')).endReason, 'caller_hangup')
  await ended(app.ana, talk.call.callId)
  await until(
    'no way leads back',
    async () => (await offerTo(app, app.token, { sdp: peer.offer, isRestart: true })).status === 409,
  )
})

test('any site passes the CORS preflight', async () => {
  const { anonymous } = await toneApp()
  const headers = { origin: 'https://shop.example', 'access-control-request-method': 'POST' }
  const answer = await anonymous({ method: 'OPTIONS', url: '/web-calls/webrtc', headers })
  assert.equal(answer.status, 204)
  assert.equal(answer.headers['access-control-allow-origin'], '*')
  assert.equal(answer.headers['access-control-allow-headers'], 'authorization, content-type')
})

test('an invalid offer does not use up the token, and any site can read the refusals', async () => {
  const app = await toneApp()
  const peer = await webPeer('opus', { hz: 1000 })
  atEnd(() => peer.close())
  const section = 'm=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=rtpmap:111 opus/48000/2\r\n'
  const channel = 'm=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\n'
  const wrong = [
    'x',
    `v=0\r\n${section}`,
    `v=0\r\n${section}${channel}`,
    `v=0\r\n${section}${section}${channel}`,
    `v=0\r\n${section.replaceAll('opus', 'G729')}${channel}`,
    peer.offer.replace(/a=fingerprint.*\r\n/g, ''),
    peer.offer.replace(/a=ice-(ufrag|pwd).*\r\n/g, ''),
    peer.offer.replace('m=application', 'm=video'),
    peer.offer.replace(/(a=candidate.*\r\n)/, (line) => line.repeat(101)),
  ]
  for (const sdp of wrong) assertError(await offerTo(app, app.token, { sdp }), 400)
  assertError(await offerTo(app, app.token, {}), 400)
  const stranger = await offerTo(app, `${app.token}x`, { sdp: peer.offer })
  assertError(stranger, 401)
  assert.equal(stranger.headers['access-control-allow-origin'], '*')
  assertError(await app.anonymous({ method: 'POST', url: '/web-calls/webrtc', payload: { sdp: peer.offer } }), 401)
  const right = await offerTo(app, app.token, { sdp: peer.offer })
  assert.equal(right.status, 200, right.text)
  await peer.accept(right.json.sdp)
  await agent.next()
  peer.tell({ type: 'hangup' })
  await peer.until('ended')
})
