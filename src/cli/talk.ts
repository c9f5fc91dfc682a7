// `ramal talk`: a written conversation with an agent in the terminal, over the API of a running platform.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent } from '../api/agents/schema.ts'
import type { Conversation, SentMessage } from '../api/conversations/schema.ts'
import type { ToolCallRecord } from '../api/conversations/tool-call-schema.ts'
import type { Config } from '../config/config.ts'
import { eventData } from '../llm/event-stream.ts'

export type TalkParts = {
  config: Pick<Config, 'http' | 'dataDir'>
  input: NodeJS.ReadStream
  output: NodeJS.WriteStream
  /** Fires when the person wants to leave. */
  leave: AbortController
}
export type TalkAsked = {
  /** An id or a name; may be left out where there is one agent only. */
  agent: string | undefined
  /** Said one after the other instead of what is typed. */
  say: readonly string[] | undefined
  url: string | undefined
  apiKey: string | undefined
}

const LOOK_MS = 250 // at the tools, while an answer is waited for

/** True when everything that was said was answered. */
export async function talkFromCommand(parts: TalkParts, asked: TalkAsked): Promise<boolean> {
  const { output, leave } = parts
  const api = apiOf(asked.url ?? ownUrl(parts.config), await keyFrom(asked.apiKey, parts.config.dataDir))
  const agent = chosen(await api.get<Agent[]>('/api/agents'), asked.agent)
  const talk = await api.post<Conversation>('/api/conversations/start', { agentId: agent.id, title: 'ramal talk' })
  const print = (text: string) => void output.write(printable(text))
  const isTyped = asked.say === undefined && parts.input.isTTY === true && output.isTTY === true

  print(`Talking with ${agent.name} (${talk.id}).${isTyped ? ' /quit or Ctrl-C ends it.' : ''}\n\n`)
  if (agent.initialSpeech && !agent.initialSpeech.includes('{{')) {
    await api.post(`/api/conversations/message/send/${talk.id}`, { type: 'agent', content: agent.initialSpeech })
    print(`${agent.name}: ${agent.initialSpeech}\n`)
  }
  const talking = { api, talk, name: agent.name, print, signal: leave.signal, told: new Map() }
  let isWell = true
  try {
    for await (const line of asked.say ?? linesOf(parts, isTyped)) {
      const content = line.trim()
      if (content === '/quit' || content === '/exit') break
      if (content === '') continue
      if (!isTyped) print(`You: ${content}\n`)
      const failure = await answer(talking, content)
      if (leave.signal.aborted) break
      if (failure === undefined) continue
      isWell = false
      print(`(no answer: ${failure})\n`)
      if (!isTyped) break
    }
  } finally {
    await api.post('/api/conversations/end', { conversationId: talk.id }).catch(() => {}) // it may have ended by itself
  }
  return isWell
}

type Talk = {
  api: Api
  talk: Conversation
  name: string
  print: (text: string) => void
  signal: AbortSignal
  /** What was told already: the last state of each tool call, and that there is no model. */
  told: Map<string, string>
}

/** Prints the answer as it comes; returns why there is none. */
async function answer(talking: Talk, content: string): Promise<string | undefined> {
  const { api, talk, name, print, signal, told } = talking
  let isLineOpen = false
  const endLine = () => {
    if (isLineOpen) print('\n')
    isLineOpen = false
  }
  const tools = watchTools(talking, (text) => {
    endLine()
    print(`  · ${text}\n`)
  })
  let failure: string | undefined
  try {
    const body = { type: 'user', content }
    for await (const data of api.events(`/api/conversations/message/send/${talk.id}?reply=true`, body, signal)) {
      const event = JSON.parse(data) as { text?: string; statusCode?: number; message?: string } & Partial<SentMessage>
      if (event.text !== undefined) {
        // Spaces before the first word are the model's.
        const text = isLineOpen ? event.text : event.text.trimStart()
        if (text !== '' && !isLineOpen) print(`${name}: `)
        if (text !== '') isLineOpen = true
        print(text)
      } else if (event.statusCode !== undefined) failure = event.message ?? 'the answer broke off'
      else if (event.repliedBy && !event.repliedBy.isModel && !told.has('rules')) {
        told.set('rules', 'told')
        endLine()
        print('  · the built-in rules answered: no language model is set\n')
      }
    }
  } catch (error) {
    if (!signal.aborted) failure = (error as Error).message
  }
  await tools.end()
  endLine()
  return failure
}

