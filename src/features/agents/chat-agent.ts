// Replies to chat messages: the agent's prompt with its variables filled, the conversation so far, its model and tools.

import { waitAtMost } from '../../base/concurrency/abort.ts'
import { appError } from '../../base/errors/errors.ts'
import type { Log } from '../../base/process/log.ts'
import { nowMs } from '../../base/time/clock.ts'
import { fromJson } from '../../db/tables.ts'
import type { ChainLink } from '../../failover/ports.ts'
import type { FindLlms } from '../../llm/open.ts'
import { fillTemplate, knownVariables, zoneOf } from '../../llm/prompt.ts'
import { prefetchingLlm } from '../../tool-types/prefetching-llm.ts'
import { capsOf, type Toolbox } from '../../tool-types/toolbox.ts'
import { realClock } from '../../voice/clock.ts'
import type { Llm, Message } from '../../voice/ports.ts'
import { replyWords } from '../../voice/reply.ts'
import { type ToolCalls, toolCalls } from '../../voice/tool-calls.ts'
import type { CallbackStore } from '../callbacks/store.ts'
import type { ChatGuidance } from '../conversations/hook-guidance-store.ts'
import type { FindAnswerer } from '../conversations/port.ts'
import type { Conversation, Message as StoredMessage } from '../conversations/schema.ts'
import type { ConversationStore } from '../conversations/store.ts'
import type { ToolCallStore } from '../conversations/tool-call-store.ts'
import { type AgentTools, summaryOf } from './agent-tools.ts'
import { inLanguage, withContext } from './call-guidance.ts'
import { withDraft } from './draft-schema.ts'
import { type MessageTaking, messageTaking } from './message-taking.ts'
import type { Agent } from './schema.ts'
import type { AgentSettings } from './settings-schema.ts'
import type { AgentStore } from './store.ts'

export type ChatAgentParts = {
  agents: AgentStore
  conversations: ConversationStore
  toolCalls: Pick<ToolCallStore, 'doneBefore'>
  tools: Pick<AgentTools, 'forMessage'>
  llmsOf: FindLlms
  /** The answer hook's guidance for a chat, requested before the first reply. */
  guidanceOf?: (userId: string, conversation: Conversation) => Promise<ChatGuidance | undefined>
  /** Stores requests taken by the message taker. Without it, the reply is an error when no model answers. */
  callbacks?: Pick<CallbackStore, 'request' | 'textNumberOf'>
  log: Log
  /** Time limit of a complete reply. */
  limitMs?: number
}

const MAX_MESSAGES = 200
/** Characters of conversation in the prompt; older messages are dropped. */
const MAX_LETTERS = 100_000
const LIMIT_MS = 60_000
/** How long to wait for MCP servers to list their tools. The reply uses the tools listed by then. */
const READY_MS = 3000
/** Maximum number of earlier tool calls in the prompt. */
const MAX_TOOL_CALLS = 30
const MAX_RESULT = 4000

type StoredToolCall = Awaited<ReturnType<ToolCallStore['doneBefore']>>[number]
type Request = {
  userId: string
  conversationId: string
  message: StoredMessage
  variables: Readonly<Record<string, string>>
  /** Tool calls made for earlier messages. */
  earlier: readonly StoredToolCall[]
}

export function chatAgent(parts: ChatAgentParts): FindAnswerer {
  const { agents, conversations, llmsOf, log, limitMs = LIMIT_MS } = parts

  /** The agent that the hook chose, if it still exists and is active. */
  async function agentFor(userId: string, { agentId }: Conversation, guidance: ChatGuidance | undefined) {
    const chosen = guidance?.agentId ? await agents.get(userId, guidance.agentId).catch(() => undefined) : undefined
    return chosen?.isActive ? chosen : agents.get(userId, agentId)
  }

  function promptOf(agent: Agent, conversationVariables: Record<string, string>, context?: string | null) {
    const settings = (agent.settings ?? {}) as AgentSettings
    const set: Record<string, string> = { ...settings.variables, ...conversationVariables }
    const known = knownVariables({ atMs: nowMs(), language: agent.language, timeZone: set.timeZone })
    const variables = { ...known, ...set }
    const { text, missing } = fillTemplate(agent.systemPrompt, variables)
    if (missing.length > 0) log.info({ agentId: agent.id, missing }, 'prompt variables without a value')
    return { prompt: withContext(text, context), variables }
  }

  /** When no model is available, the caller's message is taken in writing. */
  async function takingFor(userId: string, conversationId: string): Promise<MessageTaking | undefined> {
    const { callbacks } = parts
    if (!callbacks) return undefined
    const write = (task: () => Promise<unknown>) => task()
    const ownNumber = await callbacks.textNumberOf(userId, conversationId)
    return messageTaking({ callbacks, write, log }, { userId, conversationId, callId: null, ownNumber })
  }

  return async (userId, conversationId, draft) => {
    const conversation = await conversations.get(userId, conversationId)
    // A test of unsaved changes is about this agent, so the hook is not asked.
    const guidance = draft ? undefined : await parts.guidanceOf?.(userId, conversation)
    if (guidance?.isRefused) throw appError('call_refused_by_hook')
    const agent = inLanguage(withDraft(await agentFor(userId, conversation, guidance), draft), guidance?.language)
    if (!agent.isActive) throw appError('agent_inactive')
    const taking = await takingFor(userId, conversationId)
    const llm = (await llmsOf(userId, agent, taking?.links ?? modelsOnly)).llmFor(agent.llmConfig)
    return {
      get name() {
        return llm.name
      },
      isModel: llm.isModel,
      async *words(message, signal) {
        // A late answer may have arrived since the last message.
        const known = draft ? undefined : await parts.guidanceOf?.(userId, conversation)
        const given = { ...(conversation.variables as Record<string, string> | null), ...known?.variables }
        const { prompt, variables } = promptOf(agent, given, known?.context)
        const stored = await conversations.until(conversationId, message.id, MAX_MESSAGES)
        const earlier = await parts.toolCalls.doneBefore(conversationId, message.timestamp, MAX_TOOL_CALLS)
        const box = await toolboxFor(parts.tools, agent, llm, { userId, conversationId, message, variables, earlier })
        await waitAtMost(READY_MS, Promise.all(box.arrivals))
        const history: Message[] = [{ role: 'system', content: prompt }, ...historyOf(stored, earlier)]
        const limit = new AbortController()
        const timer = setTimeout(() => limit.abort(), limitMs)
        const either = AbortSignal.any([signal, limit.signal])
        try {
          yield* replyTo({ llm: prefetchingLlm(llm, box.context), box, history, language: agent.language }, either)
        } finally {
          clearTimeout(timer)
          await taking?.end()
        }
        if (limit.signal.aborted) throw appError('agent_reply_timeout')
      },
    }
  }
}

