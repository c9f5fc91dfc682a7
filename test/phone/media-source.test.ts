// RTP source lock: media is accepted only from the SDP or signaling address, however early or long others send.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { agentOnTrunk, startPhoneApp } from '../phone-app.ts'
import { openByHand, plainSdp } from '../phones/by-hand.ts'
import { openPeer, type RtpPeer } from '../rtp-peer.ts'
import { until } from '../until.ts'

const app = await startPhoneApp()
const quiet = new Uint8Array(160).fill(0xff)
/** Unreachable: the peer's private address behind its NAT. */
const BEHIND_NAT = '192.0.2.55'

let next = 40
async function phones(t: TestContext) {
  const address = `127.0.3.${next++}`
  const carrier = await openByHand(t, address)
  const natted = await openPeer(undefined, address)
  const stranger = await openPeer(undefined, `127.0.3.${next++}`)
  t.after(() => {
    natted.close()
    stranger.close()
  })
  return { carrier, natted, stranger }
}

const portIn = (sdp: string) => Number(/m=audio (\d+)/.exec(sdp)?.[1])

/** The unknown source sends first and continues; audio with the peer still works both ways. */
async function isFarSideAlone(natted: RtpPeer, stranger: RtpPeer, port: number): Promise<void> {
  for (let i = 0; i < 50; i++) stranger.send(port, quiet)
  const sending = setInterval(() => {
    for (const peer of [stranger, natted]) peer.send(port, quiet)
  }, 20)
  try {
    await until('the peer hears the agent', () => natted.got.length > 20)
    assert.equal(stranger.got.length, 0, 'the stranger hears nothing')
  } finally {
    clearInterval(sending)
  }
}

test('media of an inbound call behind NAT is accepted from its signalling address, and from no other', async (t) => {
  const { carrier, natted, stranger } = await phones(t)
  const client = await app.newUser('owner')
  const { number } = await agentOnTrunk(app, client, carrier.port, { trunk: { host: carrier.address } })
  const call = await carrier.call(app.sipPort, { uri: number, sdp: plainSdp(BEHIND_NAT, 4000) })
  const { body } = await call.answered()
  await isFarSideAlone(natted, stranger, portIn(body.toString()))
  await call.bye()
})

test('media of an outbound call is accepted from the answering address, and from no other', async (t) => {
  const { carrier, natted, stranger } = await phones(t)
  const client = await app.newUser('owner')
  const trunk = { host: carrier.address }
  const { agentId } = await agentOnTrunk(app, client, carrier.port, { trunk, type: 'outbound' })
  carrier.onRequest = (request) => {
    if (request.method === 'BYE') carrier.answer(request, 200)
  }
  const { callId } = (await client.post('/api/calls/outbound', { agentId, toNumber: '+5511988887777' })).json
  const invite = await carrier.request('INVITE')
  carrier.answer(invite, 200, { sdp: plainSdp(BEHIND_NAT, 4000) })
  await isFarSideAlone(natted, stranger, portIn(invite.body.toString()))
  await client.post(`/api/calls/${callId}/hangup`)
  await carrier.request('BYE')
})
