// Real phones with every supported codec, as caller and callee, and a codec change during a call.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { test } from 'node:test'
import { atEnd } from '../app.ts'
import { AGENT_HZ, agentOnTrunk, newNumber, startPhoneApp } from '../phone-app.ts'
import { newFolder } from '../phones/program.ts'
import { heardMs, listen, type Sound, stretchesOf, toneFile } from '../phones/spectrum.ts'
import { until } from '../until.ts'
import {
  answeredWith,
  baresipPhone,
  hears,
  linphonePhone,
  messagesOf,
  NARROW,
  recordingOf,
  rightlyEnded,
  talkBoth,
  toneAgent,
  WIDE,
} from './talks.ts'

const folder = newFolder('tones')
atEnd(() => rmSync(folder, { recursive: true }))
let agentHz = AGENT_HZ
const agent = toneAgent(() => agentHz)
const app = await startPhoneApp({}, { converse: agent.converse })

type Codec = 'PCMU' | 'PCMA' | 'G722' | 'opus'
const rates = { PCMU: 8000, PCMA: 8000, G722: 16_000, opus: 48_000 } as const

for (const codec of Object.keys(rates) as Codec[]) {
  const hz = rates[codec] > 8000 ? WIDE : NARROW

  test(`${codec} with baresip, both ways`, async (t) => {
    agentHz = hz.agent
    const client = await app.newUser('ana')
    const codecs = [codec.toLowerCase() as Lowercase<Codec>]
    const phone = await baresipPhone({ codecs, says: { hz: hz.phone }, rateHz: rates[codec] })
    t.after(phone.stop)
    const { number } = await agentOnTrunk(app, client, phone.port)
    await phone.dial(`sip:${number}@127.0.0.1:${app.sipPort}`)
    const callId = await talkBoth({ app, agent, phone, client, hz })
    assert.deepEqual(await answeredWith(client, callId), { codec, profile: 'RTP/AVP' })
  })

  test(`${codec} with linphone, both ways, called by the agent`, async (t) => {
    agentHz = hz.agent
    const client = await app.newUser('ana')
    const wav = toneFile(folder, hz.phone, rates[codec])
    const phone = await linphonePhone({ codecs: [codec], says: { wav } })
    t.after(phone.stop)
    const { agentId } = await agentOnTrunk(app, client, phone.port, { type: 'outbound' })
    await client.post('/api/calls/outbound', { toNumber: newNumber(), agentId })
    const callId = await talkBoth({ app, agent, phone, client, hz, rateHz: rates[codec] })
    assert.deepEqual(await answeredWith(client, callId), { codec, profile: 'RTP/AVP' })
  })
}

test('linphone changes the codec when it resumes from hold, and audio continues', async (t) => {
  agentHz = NARROW.agent
  const client = await app.newUser('ana')
  const phone = await linphonePhone({ codecs: ['PCMU', 'PCMA', 'G722'], says: { hz: NARROW.phone } })
  t.after(phone.stop)
  const { number } = await agentOnTrunk(app, client, phone.port)
  await phone.dial(`sip:${number}@127.0.0.1:${app.sipPort}`)
  const { call, time } = await agent.next()
  await phone.established()
  await hears(phone, NARROW.agent, 500)
  await phone.hold()
  phone.command('codec disable all')
  phone.command('codec enable 2')
  await phone.resume()
  // The phone's recording continues at the new codec's rate, whatever its header says.
  const heardWide = () => heardMs({ pcm: listen(phone.heard()).pcm, rateHz: 16_000 }, NARROW.agent)
  await until('it hears the agent by the new codec', () => heardWide() > 800)
  await until('the agent hears it by the new codec', () => heardMs(time.heard(16_000), NARROW.phone) > 800)
  phone.hangUp()
  const { callId } = call
  await rightlyEnded(client, callId, { direction: 'inbound', endReason: 'caller_hangup', hangupBy: 'caller' })
  const sdps = (await messagesOf(client, callId)).flatMap(({ message }) => /m=audio .*/.exec(message)?.[0] ?? [])
  const answers = sdps.filter((_, i) => i % 2 === 1).map((line) => line.split(' ')[3])
  assert.deepEqual(answers, ['0', '0', '9'], 'PCMU, PCMU on hold, then G.722')
  assert.equal(await until('linphone has counted its packets', phone.lost), 0, 'packets were lost')
  const { left, right } = await recordingOf(app, client, callId)
  const wideFromMs = time.firstAt(16_000)
  const since = ({ pcm, rateHz }: Sound) => ({ pcm: pcm.subarray((wideFromMs * rateHz) / 1000), rateHz })
  for (const [sound, hz] of [
    [left, NARROW.phone],
    [right, NARROW.agent],
  ] as const)
    assert.ok(heardMs(since(sound), hz) > 700, `${hz} Hz: ${JSON.stringify(stretchesOf(sound, hz))}, ${wideFromMs}`)
})