function toolboxFor(tools: ChatAgentParts['tools'], agent: Agent, llm: Llm, request: Request) {
  const { language } = agent
  const { userId, conversationId, message } = request
  const collected = request.earlier.map((row) => fromJson<Record<string, string>>(row.variables) ?? {})
  const setting = {
    userId,
    agent: { id: agent.id, name: agent.name },
    conversationId,
    language,
    timeZone: zoneOf(language, request.variables.timeZone),
    call: null,
    caps: capsOf((agent.settings ?? {}) as AgentSettings),
    variables: Object.assign({}, request.variables, ...collected) as Record<string, string>,
    summarize: (history: readonly Message[], stop: AbortSignal) => summaryOf(llm, history, language, stop),
  }
  return tools.forMessage(setting, message.id)
}

/** API clients handle an error better than a question for their name. Without any model, the rules reply. */
function modelsOnly(links: readonly ChainLink<Llm>[]): ChainLink<Llm>[] {
  const models = links.filter(({ engine }) => engine.isModel)
  return models.length > 0 ? models : [...links]
}

type ReplyContext = { llm: Llm; box: Toolbox; history: readonly Message[]; language: string }

/** Streams the model's words together with what is said about its tools. */
async function* replyTo({ llm, box, history, language }: ReplyContext, signal: AbortSignal) {
  let delayed = Promise.withResolvers<'delayed'>()
  const calls = toolCalls({
    tools: box.tools,
    act: async () => ({ status: 'failed', detail: 'This is not a telephone call.' }),
    clock: realClock,
    onDelayedMessage: () => delayed.resolve('delayed'),
    onFinished({ call }) {
      if (!box.tools.some(({ name }) => name === call.name)) box.unknown(call)
    },
    onRefused: box.refused,
  })
  const words = replyWords(
    { llm, toolCalls: calls, history: () => history, options: { language }, toolMessages: [] },
    signal,
  )
  try {
    let next = words.next()
    for (;;) {
      const result = await Promise.race([next, delayed.promise])
      if (result === 'delayed') {
        delayed = Promise.withResolvers()
        yield* delayedMessage(calls)
        continue
      }
      if (result.done) return
      yield result.value
      next = words.next()
    }
  } finally {
    calls.close()
    await words.return(undefined)
  }
}

function* delayedMessage(calls: ToolCalls): Generator<string> {
  const text = calls.takeDelayedMessage()
  if (text !== null) yield `${text}\n`
}

/** The newest messages that fit, with the tool calls between them. */
function historyOf(messages: readonly StoredMessage[], toolRows: readonly StoredToolCall[]): Message[] {
  let left = MAX_LETTERS
  const count = messages.filter((_, i) => {
    const message = messages[messages.length - 1 - i]
    left -= message?.content.length ?? 0
    return left >= 0 || i === 0
  }).length
  const shown = messages.slice(messages.length - count)
  const first = shown[0]?.timestamp ?? ''
  const calls = toolRows.filter(({ startedAt }) => startedAt >= first)
  return shown.flatMap(({ type, content, timestamp }, i) => {
    const until = shown[i + 1]?.timestamp
    const after = calls.filter(({ startedAt }) => startedAt >= timestamp && (!until || startedAt < until))
    return [{ role: type, content }, ...after.flatMap(asMessages)]
  })
}

const unfinished: Partial<Record<StoredToolCall['status'], string>> = { running: 'Started, and not finished yet.' }

function asMessages(row: StoredToolCall): Message[] {
  const { id, name, arguments: args, status, result, error } = row
  const content = status === 'done' ? (result ?? '') : `${error ?? unfinished[status] ?? 'It failed.'} (${status})`
  return [
    { role: 'agent', content: '', calls: [{ id, name, args: fromJson(args) }] },
    { role: 'tool', content: content.slice(0, MAX_RESULT), callId: id },
  ]
}