/** Tells of each tool that begins and ends while an answer is made. */
function watchTools({ api, talk, told }: Talk, tell: (text: string) => void) {
  const over = new AbortController()
  async function look(): Promise<void> {
    const calls = await api.get<ToolCallRecord[]>(`/api/conversations/${talk.id}/tool-calls`).catch(() => [])
    for (const { id, name, status, durationMs, error } of calls) {
      if (told.get(id) === status) continue
      told.set(id, status)
      const took = durationMs === null ? '' : ` in ${durationMs} ms`
      tell(status === 'running' ? `${name} runs` : `${name}: ${status}${took}${error ? ` (${error})` : ''}`)
    }
  }
  const looking = (async () => {
    while (!over.signal.aborted) {
      await sleep(LOOK_MS, undefined, { signal: over.signal }).catch(() => {})
      await look()
    }
  })()
  return {
    async end() {
      over.abort()
      await looking
    },
  }
}

/** What is typed, or what comes through a pipe, line by line until it ends or the person leaves. */
async function* linesOf({ input, output, leave }: TalkParts, isTyped: boolean): AsyncGenerator<string> {
  const reader = createInterface({ input, ...(isTyped ? { output, terminal: true } : { terminal: false }) })
  reader.on('SIGINT', () => leave.abort())
  leave.signal.addEventListener('abort', () => reader.close(), { once: true })
  reader.setPrompt('You: ')
  try {
    if (isTyped) reader.prompt()
    for await (const line of reader) {
      yield line
      if (leave.signal.aborted) return
      if (isTyped) reader.prompt()
    }
  } finally {
    reader.close()
    if (isTyped) output.write('\n')
  }
}

type Api = ReturnType<typeof apiOf>

function apiOf(url: string, key: string) {
  async function send(method: string, path: string, body?: unknown, more: RequestInit = {}): Promise<Response> {
    const headers = { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
    const response = await fetch(`${url}${path}`, {
      method,
      ...more,
      headers: { ...headers, ...(more.headers as Record<string, string> | undefined) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: Error) => {
      if (more.signal?.aborted) throw error
      throw new Error(`no platform answers at ${url}; start it (npm start), or name another by --url`)
    })
    if (response.ok) return response
    const told = (await response.json().catch(() => ({}))) as { message?: string }
    throw new Error(told.message ?? `the platform answered ${response.status}`)
  }
  return {
    get: async <T>(path: string) => (await (await send('GET', path)).json()) as T,
    post: async <T>(path: string, body: unknown) => (await (await send('POST', path, body)).json()) as T,
    async *events(path: string, body: unknown, signal: AbortSignal): AsyncGenerator<string> {
      const response = await send('POST', path, body, { headers: { accept: 'text/event-stream' }, signal })
      if (response.body) yield* eventData(response.body)
    },
  }
}

function chosen(agents: readonly Agent[], wanted: string | undefined): Agent {
  const named = agents.filter(({ name }) => name.toLowerCase() === wanted?.toLowerCase())
  const fits = wanted === undefined ? agents : [...agents.filter(({ id }) => id === wanted), ...named]
  const [agent, other] = fits
  if (agent && (!other || agent.id === wanted)) return agent
  if (agents.length === 0) throw new Error('there is no agent yet; make one first')
  const all = agents.slice(0, 20).map(({ id, name }) => `  ${id}  ${name}`)
  const why =
    wanted === undefined ? 'which agent?' : other ? `several are named ${wanted}` : `there is no agent ${wanted}`
  throw new Error(`${why}\n${all.join('\n')}`)
}

/** The platform of this machine. Its certificate is for its public name. */
export function ownUrl({ http }: Pick<Config, 'http'>): string {
  if (http.tls && http.publicUrl) return http.publicUrl
  const own = http.host === '0.0.0.0' ? '127.0.0.1' : http.host === '::' ? '::1' : http.host
  return `${http.tls ? 'https' : 'http'}://${own.includes(':') ? `[${own}]` : own}:${http.port}`
}

async function keyFrom(given: string | undefined, dataDir: string): Promise<string> {
  if (given) return given
  const file = join(dataDir, 'first-api-key')
  const kept = await readFile(file, 'utf8').catch(() => '')
  if (kept.trim() === '') throw new Error(`no key: set RAMAL_API_KEY (the first start keeps one in ${file})`)
  return kept.trim()
}

/** A model may say anything, but it does not steer the terminal. */
const printable = (text: string) => text.replaceAll(/(?![\n\t])\p{Cc}/gu, '')
