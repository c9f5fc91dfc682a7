// A platform for outage tests, and lines to it: a phone, an agent, and the vendors in the agent's chains.
import { mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd, startTestApp } from '../app.ts'
import { agentOnTrunk, type PhoneApp } from '../phone-app.ts'
import { freeSipPort } from '../phones/ports.ts'
import { testVoices } from '../prepared-kokoro.ts'
import { until } from '../until.ts'
import { KEY } from '../vendors/server.ts'
import { askAloud, startCaller } from './caller.ts'
import type { Line } from './cuts.ts'
import { chainKinds, startVendors, type Vendors } from './vendors.ts'

const models = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'ramal-models')
const QUESTION = 'Conte a história da clínica agora.'

export type OutageApp = PhoneApp & { folder: string }

/** `voice`: the embedded voice that takes over when the vendors are gone. */
export async function startOutageApp(voice: 'small' | 'natural', env: Record<string, string> = {}): Promise<OutageApp> {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-outage-'))
  symlinkSync(models, join(folder, 'models'))
  const sipPort = await freeSipPort()
  const settings = {
    DATA_DIR: folder,
    SIP_PORT: String(sipPort),
    EMBEDDED_VOICE: voice,
    SPEECH_CACHE_MB: '0', // cached speech would hide the outage
    ...env,
  }
  const app = await startTestApp(settings, { naturalVoices: testVoices })
  if (voice === 'natural')
    await until('the natural voice is ready', () => app.logs().includes('natural voice ready'), 60_000)
  return { ...app, sipPort, folder }
}

/** The same vendors as environment settings, without accounts. */
export const environmentOf = ({ of }: Vendors): Record<string, string> => ({
  LLM_BASE_URL: of.llm.account.baseUrl,
  LLM_API_KEY: KEY,
  LLM_MODEL: of.llm.account.model,
  STT_PROVIDER: 'deepgram',
  DEEPGRAM_API_KEY: KEY,
  DEEPGRAM_BASE_URL: of.stt.account.baseUrl,
  TTS_PROVIDER_A: 'elevenlabs',
  ELEVENLABS_API_KEY: KEY,
  ELEVENLABS_BASE_URL: of.tts.account.baseUrl,
})

const agent = {
  language: 'pt-BR',
  ttsProvider: 'provider_a',
  settings: {
    firstMessage: 'agent_first_generated',
    turn: { idleReminderMs: 0, minPauseMs: 300, maxPauseMs: 600 },
    recording: { enabled: false },
  },
}

export async function openLine(app: OutageApp, vendors: Vendors, name = 'caller'): Promise<Line & { agentId: string }> {
  const client = await app.newUser(name, 'admin') // only administrators may name addresses of this machine
  const caller = await startCaller(app.folder, name)
  atEnd(caller.phone.stop)
  const { number, agentId } = await agentOnTrunk(app, client, caller.phone.port, { agent })
  return { app, client, caller, number, question: await askAloud(QUESTION), vendors, agentId }
}

/** Creates new accounts for the agent's next call, so that the breakers start closed after an earlier outage. */
export async function nameAccounts({ client, vendors, agentId }: Line & { agentId: string }, second?: Vendors) {
  const created = async (from: Vendors) => {
    const ids: string[] = []
    for (const kind of chainKinds) {
      const { status, text, json } = await client.post('/api/providers', from.of[kind].account)
      if (status !== 201) throw new Error(text)
      ids.push(json.id)
    }
    return ids
  }
  // The number of accounts is limited.
  for (const { id, source } of (await client.get('/api/providers')).json)
    if (source === 'own') await client.delete(`/api/providers/${id}`)
  const [llm, stt, tts] = await created(vendors)
  const [llm2, stt2, tts2] = second ? await created(second) : []
  const fallbacks = (providerId: string | undefined, more: object = {}) => (providerId ? [{ providerId, ...more }] : [])
  const settings = {
    ...agent.settings,
    llm: { providerId: llm, fallbacks: fallbacks(llm2) },
    recognition: { providerId: stt, fallbacks: fallbacks(stt2) },
    voice: { providerId: tts, fallbacks: fallbacks(tts2, { voiceId: second?.voiceId }) },
  }
  const { status, text } = await client.patch(`/api/agents/${agentId}`, { voiceId: vendors.voiceId, settings })
  if (status !== 200) throw new Error(text)
}

export const newVendors = async (which?: 'first' | 'second'): Promise<Vendors> => {
  const vendors = await startVendors(which)
  atEnd(() => vendors.stop())
  return vendors
}
