// A real phone in a campaign call: it first hears the AI disclosure; its user then asks aloud not to be called again,
// and from then on no campaign calls the number. With a language model over its protocol, and without one.
// @run gate
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { parseWavHeader, pcmOf } from '../../src/audio/wav.ts'
import { atEnd, startTestApp } from '../app.ts'
import { allOf, campaignWith, start } from '../campaign-api.ts'
import { askAloud, startCaller } from '../outage/caller.ts'
import { agentOnTrunk, ended, newNumber } from '../phone-app.ts'
import { freeSipPort } from '../phones/ports.ts'
import { until } from '../until.ts'
import { startDeepgram } from '../vendors/deepgram.ts'
import { startElevenLabs, voices } from '../vendors/elevenlabs.ts'
import { lastSaid, startLlm } from '../vendors/llm.ts'
import { KEY } from '../vendors/server.ts'
import { heardIn, spelling } from '../vendors/spelled-tone.ts'

const SAID = 'por favor não me ligue mais'
const DISCLOSURE = 'Olá, aqui é Ana, assistente virtual. Esta é uma ligação automática.'
const OPENING = 'Falo com o Carlos?'

/**
 * The recognizer returns SAID for any speech; the voice spells words in tones, which are read back from the recording.
 * No fallback voice replaces one that is late.
 */
async function startApp(env: Record<string, string> = {}) {
  const [stt, tts] = await Promise.all([startDeepgram(10_000, 0, SAID.split(' ')), startElevenLabs()])
  atEnd(() => Promise.all([stt.stop(), tts.stop()]).then(() => {}))
  const folder = mkdtempSync(join(tmpdir(), 'ramal-campaign-'))
  const sipPort = await freeSipPort()
  const app = await startTestApp({
    DATA_DIR: folder,
    SIP_PORT: String(sipPort),
    EMBEDDED_VOICE: 'off',
    STT_PROVIDER: 'deepgram',
    DEEPGRAM_API_KEY: KEY,
    DEEPGRAM_BASE_URL: stt.url,
    TTS_PROVIDER_A: 'elevenlabs',
    ELEVENLABS_API_KEY: KEY,
    ELEVENLABS_BASE_URL: tts.url,
    ...env,
  })
  return { ...app, sipPort, folder }
}
type CampaignApp = Awaited<ReturnType<typeof startApp>>

/** Two campaigns with the number of a real phone: one is started and the phone answers, the other waits. */
async function campaignCallTo(t: TestContext, app: CampaignApp) {
  const { ana, folder } = app
  const number = newNumber()
  const callee = await startCaller(folder, number.slice(1))
  t.after(callee.phone.stop)
  const agent = { name: 'Ana', initialSpeech: OPENING, ttsProvider: 'provider_a', voiceId: voices[0]?.voice_id }
  const { agentId, trunkId } = await agentOnTrunk(app, ana, callee.phone.port, {
    agent: { ...agent, language: 'pt-BR', settings: { turn: { idleReminderMs: 0 } } },
    trunk: { numberFormat: { leadingPlus: false } },
    type: 'outbound',
  })
  const first = await campaignWith(ana, { agentId, trunkId }, [number])
  const nobody = newNumber()
  const other = await campaignWith(ana, { agentId, trunkId, name: 'Another one' }, [number, nobody])
  await start(ana, first)
  await callee.phone.next('CALL_ESTABLISHED')
  const call = await until('its conversation has begun', async () => {
    const [newest] = (await ana.get('/api/calls?limit=1')).json
    return newest.conversationId !== null && newest
  })
  return { callee, callId: call.id as string, conversationId: call.conversationId as string, number, nobody, other }
}

const lettersOf = (text: string) => spelling(text).replaceAll(' ', '')

/** Shorter pauses are within a tone. */
const PAUSE_MS = 10

