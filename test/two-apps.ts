// Two nodes in this process, on one PostgreSQL and, if requested, one Redis; their agent speaks and can be supervised.
import { WebSocket } from 'ws'
import type { TestOverrides } from '../src/app-types.ts'
import type { Answer } from './answers.ts'
import { anAgent, type Client, newPostgresDatabase, startTestApp, type TestApp } from './app.ts'
import { until } from './until.ts'
import { addressOf, orderOf, webCaller } from './web-caller.ts'

export const OPENING = 'Olá!'

export async function twoApps(env: Record<string, string> = {}, overrides: TestOverrides = {}) {
  const shared = {
    DATABASE_URL: await newPostgresDatabase({ isMigrated: true }),
    MASTER_KEY: 'm'.repeat(32),
    EMBEDDED_VOICE: 'small',
    // The callers play tones only.
    STT_PROVIDER: 'deepgram',
    DEEPGRAM_API_KEY: 'none',
    DEEPGRAM_BASE_URL: 'http://127.0.0.1:9',
    ...env,
  }
  const start = (name: string) => startTestApp({ ...shared, NODE_NAME: name }, overrides)
  return { one: await start('one'), two: await start('two') }
}

/** The same user on another node. */
export const through =
  ({ anonymous }: Pick<TestApp, 'anonymous'>, { key }: Client) =>
  (url: string, body?: unknown): Promise<Answer> =>
    anonymous({
      method: body === undefined ? 'GET' : 'POST',
      url,
      headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    })

type Stops = { after(stop: () => unknown): void }

/** A web call on this node whose agent has greeted. */
export async function webCallOn(t: Stops, app: TestApp, client: Client) {
  // Otherwise, on a slow machine, the agent would ask whether the caller is still there, or hang up.
  const settings = { turn: { silenceHangupMs: 600_000, idleReminderMs: 0 } }
  const agent = { ...anAgent, ttsProvider: 'provider_b', initialSpeech: OPENING, language: 'pt-BR', settings }
  const { id: agentId } = (await client.post('/api/agents', agent)).json
  const token = await orderOf(client, agentId)
  const caller = await webCaller(app, token)
  t.after(() => caller.socket.terminate())
  const { callId } = (await caller.until('started')) as unknown as { callId: string }
  await caller.until('said', ({ text }) => text === OPENING)
  return { caller, callId, agentId, token, url: `/api/calls/${callId}` }
}

/** A listener to the call through this node, with a key or with a session. */
export async function listenThrough(
  t: Stops,
  app: Pick<TestApp, 'app'>,
  who: { key: string } | { cookie: string },
  callId: string,
) {
  const address = await addressOf(app)
  const headers: Record<string, string> =
    'key' in who ? { 'x-api-key': who.key } : { cookie: `ramal_session=${who.cookie}`, origin: address }
  const socket = new WebSocket(`${address.replace(/^http/, 'ws')}/api/calls/${callId}/listen`, { headers })
  t.after(() => socket.terminate())
  const texts: unknown[] = []
  /** Counted on arrival, because both nodes share this thread with the test. */
  const heard = { frames: 0, callerMs: 0, agentMs: 0, isWhole: true }
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) return texts.push(JSON.parse(String(data)))
    heard.frames++
    heard.isWhole &&= data.length === FRAME_BYTES
    if (isLoud(data, 0)) heard.callerMs += 20
    if (isLoud(data, 2)) heard.agentMs += 20
  })
  const refused = await new Promise<number | null>((resolve, reject) => {
    socket.on('open', () => resolve(null))
    socket.on('unexpected-response', (_, { statusCode }) => resolve(statusCode ?? 0))
    socket.on('error', reject)
  })
  return { socket, refused, texts, heard, closed }
}

/** 20 ms of stereo. */
const FRAME_BYTES = 1280

function isLoud(frame: Buffer, from: 0 | 2): boolean {
  let sum = 0
  for (let at = from; at + 1 < frame.length; at += 4) sum += frame.readInt16LE(at) ** 2
  return Math.sqrt(sum / (frame.length / 4)) > 200
}

/** The messages of the conversation, as this client reads them. */
export async function saidIn(client: Client, callId: string): Promise<string[]> {
  const { conversationId } = (await client.get(`/api/calls/${callId}`)).json
  if (!conversationId) return []
  const { json } = await client.get(`/api/conversations/messages/${conversationId}`)
  return json.map(({ type, content }: { type: string; content: string }) => `${type}: ${content}`)
}

/** The process ids of both nodes, by name. */
export const processesOf = ({ database }: TestApp): Promise<Map<string, string>> =>
  until('both nodes have their address', async () => {
    const rows = await database.db.selectFrom('nodes').select(['name', 'processId', 'address']).execute()
    return rows.length === 2 && rows.every(({ address }) => address) && new Map(rows.map((r) => [r.name, r.processId]))
  })
