// Real phones with SRTP (SDES): required, allowed, and refused when missing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentOnTrunk, newNumber, startPhoneApp } from '../phone-app.ts'
import { until } from '../until.ts'
import {
  answeredWith,
  baresipPhone,
  linphonePhone,
  messagesOf,
  NARROW,
  type Phone,
  rightlyEnded,
  talkBoth,
  toneAgent,
  wholeCall,
  wholeRecording,
} from './talks.ts'

const agent = toneAgent()
const app = await startPhoneApp({}, { converse: agent.converse })
const says = { hz: NARROW.phone }

const encrypted: Record<string, () => Promise<Phone>> = {
  'baresip (RTP/SAVP)': () => baresipPhone({ mediaenc: 'srtp-mand', says }),
  linphone: () => linphonePhone({ mediaenc: 'srtp', says }),
}
for (const [name, start] of Object.entries(encrypted))
  test(`${name} with SRTP required on both sides, also after a hold`, async (t) => {
    const client = await app.newUser('ana')
    const phone = await start()
    t.after(phone.stop)
    const { number } = await agentOnTrunk(app, client, phone.port, { trunk: { mediaEncryption: 'required' } })
    await phone.dial(`sip:${number}@127.0.0.1:${app.sipPort}`)
    const talk = await agent.next()
    await wholeCall(phone, talk)
    await phone.hangUp()
    const { callId } = talk.call
    await rightlyEnded(client, callId, { direction: 'inbound', endReason: 'caller_hangup', hangupBy: 'caller' })
    await wholeRecording(app, client, talk, says.hz)
    assert.equal((await answeredWith(client, callId)).profile, 'RTP/SAVP')
    const text = (await messagesOf(client, callId)).map(({ message }) => message).join('')
    assert.match(text, /a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:/)
    assert.doesNotMatch(text, /inline:(?!\[hidden\])/, 'no key is kept')
  })

test('an offer of SRTP beside plain RTP gets SRTP where it is allowed', async (t) => {
  const client = await app.newUser('ana')
  const phone = await baresipPhone({ mediaenc: 'srtp', says })
  t.after(phone.stop)
  const { number } = await agentOnTrunk(app, client, phone.port, { trunk: { mediaEncryption: 'allowed' } })
  await phone.dial(`sip:${number}@127.0.0.1:${app.sipPort}`)
  const callId = await talkBoth({ app, agent, phone, client, hz: NARROW })
  const answer = (await messagesOf(client, callId)).find(({ summary }) => /^200 .*INVITE/.test(summary))
  assert.match(answer?.message ?? '', /\r\na=crypto:/)
})

test('an outbound call uses the SRTP that its trunk requires', async (t) => {
  const client = await app.newUser('ana')
  const toNumber = newNumber()
  const phone = await baresipPhone({ user: toNumber.slice(1), mediaenc: 'srtp-mand', says })
  t.after(phone.stop)
  const trunk = { mediaEncryption: 'required', numberFormat: { leadingPlus: false } }
  const { agentId } = await agentOnTrunk(app, client, phone.port, { trunk, type: 'outbound' })
  await client.post('/api/calls/outbound', { toNumber, agentId })
  const callId = await talkBoth({ app, agent, phone, client, hz: NARROW })
  assert.equal((await answeredWith(client, callId)).profile, 'RTP/SAVP')
})

test('a phone without SRTP is refused where it is required, and its owner sees why', async (t) => {
  const client = await app.newUser('ana')
  const phone = await baresipPhone({ says })
  t.after(phone.stop)
  const { number } = await agentOnTrunk(app, client, phone.port, { trunk: { mediaEncryption: 'required' } })
  await phone.dial(`sip:${number}@127.0.0.1:${app.sipPort}`)
  assert.match((await phone.over()).param ?? '', /488/)
  const call = await until('its row', async () => (await client.get('/api/calls')).json[0])
  assert.deepEqual([call.status, call.endReason, call.sipCode], ['failed', 'sip_error', 488])
  assert.match(call.endDetail, /encryption is required here/)
})