/** The letters that the platform sent in a call, read from its recording, however late parts of them were. */
function lettersSent(recording: string): string {
  const bytes = readFileSync(recording)
  const { rateHz, dataAt } = parseWavHeader(bytes) ?? assert.fail('no WAV')
  const agent = pcmOf(bytes.subarray(dataAt)).filter((_, i) => i % 2 === 1)
  const joined = new Int16Array(agent.length)
  let [length, zeros] = [0, 0]
  for (const sample of agent) {
    zeros = sample === 0 ? zeros + 1 : 0
    joined[length++] = sample
    if (zeros === (PAUSE_MS * rateHz) / 1000) length -= zeros
    else if (zeros > (PAUSE_MS * rateHz) / 1000) length--
  }
  const sounds = heardIn(joined.subarray(0, length), rateHz)
  return lettersOf(sounds.map(({ text }) => text ?? '?').join(''))
}

async function optOutAloud(t: TestContext, app: CampaignApp, goodbye: string) {
  const { ana, database, folder } = app
  const { callee, callId, conversationId, number, nobody, other } = await campaignCallTo(t, app)
  const saidByAgent = async (): Promise<string> =>
    (await ana.get(`/api/conversations/messages/${conversationId}`)).json
      .flatMap(({ type, content }: { type: string; content: string }) => (type === 'agent' ? [content] : []))
      .join(' ')
  await until('the agent has opened', async () => (await saidByAgent()) === `${DISCLOSURE} ${OPENING}`, 60_000)
  const asked = await callee.says(await askAloud('Por favor, não me ligue mais, está bem?'))
  const suppression = await until(
    'the number is suppressed',
    async () => (await ana.get('/api/suppressions')).json.find((row: { callId: string }) => row.callId === callId),
    60_000,
  )
  const { endedAt } = await ended(ana, callId, 60_000)
  assert.ok(suppression.createdAt < endedAt, `suppressed at ${suppression.createdAt}, call ended at ${endedAt}`)
  assert.deepEqual([suppression.phoneNumber, suppression.reason, suppression.note], [number, 'opt_out', SAID])
  assert.equal(await saidByAgent(), `${DISCLOSURE} ${OPENING} ${goodbye}`)
  assert.equal(lettersSent(join(folder, 'recordings', `${callId}.wav`)), lettersOf(await saidByAgent()))
  // How well the phone receives them depends on the machine; that it hears the agent before and after it speaks does
  // not.
  const [opening, closing] = [callee.soundAfter(0), callee.soundAfter(asked.toMs)]
  assert.ok(opening && opening.fromMs < asked.fromMs, `first heard at ${opening?.fromMs}, spoke at ${asked.fromMs}`)
  assert.ok(closing, 'no goodbye was heard')
  const receipts = (
    await database.db
      .selectFrom('events')
      .select('data')
      .where('userId', '=', ana.userId)
      .where('type', '=', 'suppression.created')
      .execute()
  ).filter(({ data }) => JSON.parse(data).suppression.callId === callId)
  assert.equal(receipts.length, 1)
  await start(ana, other)
  await until('the other campaign is done', async () => (await ana.get(`/api/campaigns/${other}`)).json.endedAt, 60_000)
  const contacts = await allOf(ana, `/api/campaigns/${other}/contacts`)
  const statusOf = new Map(contacts.map(({ phoneNumber, status }) => [phoneNumber, status]))
  assert.deepEqual([statusOf.get(number), statusOf.get(nobody)], ['suppressed', 'exhausted'])
  const attempts = await allOf(ana, `/api/campaigns/${other}/attempts`)
  assert.deepEqual([...new Set(attempts.map(({ phoneNumber }) => phoneNumber))], [nobody], 'only they were called')
}

test('without a model: disclosure first, then an opt-out by voice that holds before the call ends', async (t) => {
  const app = await startApp()
  await optOutAloud(t, app, 'Certo, não vamos mais ligar para este número. Desculpe o incômodo. Até logo!')
})

test('with a model that calls opt_out over its protocol', async (t) => {
  const goodbye = 'Tudo bem, até logo.'
  const llm = await startLlm({
    answer: (request) =>
      request.messages.at(-1)?.role === 'tool' || !lastSaid(request)
        ? { say: goodbye }
        : { calls: [{ name: 'opt_out', args: { said: lastSaid(request) } }] },
  })
  atEnd(() => llm.stop())
  const app = await startApp({ LLM_BASE_URL: `${llm.url}/v1`, LLM_API_KEY: KEY, LLM_MODEL: 'stand-in' })
  await optOutAloud(t, app, goodbye)
})
