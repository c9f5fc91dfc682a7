// AMD in real calls: a phone plays a voicemail greeting and a beep; the agent leaves its message and hangs up. How soon
// the message starts after the beep is tested to the frame on a virtual clock in test/voice/voicemail.test.ts.
// @run gate
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { joinPcm } from '../../src/audio/pcm.ts'
import { parseWavHeader, pcmBytes, pcmOf, wavHeader } from '../../src/audio/wav.ts'
import { startTestApp } from '../app.ts'
import { agentOnTrunk, ended, newNumber } from '../phone-app.ts'
import { startBaresip } from '../phones/baresip.ts'
import { freeSipPort } from '../phones/ports.ts'
import { tone } from '../phones/spectrum.ts'
import { robotSpeech } from '../sounds.ts'
import { until } from '../until.ts'

const RATE_HZ = 8000
const quiet = (seconds: number) => new Int16Array(RATE_HZ * seconds)
const longGreeting =
  'Você ligou para o João Carlos e eu não posso falar agora mas ligue de novo amanhã ou deixe seu recado aqui'

/** No transcript is needed: timing and the beep are enough for AMD. The recognizer is unreachable. */
async function startApp() {
  const dataDir = mkdtempSync(join(tmpdir(), 'ramal-mailbox-'))
  const sipPort = await freeSipPort()
  const app = await startTestApp({
    DATA_DIR: dataDir,
    SIP_PORT: String(sipPort),
    EMBEDDED_VOICE: 'small',
    STT_PROVIDER: 'deepgram',
    DEEPGRAM_API_KEY: 'none',
    DEEPGRAM_BASE_URL: 'http://127.0.0.1:9',
  })
  return { ...app, sipPort, dataDir }
}
const app = await startApp()
const voice = app.ana
  .get('/api/tts/provider_b/voices')
  .then(({ json }) => json.find(({ language }: { language: string }) => language.startsWith('pt')).id as string)

type Sound = { pcm: Int16Array; rateHz: number }
function soundOf(wav: Buffer, channel = 0, channels = 1): Sound {
  const { rateHz, dataAt } = parseWavHeader(wav) ?? assert.fail('no WAV')
  return { pcm: pcmOf(wav.subarray(dataAt)).filter((_, i) => i % channels === channel), rateHz }
}

/** First and last loud sample, in seconds. */
function loudPart({ pcm, rateHz }: Sound): { from: number; to: number } {
  const isLoud = (sample: number) => Math.abs(sample) > 500
  return { from: pcm.findIndex(isLoud) / rateHz, to: pcm.findLastIndex(isLoud) / rateHz }
}

/** Duration of this text in the agent's voice, in seconds. */
async function spokenFor(text: string): Promise<number> {
  const { rawPayload } = await app.app.http.inject({
    method: 'POST',
    url: '/api/tts/provider_b/stream',
    headers: { 'x-api-key': app.ana.key, accept: 'audio/wav' },
    payload: { text, voiceId: await voice },
  })
  const { from, to } = loudPart(soundOf(rawPayload))
  return to - from
}

/** A phone that answers with this audio, and a call to it. */
async function callTo(t: TestContext, sound: Int16Array) {
  const toNumber = newNumber()
  const file = join(app.dataDir, `${toNumber}.wav`)
  writeFileSync(file, Buffer.concat([wavHeader(RATE_HZ, sound.length), pcmBytes(sound)]))
  const phone = await startBaresip({ user: toNumber.slice(1), says: { wav: file }, codecs: ['pcma'], answer: 'auto' })
  t.after(phone.stop)
  const agent = {
    initialSpeech: 'Olá, aqui é a Ana.',
    ttsProvider: 'provider_b',
    voiceId: await voice,
    settings: { voicemail: { action: 'message', message: 'Oi {{nome}}, ligo amanhã.' } },
  }
  const { agentId } = await agentOnTrunk(app, app.ana, phone.port, {
    agent,
    trunk: { numberFormat: { leadingPlus: false } },
    type: 'outbound',
  })
  const { json } = await app.ana.post('/api/calls/outbound', { toNumber, agentId, variables: { nome: 'João' } })
  return { phone, callId: json.callId as string }
}

/** The agent's words. The embedded recognizer may transcribe the greeting too: it then comes first. */
async function saidByAgent(conversationId: string): Promise<string[]> {
  const { json } = await app.ana.get(`/api/conversations/messages/${conversationId}`)
  const messages = json as { type: string; content: string }[]
  return messages.filter(({ type }) => type === 'agent').map(({ content }) => content)
}

test('voicemail is detected, gets the message after its beep, and the record says so', async (t) => {
  const greeting = await robotSpeech(longGreeting, 'pt-br', RATE_HZ)
  const beep = tone(1000, 0.4, RATE_HZ).pcm
  const { callId } = await callTo(t, joinPcm([quiet(0.3), greeting, quiet(0.6), beep, quiet(60)]))
  const call = await ended(app.ana, callId, 40_000)
  assert.deepEqual(
    [call.status, call.endReason, call.hangupBy, call.answeredBy],
    ['completed', 'voicemail', 'agent', 'machine'],
  )
  assert.deepEqual(await saidByAgent(call.conversationId), ['Oi João, ligo amanhã.'])
  const recording = readFileSync(join(app.dataDir, 'recordings', `${call.id}.wav`))
  const [heard, said] = [0, 1].map((channel) => loudPart(soundOf(recording, channel, 2)))
  assert.ok(heard && said)
  // The phone plays the beep last; once the silence after it arrives, the beep has been heard.
  assert.ok(said.from >= heard.to, `the message begins at ${said.from} s, the beep ends at ${heard.to} s`)
  const wholeS = await spokenFor('Oi João, ligo amanhã.')
  const saidS = said.to - said.from
  // A pause between frames lengthens it; the telephone band softens its first and last sound.
  assert.ok(wholeS > 1 && saidS > wholeS - 0.1, `${saidS} of ${wholeS} s were said`)
})

test('a short personal greeting with a beep is voicemail: the message is left', async (t) => {
  const greeting = await robotSpeech('Oi, deixe recado', 'pt-br', RATE_HZ)
  const beep = tone(900, 0.5, RATE_HZ).pcm
  const { callId } = await callTo(t, joinPcm([quiet(0.3), greeting, quiet(0.8), beep, quiet(60)]))
  const call = await ended(app.ana, callId, 40_000)
  assert.deepEqual([call.endReason, call.answeredBy], ['voicemail', 'machine'])
  assert.equal((await saidByAgent(call.conversationId)).at(-1), 'Oi João, ligo amanhã.')
})

test('a long company greeting without a beep is human: the agent opens and leaves no message', async (t) => {
  const text = 'Clínica São Lucas muito bom dia aqui é a Maria da recepção em que é que eu posso ajudar o senhor hoje'
  const greeting = await robotSpeech(text, 'pt-br', RATE_HZ)
  assert.ok(greeting.length > 4.2 * RATE_HZ, 'it is long enough to be taken for a mailbox')
  const { phone, callId } = await callTo(t, joinPcm([quiet(0.3), greeting, quiet(60)]))
  const opened = await until(
    'the agent opens',
    async () => {
      const { json: call } = await app.ana.get(`/api/calls/${callId}`)
      return call.answeredBy === 'human' && (await saidByAgent(call.conversationId)).length > 0 && call
    },
    30_000,
  )
  assert.deepEqual(await saidByAgent(opened.conversationId), ['Olá, aqui é a Ana.'])
  await phone.hangUp()
})
