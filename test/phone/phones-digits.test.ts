// Keys by SIP INFO and as tones with a real phone, and a phone that echoes: what is recorded of both sides stays in step.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Converse } from '../../src/phone/ports.ts'
import type { AudioFrame } from '../../src/voice/ports.ts'
import { AGENT_HZ, agentOnTrunk, startPhoneApp } from '../phone-app.ts'
import { levelAt, listen, stretchesOf, tone } from '../phones/spectrum.ts'
import { until } from '../until.ts'
import { baresipPhone, hears, messagesOf, recordingOf, rightlyEnded, toneAgent } from './talks.ts'

const agent = toneAgent()
const app = await startPhoneApp({}, { converse: agent.converse })

test('keys go both ways by SIP INFO where the trunk says so', async (t) => {
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

test('keys go out as tones where the trunk says so', async (t) => {
  const client = await app.newUser('ana')
  const phone = await baresipPhone()
  t.after(phone.stop)
  const { number } = await agentOnTrunk(app, client, phone.port, { trunk: { dtmfMode: 'inband' } })
  await phone.dial(`sip:${number}@127.0.0.1:${app.sipPort}`)
  const { transport } = await agent.next()
  await phone.established()
  await hears(phone, AGENT_HZ, 200)
  await transport.act({ do: 'digits', digits: '5' })
  // 770 and 1336 Hz together for 160 ms; neither is heard in the agent's own tone.
  const isKey = (pcm: Int16Array) => [770, 1336].every((hz) => levelAt(pcm, 8000, hz) > -25)
  await until('the tones are heard', () => {
    const { pcm } = listen(phone.heard())
    const parts = Array.from({ length: Math.floor(pcm.length / 400) }, (_, i) => pcm.subarray(i * 400, (i + 1) * 400))
    return parts.filter(isKey).length >= 2
  })
  assert.equal(phone.digits(), '', 'no event was sent')
})

test('the far side and the agent stay in step in the recording: an echo is late by the same everywhere', async (t) => {
  const beeps = [0, 1, 2, 3]
  async function* speech(): AsyncGenerator<AudioFrame> {
    for (const _ of beeps) {
      yield { pcm: new Int16Array(8000 * 0.7), rateHz: 8000 }
      yield tone(AGENT_HZ, 0.3)
    }
    yield { pcm: new Int16Array(8000 * 0.7), rateHz: 8000 }
  }
  const converse: Converse = async (_, transport, signal) => {
    await transport.play(speech(), signal)
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
  const [said, echoed] = [stretchesOf(right, AGENT_HZ), stretchesOf(left, AGENT_HZ)]
  assert.equal(said.length, beeps.length, JSON.stringify(said))
  assert.equal(echoed.length, beeps.length, JSON.stringify(echoed))
  const lateMs = said.map(({ fromMs }, i) => (echoed[i]?.fromMs ?? 0) - fromMs)
  assert.ok(Math.min(...lateMs) > 0 && Math.max(...lateMs) < 300, `late by ${lateMs} ms`)
  assert.ok(Math.max(...lateMs) - Math.min(...lateMs) <= 60, `late by ${lateMs} ms`)
})
