// A real phone in a campaign call: it hears first that a machine calls; its owner asks aloud not to be called again, and from that moment
// no campaign calls the number. With a language model over its protocol, and without one.
import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { masterKeys } from '../../src/base/master-key.ts'
import { keyRing } from '../../src/base/secrets.ts'
import { openNumberHash } from '../../src/db/number-hash.ts'
import { atEnd, startTestApp } from '../app.ts'
import { putAttempt, putCampaign, putContact } from '../campaign-rows.ts'
import { askAloud, startCaller } from '../outage/caller.ts'
import { agentOnTrunk, ended, newNumber } from '../phone-app.ts'
import { freeSipPort } from '../phones/ports.ts'
import { until } from '../until.ts'
import { startDeepgram } from '../vendors/deepgram.ts'
import { startElevenLabs, voices } from '../vendors/elevenlabs.ts'
import { lastSaid, startLlm } from '../vendors/llm.ts'
import { KEY } from '../vendors/server.ts'
import { spelling } from '../vendors/spelled-tone.ts'

const SAID = 'por favor não me ligue mais'
const DISCLOSURE = 'Olá, aqui é Ana, assistente virtual. Esta é uma ligação automática.'
const OPENING = 'Falo com o Carlos?'

/** The recogniser returns SAID for whatever is spoken; the voice spells its words in tones, which are read back from what the phone heard. */
async function startApp(env: Record<string, string> = {}) {
  const [stt, tts] = await Promise.all([startDeepgram(10_000, 0, SAID.split(' ')), startElevenLabs()])
  atEnd(() => Promise.all([stt.stop(), tts.stop()]).then(() => {}))
  const folder = mkdtempSync(join(tmpdir(), 'ramal-campaign-'))
  const sipPort = await freeSipPort()
  const app = await startTestApp({
    ...{ DATA_DIR: folder, SIP_PORT: String(sipPort), EMBEDDED_VOICE: 'small' },
    ...{ STT_PROVIDER: 'deepgram', DEEPGRAM_API_KEY: KEY, DEEPGRAM_BASE_URL: stt.url },
    ...{ TTS_PROVIDER_A: 'elevenlabs', ELEVENLABS_API_KEY: KEY, ELEVENLABS_BASE_URL: tts.url },
    ...env,
  })
  const hashNumber = await openNumberHash(app.database.db, keyRing(masterKeys(app.config.masterKeys, folder)))
  return { ...app, sipPort, folder, hashNumber }
}
type CampaignApp = Awaited<ReturnType<typeof startApp>>

/** A campaign call to a real phone, answered, with the same number waiting in another campaign. */
async function campaignCallTo(t: TestContext, app: CampaignApp) {
  const { ana, database, folder, hashNumber } = app
  const { userId } = ana
  const number = newNumber()
  const callee = await startCaller(folder, number.slice(1), 'manual')
  t.after(callee.phone.stop)
  const agent = { name: 'Ana', initialSpeech: OPENING, ttsProvider: 'provider_a', voiceId: voices[0]?.voice_id }
  const settings = { turn: { idleReminderMs: 0 } }
  const { agentId } = await agentOnTrunk(app, ana, callee.phone.port, {
    agent: { ...agent, language: 'pt-BR', settings },
    trunk: { numberFormat: { leadingPlus: false } },
    type: 'outbound',
  })
  const { id: campaignId } = await putCampaign(database.db, { userId, agentId })
  const { id: otherId } = await putCampaign(database.db, { userId, agentId, name: 'Another one' })
  const numbered = { userId, phoneNumber: number, hashNumber }
  const contact = await putContact(database.db, { ...numbered, campaignId, status: 'calling' })
  const other = await putContact(database.db, { ...numbered, campaignId: otherId })
  const { json } = await ana.post('/api/calls/outbound', { toNumber: number, agentId })
  const callId: string = json.callId
  const { id: attemptId } = await putAttempt(database.db, contact, { callId })
  await callee.phone.next('CALL_INCOMING')
  await database.db.updateTable('calls').set({ attemptId }).where('id', '=', callId).execute()
  await callee.phone.accept()
  await callee.phone.next('CALL_ESTABLISHED')
  return { callee, callId, number, other }
}

const wordsOf = (text: string) => spelling(text).replace(/ +/g, ' ').trim()

async function optOutAloud(t: TestContext, app: CampaignApp, goodbye: string) {
  const { ana, database } = app
  const { callee, callId, number, other } = await campaignCallTo(t, app)
  const { conversationId } = (await ana.get(`/api/calls/${callId}`)).json
  await until(
    'the agent has opened',
    async () => (await ana.get(`/api/conversations/messages/${conversationId}`)).json.length > 0,
    20_000,
  )
  await callee.says(await askAloud('Por favor, não me ligue mais, está bem?'))
  const suppression = await until(
    'the number is suppressed',
    async () => (await ana.get('/api/suppressions')).json.find((row: { callId: string }) => row.callId === callId),
    20_000,
  )
  const { endedAt } = await ended(ana, callId, 30_000)
  assert.ok(suppression.createdAt < endedAt, `suppressed at ${suppression.createdAt}, call ended at ${endedAt}`)
  assert.deepEqual([suppression.phoneNumber, suppression.reason, suppression.note], [number, 'opt_out', SAID])
  const heard = callee.heard().flatMap(({ text }) => (text === null ? [] : [text]))
  const spoken = heard.join(' ').replace(/ +/g, ' ').trim()
  t.diagnostic(`heard: ${spoken}`)
  assert.ok(spoken.startsWith(wordsOf(`${DISCLOSURE} ${OPENING}`)), spoken)
  assert.ok(spoken.endsWith(wordsOf(goodbye)), spoken)
  const { json: events } = await ana.get('/api/events?limit=100')
  const receipts = events.filter(
    (event: { type: string; callId: string }) => event.type === 'suppression.created' && event.callId === callId,
  )
  assert.equal(receipts.length, 1)
  const row = await database.db
    .selectFrom('campaignContacts')
    .select('status')
    .where('id', '=', other.id)
    .executeTakeFirst()
  assert.equal(row?.status, 'suppressed', 'the next attempt, in another campaign')
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
