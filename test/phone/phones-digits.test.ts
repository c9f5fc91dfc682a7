// DTMF by SIP INFO and in-band with a real phone, and both sides of a recording with a phone that echoes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinPcm } from '../../src/audio/pcm.ts'
import type { Converse } from '../../src/phone/ports.ts'
import type { AudioFrame } from '../../src/voice/ports.ts'
import { AGENT_HZ, agentOnTrunk, startPhoneApp } from '../phone-app.ts'
import { openByHand, plainSdp } from '../phones/by-hand.ts'
import { heardMs, levelAt, listen, stretchesOf, tone } from '../phones/spectrum.ts'
import { openPeer, type RtpPeer } from '../rtp-peer.ts'
import { until } from '../until.ts'
import { mediaTime } from './media-time.ts'
import { baresipPhone, hears, messagesOf, recordingOf, rightlyEnded, toneAgent } from './talks.ts'

const agent = toneAgent()
const app = await startPhoneApp({}, { converse: agent.converse })

test('DTMF passes both ways by SIP INFO where the trunk is set to it', async (t) => {
  const client = await app.newUser('ana')
  const phone = await baresipPhone({ digits: 'info' })
  t.after(phone.stop)
  const { number } = await agentOnTrunk(app, client, phone.port, { trunk: { dtmfMode: 'info' } })
  await phone.dial(`sip:${number}@127.0.0.1:${app.sipPort}`)
  const { call, transport, digits } = await agent.next()
  await phone.established()
  await phone.press('90#')
  await until('the agent has the keys', () => digits() === '90#')
  await transport.act({ do: 'digits', digits: '1w*' })
  await until('the phone has the keys', () => phone.digits() === '1*')
  await phone.hangUp()
  const { callId } = call
  await rightlyEnded(client, callId, { direction: 'inbound', endReason: 'caller_hangup', hangupBy: 'caller' })
  const text = (await messagesOf(client, callId)).map(({ message }) => message).join('')
  assert.match(text, /^INFO /m)
  assert.doesNotMatch(text, /Signal=\s*[\d#*]/i, 'what was pressed is not kept')
})

test('DTMF is sent as in-band tones where the trunk is set to it', async (t) => {
  const client = await app.newUser('ana')
  const phone = await baresipPhone()
  t.after(phone.stop)
  const { number } = await agentOnTrunk(app, client, phone.port, { trunk: { dtmfMode: 'inband' } })
  await phone.dial(`sip:${number}@127.0.0.1:${app.sipPort}`)
  const { transport } = await agent.next()
  await phone.established()
  await hears(phone, AGENT_HZ, 200)
  await transport.act({ do: 'digits', digits: '5' })
  // 770 and 1336 Hz together for 160 ms; the agent's own tone contains neither.
  const isKey = (pcm: Int16Array) => [770, 1336].every((hz) => levelAt(pcm, 8000, hz) > -25)
  await until('the tones are heard', () => {
    const { pcm } = listen(phone.heard())
    const parts = Array.from({ length: Math.floor(pcm.length / 400) }, (_, i) => pcm.subarray(i * 400, (i + 1) * 400))
    return parts.filter(isKey).length >= 2
  })
  assert.equal(phone.digits(), '', 'no event was sent')
})

test('both sides are at their place in the recording, with a phone that echoes', async (t) => {
  const beeps = [0, 1, 2, 3]
  async function* speech(): AsyncGenerator<AudioFrame> {
    for (const _ of beeps) {
      yield { pcm: new Int16Array(8000 * 0.7), rateHz: 8000 }
      yield tone(AGENT_HZ, 0.3)
    }
    yield { pcm: new Int16Array(8000 * 0.7), rateHz: 8000 }
  }
  const time = mediaTime()
  const isEchoed = () => heardMs(time.heard(), AGENT_HZ) > 300
  const converse: Converse = async (_, transport, signal) => {
    const hear = async () => {
      for await (const frame of transport.input) time.hear(frame)
    }
    void hear()
    await transport.play(speech(), signal)
    await until('the echo is heard', isEchoed)
    return { endReason: 'agent_ended' }
  }
  const beeping = await startPhoneApp({}, { converse })
  const phone = await baresipPhone({ says: 'echo' })
  t.after(phone.stop)
  const { number } = await agentOnTrunk(beeping, beeping.ana, phone.port)
  await phone.dial(`sip:${number}@127.0.0.1:${beeping.sipPort}`)
  await phone.over()
  const { callId } = await until('the call', async () => (await beeping.ana.get('/api/calls')).json[0])
  await rightlyEnded(beeping.ana, callId, { direction: 'inbound', endReason: 'agent_ended', hangupBy: 'agent' })
  const { left, right } = await recordingOf(beeping, beeping.ana, callId)
  time.isAll(left)
  const [said, echoed] = [stretchesOf(time.asRun(right), AGENT_HZ), stretchesOf(time.asRun(left), AGENT_HZ)]
  const from = said[0]?.fromMs ?? 0
  assert.deepEqual(
    said.map(({ fromMs, toMs }) => [Math.round((fromMs - from) / 100), Math.round((toMs - fromMs) / 100)]),
    beeps.map((i) => [10 * i, 3]),
    'each beep at its second, in the time of the clock',
  )
  // Any delay beyond that is the phone's.
  assert.ok((echoed[0]?.fromMs ?? 0) > from, `no echo before the sound: ${JSON.stringify({ said, echoed })}`)
})

/** The two tones of each digit as PCMU, followed by a pause. */
function keyTones(keys: string): Int16Array {
  const rows = ['123A', '456B', '789C', '*0#D']
  const lows = [697, 770, 852, 941]
  const highs = [1209, 1336, 1477, 1633]
  return joinPcm(
    [...keys].flatMap((key) => {
      const row = rows.findIndex((each) => each.includes(key))
      const pair = [lows[row], highs[rows[row]?.indexOf(key) ?? 0]] as [number, number]
      const at = (i: number) => pair.reduce((sum, hz) => sum + 8000 * Math.sin((2 * Math.PI * hz * i) / 8000), 0)
      return [Int16Array.from({ length: 960 }, (_, i) => at(i)), new Int16Array(960)]
    }),
  )
}

/** Repeated, because a loaded machine may lose one. */
async function areHeard(port: number, peer: RtpPeer, digits: () => string): Promise<void> {
  const pressed = joinPcm([new Int16Array(4000), keyTones('159#'), new Int16Array(4000)])
  const speaking = peer.speak(port, pressed, { loop: true })
  await until('the agent has the keys', () => digits().includes('159#'), 20_000)
  speaking.stop()
}

const portIn = (sdp: string) => Number(/m=audio (\d+)/.exec(sdp)?.[1])
const withoutEvents = (address: string, port: number) => plainSdp(address, port, '0').replace(/a=rtpmap:101.*\r\n/, '')

test('in-band DTMF is detected where no telephone-events were negotiated, in both directions', async (t) => {
  const client = await app.newUser('tones')
  const [carrier, peer] = [await openByHand(t, '127.0.4.1'), await openPeer(undefined, '127.0.4.1')]
  t.after(() => peer.close())
  carrier.onRequest = (request) => void (request.method === 'BYE' && carrier.answer(request, 200))
  const trunk = { host: carrier.address }
  const { number } = await agentOnTrunk(app, client, carrier.port, { trunk })
  const sdp = withoutEvents(carrier.address, peer.port)
  const call = await carrier.call(app.sipPort, { uri: number, sdp })
  const { body } = await call.answered()
  await areHeard(portIn(body.toString()), peer, (await agent.next()).digits)
  await call.bye()

  const { agentId } = await agentOnTrunk(app, client, carrier.port, { trunk, type: 'outbound' })
  const { callId } = (await client.post('/api/calls/outbound', { agentId, toNumber: '+5511988887777' })).json
  const invite = await carrier.request('INVITE')
  carrier.answer(invite, 200, { sdp })
  await areHeard(portIn(invite.body.toString()), peer, (await agent.next()).digits)
  await client.post(`/api/calls/${callId}/hangup`)
})

test('where telephone-events were negotiated, in-band tones are ignored', async (t) => {
  const client = await app.newUser('events')
  const [carrier, peer] = [await openByHand(t, '127.0.4.2'), await openPeer(undefined, '127.0.4.2')]
  t.after(() => peer.close())
  const { number } = await agentOnTrunk(app, client, carrier.port, { trunk: { host: carrier.address } })
  const call = await carrier.call(app.sipPort, { uri: number, sdp: plainSdp(carrier.address, peer.port) })
  const { body } = await call.answered()
  const port = portIn(body.toString())
  const { digits } = await agent.next()
  await peer.speak(port, keyTones('159#')).done
  for (const ms of [20, 60, 100])
    peer.send(port, Uint8Array.of(7, ms === 100 ? 0x8a : 10, (ms * 8) >> 8, (ms * 8) & 0xff), { type: 101, advance: 0 })
  await until('the event is heard', () => digits() === '7')
  await call.bye()
})
