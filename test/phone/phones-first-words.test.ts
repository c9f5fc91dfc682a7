// The first audio of an agent with the embedded voice: the consent notice, then the opening phrase.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atEnd, startTestApp } from '../app.ts'
import { agentOnTrunk, ended, type PhoneApp } from '../phone-app.ts'
import { freeSipPort } from '../phones/ports.ts'
import { listen } from '../phones/spectrum.ts'
import { until } from '../until.ts'
import { alike, OTHER, SAME, smallVoice } from './likeness.ts'
import { baresipPhone, recordingOf, rightlyEnded } from './talks.ts'

async function start(env: Record<string, string>): Promise<PhoneApp> {
  const sipPort = await freeSipPort()
  return { ...(await startTestApp({ SIP_PORT: String(sipPort), ...env })), sipPort }
}
const app = await start({ EMBEDDED_VOICE: 'small' })
const { spoken, close } = await smallVoice()
atEnd(close)

const GREETING = 'Bom dia, {{name}}! Aqui é da clínica. Em que posso ajudar hoje?'
const said = GREETING.replace('{{name}}', 'Marta')
const settings = { variables: { name: 'Marta' } }

const message = async (client: PhoneApp['ana'], callId: string) => {
  const { conversationId } = (await client.get(`/api/calls/${callId}`)).json
  const { json } = await client.get(`/api/conversations/messages/${conversationId}`)
  return json[0] as { type: string; content: string } | undefined
}

test('90 an agent says its opening phrase on an inbound call, and the conversation holds it', async (t) => {
  const client = await app.newUser('ana')
  const phone = await baresipPhone()
  t.after(phone.stop)
  const { number, agentId } = await agentOnTrunk(app, client, phone.port, {
    agent: { language: 'pt-BR', initialSpeech: GREETING, settings },
  })
  await phone.dial(`sip:${number}@127.0.0.1:${app.sipPort}`)
  await phone.established()
  const { callId } = await until('the call', async () => (await client.get('/api/calls')).json[0])
  const told = await until('it has spoken', () => message(client, callId))
  assert.deepEqual([told.type, told.content], ['agent', said])
  const greeting = await spoken(said)
  const heard = await until('the phone has heard it', () => {
    const sound = listen(phone.heard())
    return alike(sound, greeting).likeness > SAME && sound
  })
  const other = await spoken('Vamos falar de outra coisa, por favor, agora mesmo.')
  assert.ok(alike(heard, other).likeness < OTHER, 'it would be known from other words')
  await phone.hangUp()
  const record = await rightlyEnded(client, callId, {
    direction: 'inbound',
    endReason: 'caller_hangup',
    hangupBy: 'caller',
  })
  const { json } = await client.get(`/api/conversations/${record.conversationId}`)
  assert.equal(json.agentId, agentId)
  const { right } = await recordingOf(app, client, callId)
  assert.ok(alike(right, greeting).likeness > SAME)
})

test('the consent notice is played before the recording starts', async (t) => {
  const client = await app.newUser('ana')
  const phone = await baresipPhone()
  t.after(phone.stop)
  const consentNotice = 'Esta ligação será gravada.'
  const { number } = await agentOnTrunk(app, client, phone.port, {
    agent: { language: 'pt-BR', initialSpeech: said, settings: { recording: { consentNotice } } },
  })
  await phone.dial(`sip:${number}@127.0.0.1:${app.sipPort}`)
  await phone.established()
  const { callId } = await until('the call', async () => (await client.get('/api/calls')).json[0])
  await until('it has spoken', () => message(client, callId))
  const [notice, greeting] = [await spoken(consentNotice), await spoken(said)]
  const { first, second } = await until('the phone has heard both', () => {
    const heard = listen(phone.heard())
    const found = { first: alike(heard, notice), second: alike(heard, greeting) }
    return found.first.likeness > SAME && found.second.likeness > SAME && found
  })
  await phone.hangUp()
  await ended(client, callId)
  assert.ok(second.atMs >= first.toMs - 100, JSON.stringify({ first, second }))
  const { right } = await recordingOf(app, client, callId)
  assert.ok(alike(right, notice).likeness < OTHER, 'the notice itself is not recorded')
  const recorded = alike(right, greeting)
  assert.ok(recorded.likeness > SAME, JSON.stringify(recorded))
})

test('an agent without a voice hangs up, and the record says why', async (t) => {
  const mute = await start({ EMBEDDED_VOICE: 'off' })
  const phone = await baresipPhone()
  t.after(phone.stop)
  const { number } = await agentOnTrunk(mute, mute.ana, phone.port)
  await phone.dial(`sip:${number}@127.0.0.1:${mute.sipPort}`)
  await phone.over()
  const { callId } = await until('the call', async () => (await mute.ana.get('/api/calls')).json[0])
  await rightlyEnded(mute.ana, callId, {
    status: 'failed',
    direction: 'inbound',
    endReason: 'tts_error',
    hangupBy: 'system',
  })
})
