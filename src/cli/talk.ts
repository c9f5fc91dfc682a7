// `ramal talk`: a text conversation with an agent in the terminal, over the API of a running platform.
import { createInterface } from 'node:readline/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import type { Agent } from '../features/agents/schema.ts'
import type { Conversation, SentMessage } from '../features/conversations/schema.ts'
import type { ToolCallRecord } from '../features/conversations/tool-call-schema.ts'
import type { Command } from './command.ts'
import { type Api, chooseAgent, platformApi, printable } from './platform-api.ts'

export const talkHelp: Pick<Command, 'usage' | 'summary'> = {
  usage: 'talk [AGENT] [--say TEXT]... [--url URL]',
  summary: 'Chat with an agent of the running platform, with the API key in RAMAL_API_KEY or that of the first start',
}

type TalkParts = {
  config: Pick<Config, 'http' | 'dataDir'>
  input: NodeJS.ReadStream
  output: NodeJS.WriteStream
  /** Aborts when the user leaves. */
  leave: AbortController
}
export type TalkRequest = {
  /** An id or a name; may be omitted if there is only one agent. */
  agent: string | undefined
  /** Messages to send instead of standard input. */
  say: readonly string[] | undefined
  url: string | undefined
  apiKey: string | undefined
}

const TOOL_POLL_MS = 250

/** True when every message was answered. */
export async function talk(parts: TalkParts, request: TalkRequest): Promise<boolean> {
  const { output, leave } = parts
  const api = await platformApi(parts.config, request)
  const agent = chooseAgent(await api.get<Agent[]>('/api/agents'), request.agent)
  const conversation = await api.post<Conversation>('/api/conversations/start', {
    agentId: agent.id,
    title: 'ramal talk',
  })
  const print = (text: string) => void output.write(printable(text))
  const isInteractive = request.say === undefined && parts.input.isTTY === true && output.isTTY === true

  print(`Talking with ${agent.name} (${conversation.id}).${isInteractive ? ' /quit or Ctrl-C ends it.' : ''}\n\n`)
  if (agent.initialSpeech && !agent.initialSpeech.includes('{{')) {
    await api.post(`/api/conversations/message/send/${conversation.id}`, {
      type: 'agent',
      content: agent.initialSpeech,
    })
    print(`${agent.name}: ${agent.initialSpeech}\n`)
  }
  const chat = { api, conversation, name: agent.name, print, signal: leave.signal, printed: new Map() }
  let isAnswered = true
  try {
    for await (const line of request.say ?? linesOf(parts, isInteractive)) {
      const content = line.trim()
      if (content === '/quit' || content === '/exit') break
      if (content === '') continue
      if (!isInteractive) print(`You: ${content}\n`)
      const failure = await printAnswer(chat, content)
      if (leave.signal.aborted) break
      if (failure === undefined) continue
      isAnswered = false
      print(`(no answer: ${failure})\n`)
      if (!isInteractive) break
    }
  } finally {
    await api.post('/api/conversations/end', { conversationId: conversation.id }).catch(() => {}) // it may have ended already
  }
  return isAnswered
}

type Chat = {
  api: Api
  conversation: Conversation
  name: string
  print: (text: string) => void
  signal: AbortSignal
  /** Already printed: the last status of each tool call, and the note that there is no model. */
  printed: Map<string, string>
}

/** Prints the answer as it streams; returns the reason if there is none. */
async function printAnswer(chat: Chat, content: string): Promise<string | undefined> {
  const { api, conversation, name, print, signal, printed } = chat
  let isLineOpen = false
  const endLine = () => {
    if (isLineOpen) print('\n')
    isLineOpen = false
  }
  const tools = watchTools(chat, (text) => {
    endLine()
    print(`  · ${text}\n`)
  })
  let failure: string | undefined
  try {
    const body = { type: 'user', content }
    for await (const data of api.events(
      `/api/conversations/message/send/${conversation.id}?reply=true`,
      body,
      signal,
    )) {
      const event = JSON.parse(data) as { text?: string; statusCode?: number; message?: string } & Partial<SentMessage>
      if (event.text !== undefined) {
        const text = isLineOpen ? event.text : event.text.trimStart()
        if (text !== '' && !isLineOpen) print(`${name}: `)
        if (text !== '') isLineOpen = true
        print(text)
      } else if (event.statusCode !== undefined) failure = event.message ?? 'the answer was cut off'
      else if (event.repliedBy && !event.repliedBy.isModel && !printed.has('rules')) {
        printed.set('rules', 'printed')
        endLine()
        print('  · the built-in rules answered: no language model is configured\n')
      }
    }
  } catch (error) {
    if (!signal.aborted) failure = (error as Error).message
  }
  await tools.end()
  endLine()
  return failure
}

/** Reports tool calls as they start and end, while an answer is generated. */
function watchTools({ api, conversation, printed }: Chat, report: (text: string) => void) {
  const ended = new AbortController()
  async function poll(): Promise<void> {
    const calls = await api.get<ToolCallRecord[]>(`/api/conversations/${conversation.id}/tool-calls`).catch(() => [])
    for (const { id, name, status, durationMs, error } of calls) {
      if (printed.get(id) === status) continue
      printed.set(id, status)
      const took = durationMs === null ? '' : ` in ${durationMs} ms`
      report(status === 'running' ? `${name} runs` : `${name}: ${status}${took}${error ? ` (${error})` : ''}`)
    }
  }
  const polling = (async () => {
    while (!ended.signal.aborted) {
      await sleep(TOOL_POLL_MS, undefined, { signal: ended.signal }).catch(() => {})
      await poll()
    }
  })()
  return {
    async end() {
      ended.abort()
      await polling
    },
  }
}

/** Lines typed or piped in, until the input ends or the user leaves. */
async function* linesOf({ input, output, leave }: TalkParts, isInteractive: boolean): AsyncGenerator<string> {
  const reader = createInterface({ input, ...(isInteractive ? { output, terminal: true } : { terminal: false }) })
  reader.on('SIGINT', () => leave.abort())
  leave.signal.addEventListener('abort', () => reader.close(), { once: true })
  reader.setPrompt('You: ')
  try {
    if (isInteractive) reader.prompt()
    for await (const line of reader) {
      yield line
      if (leave.signal.aborted) return
      if (isInteractive) reader.prompt()
    }
  } finally {
    reader.close()
    if (isInteractive) output.write('\n')
  }
}
