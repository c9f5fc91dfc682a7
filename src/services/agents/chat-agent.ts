// Who answers a written message: the agent's prompt with its variables filled, the conversation so far, the agent's model and its tools.
import type { Agent } from '../../api/agents/schema.ts'
import type { AgentSettings } from '../../api/agents/settings.ts'
import type { AgentStore } from '../../api/agents/store.ts'
import type { FindAnswerer } from '../../api/conversations/reply.ts'
import type { Message as StoredMessage } from '../../api/conversations/schema.ts'
import type { ConversationStore } from '../../api/conversations/store.ts'
import { type ToolCallStore, toToolCall } from '../../api/conversations/tool-call-store.ts'
import { waitAtMost } from '../../base/abort.ts'
import { nowMs } from '../../base/clock.ts'
import { AppError } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { fromJson } from '../../db/tables.ts'
import type { Brain } from '../../llm/open.ts'
import { fillTemplate, knownVariables, zoneOf } from '../../llm/prompt.ts'
import { informed } from '../../tools/prefetching-llm.ts'
import { capsOf, type Toolbox } from '../../tools/toolbox.ts'
import type { Llm, Message } from '../../voice/ports.ts'
import { replyWords } from '../../voice/reply.ts'
import { type ToolsAtWork, toolCalls } from '../../voice/tool-calls.ts'
import { type AgentTools, summaryOf } from './agent-tools.ts'
import { realClock } from './voice-agent.ts'

export type TextReplyParts = {
  agents: AgentStore
  conversations: ConversationStore
  toolCalls: Pick<ToolCallStore, 'doneBefore'>
  tools: Pick<AgentTools, 'forMessage'>
  brain: Pick<Brain, 'llmFor'>
  log: Log
  /** A whole answer takes no longer. */
  limitMs?: number
}

const MAX_MESSAGES = 200
const MAX_LETTERS = 100_000 // of the conversation that the model is shown; what is older is left out
const LIMIT_MS = 60_000
/** A written answer can wait a moment for servers that have to be asked what they offer. */
const READY_MS = 3000
const MAX_TOOL_CALLS = 30 // of earlier messages that the model is shown
const MAX_RESULT = 4000

type Done = Awaited<ReturnType<ToolCallStore['doneBefore']>>[number]

export function chatAgent(parts: TextReplyParts): FindAnswerer {
  const { agents, conversations, toolCalls, tools, brain, log, limitMs = LIMIT_MS } = parts

  async function toolboxFor(agent: Agent, llm: Llm, message: StoredMessage, asked: Asked, done: readonly Done[]) {
    const { language } = agent
    const given = done.map((row) => fromJson<Record<string, string>>(row.variables) ?? {})
    const setting = {
      userId: asked.userId,
      agent: { id: agent.id, name: agent.name },
      conversationId: asked.conversationId,
      language,
      timeZone: zoneOf(language, asked.variables.timeZone),
      call: null,
      caps: capsOf((agent.settings ?? {}) as AgentSettings),
      variables: Object.assign({}, asked.variables, ...given) as Record<string, string>,
      summarise: (history: readonly Message[], stop: AbortSignal) => summaryOf(llm, history, language, stop),
    }
    return tools.forMessage(setting, message.id)
  }

  return async (userId, conversationId) => {
    const { agentId, variables: given } = await conversations.get(userId, conversationId)
    const agent = await agents.get(userId, agentId)
    if (!agent.isActive) throw new AppError('conflict', 'This agent is not active')
    const llm = brain.llmFor(agent.llmConfig)
    return {
      name: llm.name,
      isModel: llm.isModel,
      async *words(message, signal) {
        const settings = (agent.settings ?? {}) as AgentSettings
        const set: Record<string, string> = { ...settings.variables, ...(given as Record<string, string> | null) }
        const known = knownVariables({ atMs: nowMs(), language: agent.language, timeZone: set.timeZone })
        const variables = { ...known, ...set }
        const { text, missing } = fillTemplate(agent.systemPrompt, variables)
        if (missing.length > 0) log.info({ agentId, missing }, 'the prompt names variables that nobody gave')
        const stored = await conversations.until(conversationId, message.id, MAX_MESSAGES)
        const done = await toolCalls.doneBefore(conversationId, message.timestamp, MAX_TOOL_CALLS)
        const box = await toolboxFor(agent, llm, message, { userId, conversationId, variables }, done)
        await waitAtMost(READY_MS, box.ready)
        const history: Message[] = [{ role: 'system', content: text }, ...historyOf(stored, done)]
        const limit = new AbortController()
        const timer = setTimeout(() => limit.abort(), limitMs)
        const either = AbortSignal.any([signal, limit.signal])
        try {
          yield* answer(informed(llm, box.context), box, history, agent.language, either)
        } finally {
          clearTimeout(timer)
        }
        if (limit.signal.aborted) throw new AppError('upstream_timeout', 'The agent did not come to an end in time')
      },
    }
  }
}

type Asked = { userId: string; conversationId: string; variables: Readonly<Record<string, string>> }

/** The model's words and what is said about its tools, as one stream. */
async function* answer(llm: Llm, box: Toolbox, history: readonly Message[], language: string, signal: AbortSignal) {
  let isDue = Promise.withResolvers<'due'>()
  const work = toolCalls({
    tools: box.tools,
    act: async () => ({ status: 'failed', detail: 'This is not a telephone call.' }),
    clock: realClock,
    onDue: () => isDue.resolve('due'),
    tell({ call }) {
      if (!box.tools.some(({ name }) => name === call.name)) box.unknown(call)
    },
    onRefused: box.refused,
  })
  const words = replyWords({ llm, work }, () => history, { language }, [], signal)
  try {
    let next = words.next()
    for (;;) {
      const come = await Promise.race([next, isDue.promise])
      if (come === 'due') {
        isDue = Promise.withResolvers()
        yield* dueMessage(work)
        continue
      }
      if (come.done) return
      yield come.value
      next = words.next()
    }
  } finally {
    work.close()
    await words.return(undefined)
  }
}

function* dueMessage(work: ToolsAtWork): Generator<string> {
  const text = work.dueMessage()
  if (text !== null) yield `${text}\n`
}

/** The newest that fit, with what the tools did between them. */
function historyOf(messages: readonly StoredMessage[], done: readonly Done[]): Message[] {
  let left = MAX_LETTERS
  const kept = messages.filter((_, i) => {
    const message = messages[messages.length - 1 - i]
    left -= message?.content.length ?? 0
    return left >= 0 || i === 0
  }).length
  const shown = messages.slice(messages.length - kept)
  const first = shown[0]?.timestamp ?? ''
  const calls = done.filter(({ startedAt }) => startedAt >= first)
  return shown.flatMap(({ type, content, timestamp }, i) => {
    const until = shown[i + 1]?.timestamp
    const after = calls.filter(({ startedAt }) => startedAt >= timestamp && (!until || startedAt < until))
    return [{ role: type, content }, ...after.flatMap(asMessages)]
  })
}

const untold: Partial<Record<Done['status'], string>> = { running: 'Started, and not finished yet.' }

function asMessages(row: Done): Message[] {
  const { id, name, arguments: args, status, result, error } = toToolCall(row)
  const told = status === 'done' ? (result ?? '') : `${error ?? untold[status] ?? 'It failed.'} (${status})`
  return [
    { role: 'agent', content: '', calls: [{ id, name, args }] },
    { role: 'tool', content: told.slice(0, MAX_RESULT), callId: id },
  ]
}
