// The platform with its phone as a separate process, for tests in which it drains, dies or runs next to a second node.
import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { newPostgresDatabase, usesPostgres } from './app.ts'
import { type ByHand, type CallMade, openByHand } from './phones/by-hand.ts'
import { freeSipPort } from './phones/ports.ts'
import { ask, newDataDir, type Service, startService } from './service.ts'
import { until } from './until.ts'

// biome-ignore lint/suspicious/noExplicitAny: any JSON response of the API
type Json = any

export type PhoneService = Service & {
  sipPort: number
  dataDir: string
  key: string
  env: Record<string, string>
  get(path: string): Promise<Json>
  post(path: string, body?: unknown): Promise<{ status: number; json: Json }>
}

/** Uses the small voice: without one the agent would have nothing to say and hang up. */
export async function startPhoneService(
  env: Record<string, string> = {},
  before?: { dataDir?: string; key: string },
  entry?: string,
): Promise<PhoneService> {
  const bootstrap = randomBytes(24).toString('hex')
  const dataDir = before?.dataDir ?? newDataDir()
  const sipPort = env.SIP_PORT ? Number(env.SIP_PORT) : await freeSipPort()
  const all = {
    EMBEDDED_VOICE: 'small',
    ...(before ? {} : { BOOTSTRAP_API_KEY: bootstrap }),
    ...env,
    SIP_PORT: String(sipPort),
  }
  const service = await startService(dataDir, all, entry)
  // Tests poll many times a second.
  const more = { name: 'test', rateLimit: 100_000 }
  const key = before?.key ?? JSON.parse((await ask(`${service.url}/api/api-keys`, bootstrap, 'POST', more)).text).key
  const send = async (path: string, method: string, body?: unknown) => {
    const { status, text } = await ask(`${service.url}${path}`, key, method, body)
    return { status, json: JSON.parse(text) }
  }
  return {
    ...service,
    sipPort,
    dataDir,
    key,
    env: all,
    get: async (path) => (await send(path, 'GET')).json,
    post: (path, body) => send(path, 'POST', body),
  }
}

/** An agent that receives calls to this number through a trunk at this address, and places calls through it. */
export async function agentOnService(service: PhoneService, trunk: { host: string; port: number }, number: string) {
  // The callers are silent: by default the agent would ask whether they are still there, and hang up.
  const settings = { turn: { silenceHangupMs: 600_000, idleReminderMs: 0 } }
  const fields = { name: 'Ana', systemPrompt: 'x', initialSpeech: 'Hi.', settings }
  const agent = (await service.post('/api/agents', fields)).json
  const made = (await service.post('/api/trunks', { name: 'carrier', optionsPing: false, ...trunk })).json
  for (const more of [{ trunkType: 'inbound', phoneNumber: number }, { trunkType: 'outbound' }])
    await service.post(`/api/agents/${agent.id}/link-trunk`, { trunkId: made.id, ...more })
  return { agentId: agent.id as string, trunkId: made.id as string }
}

/** The only live call, once its agent has spoken and needs nothing more from the database. */
export const spoken = (service: PhoneService): Promise<Json> =>
  until('the agent has said its phrase', async () => {
    const [call] = (await service.get('/api/calls')).filter((each: Json) => each.status === 'in_progress')
    if (!call?.conversationId) return undefined
    const messages = await service.get(`/api/conversations/messages/${call.conversationId}`)
    return messages.length > 0 && call
  })

export const NUMBER = '+551130001234'

/** A call from this carrier, retried until it is accepted: a process loads a new trunk within a second. */
export const answeredCall = (carrier: ByHand, sipPort: number): Promise<CallMade> =>
  until('the call is answered', async () => {
    const call = await carrier.call(sipPort, { uri: NUMBER })
    const { status } = await call.final()
    if (status !== 200) return undefined
    call.ack()
    return call
  })

/** A call in progress on this process. */
export async function talking(t: TestContext, service: PhoneService) {
  const carrier = await openByHand(t)
  const made = await agentOnService(service, { host: '127.0.0.1', port: carrier.port }, NUMBER)
  const call = await answeredCall(carrier, service.sipPort)
  return { carrier, call, row: await spoken(service), ...made }
}

export const databaseOfRun = async (): Promise<Record<string, string>> =>
  usesPostgres ? { DATABASE_URL: await newPostgresDatabase() } : {}
