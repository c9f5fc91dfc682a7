// An agent's tools, prepared for a call, a chat message or a test run by their owner.
import { waitAtMost } from '../../base/concurrency/abort.ts'
import { type AppError, appError } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import { LruCache } from '../../base/lru-cache.ts'
import type { Log } from '../../base/process/log.ts'
import { monotonicMs } from '../../base/time/clock.ts'
import { zoneOf } from '../../llm/prompt.ts'
import { argumentsFor } from '../../tool-types/arguments.ts'
import type { Traced, TracedHttp } from '../../tool-types/http/traced-http.ts'
import type { Outcome, ToolContext } from '../../tool-types/ports.ts'
import { recentDurations } from '../../tool-types/recent-durations.ts'
import { errorText, type Mask, plainText, resultText, secretMask } from '../../tool-types/results.ts'
import type { ToolTypes } from '../../tool-types/tool-types.ts'
import {
  callOnly,
  namedFunctions,
  runWithTimeout,
  type Toolbox,
  type ToolboxContext,
  type ToolboxParts,
  toolbox,
} from '../../tool-types/toolbox.ts'
import type { Llm, Message } from '../../voice/ports.ts'
import type { ToolCallStore } from '../conversations/tool-call-store.ts'
import type { TestedTool, ToolTest } from '../tools/schema.ts'
import type { ToolStore } from '../tools/store.ts'
import type { TestRuns } from '../tools/test-run-store.ts'
import type { AgentSettings } from './settings-schema.ts'
import type { AgentStore } from './store.ts'

export type AgentToolsParts = {
  agents: Pick<AgentStore, 'get'>
  tools: Pick<ToolStore, 'runnable' | 'runnableOf'>
  toolCalls: ToolCallStore
  types: ToolTypes
  /** The HTTP client that the tool types use. */
  http: Pick<TracedHttp, 'trace'>
  testRuns: Pick<TestRuns, 'begin' | 'finish'>
  log: Log
  chance?: () => number
}

export type AgentTools = ReturnType<typeof agentTools>

export function agentTools(options: AgentToolsParts) {
  const { tools, toolCalls, types, log, chance = Math.random } = options
  const running = new Set<Promise<unknown>>()
  /** Logs a tool's problem once, and again when it changes. */
  const problems = new LruCache<string, string>(1000)
  const parts: ToolboxParts = {
    types,
    store: toolCalls,
    times: recentDurations(),
    chance,
    onProblem({ id, type }, problem) {
      if (problems.get(id) === problem) return
      problems.set(id, problem)
      log.warn({ toolId: id, type, problem }, 'linked tool cannot be used')
    },
    onTrouble: (err, toolId) => log.error({ err, toolId }, 'tool call failed with an internal error'),
    watch(run) {
      running.add(run)
      const done = () => running.delete(run)
      run.then(done, done)
    },
  }

  return {
    /**
     * `epoch` tells the agents of one call apart: each agent's engine starts numbering its tool calls from the
     * beginning.
     */
    async forCall(setting: ToolboxContext, epoch: string): Promise<Toolbox> {
      const records = await tools.runnableOf(setting.userId, setting.agent.id)
      return toolbox(parts, records, setting, { call: epoch })
    },

    /** Idempotent per message: running it again returns the same results. */
    async forMessage(setting: ToolboxContext, messageId: string): Promise<Toolbox> {
      const records = await tools.runnableOf(setting.userId, setting.agent.id)
      return toolbox(parts, records, setting, { message: messageId })
    },

    /** Runs one tool for its owner, with real effects but outside any conversation. */
    test: (userId: string, toolId: string, request: ToolTest): Promise<TestedTool> =>
      testTool(options, userId, toolId, request),

    /** Resolves when no tool is running, or after `graceMs`. */
    async settled(graceMs: number): Promise<void> {
      if (running.size === 0) return
      await waitAtMost(graceMs, Promise.allSettled(running))
    },
  }
}

async function testTool(
  { agents, tools, types, http, testRuns }: AgentToolsParts,
  userId: string,
  toolId: string,
  request: ToolTest,
): Promise<TestedTool> {
  const tool = await tools.runnable(userId, toolId)
  const agent = request.agentId ? await agents.get(userId, request.agentId) : null
  const kind = types[tool.type]
  let problem: string | null = null
  await kind?.ready?.(tool)
  const handles = namedFunctions([tool], types, (_, why) => {
    problem = why
  })
  if (callOnly.has(tool.type)) throw cannotBeTested(tool.type, problem, kind?.notice?.(tool) ?? null)
  const handle = handles.find(({ name }) => name === request.function) ?? (request.function ? undefined : handles[0])
  if (!handle) {
    if (problem !== null) throw appError('tool_unusable', { reason: problem })
    throw appError('tool_no_function', { functions: handles.map(({ name }) => name).join(', ') || 'none' })
  }
  const { fn, name } = handle
  const checked = argumentsFor(fn, request.arguments ?? {})
  if (!checked.ok)
    return tested({
      id: null,
      name,
      status: 'refused',
      outcome: { ok: false, error: checked.error },
      mask: plainText,
    })
  const id = newId('tcl')
  const defaults = ((agent?.settings ?? {}) as AgentSettings).variables ?? {}
  const place: ToolContext = {
    userId,
    agent: { id: agent?.id ?? '', name: agent?.name ?? '' },
    conversationId: null,
    language: agent?.language ?? 'en',
    timeZone: zoneOf(agent?.language ?? 'en', defaults.timeZone),
    call: null,
    variables: { ...defaults, ...request.variables },
    history: [],
    summary: async () => '',
  }
  await testRuns.begin({ id, userId, toolId, name })
  const startedAt = monotonicMs()
  const { value: outcome, requests } = await http.trace(async () => {
    const first = await runWithTimeout(fn, { id, args: checked.args, context: place })
    return first.ok && first.later ? first.later : first
  })
  const status = outcome.ok ? 'done' : outcome.isDoubtful ? 'in_doubt' : 'failed'
  const durationMs = Math.round(monotonicMs() - startedAt)
  const result = tested({ id, name, status, outcome, durationMs, requests, mask: secretMask(tool) })
  await testRuns.finish(id, { status, error: result.error, durationMs })
  if (!outcome.ok && outcome.overBudget) throw outcome.overBudget
  return result
}

/** Tools of this type act on a live call, which a test does not have. */
function cannotBeTested(type: string, problem: string | null, notice: string | null): AppError {
  if (problem !== null) return appError('tool_unusable', { reason: problem })
  return notice === null ? appError('tool_needs_call', { type }) : appError('tool_needs_call_notice', { type, notice })
}

type TestResult = {
  id: string | null
  name: string
  status: TestedTool['status']
  outcome: Outcome
  durationMs?: number
  requests?: readonly Traced[]
  mask: Mask
}

function tested({ id, name, status, outcome, durationMs = 0, requests = [], mask }: TestResult): TestedTool {
  const last = requests.at(-1)
  return {
    id,
    function: name,
    status,
    result: outcome.ok ? resultText(outcome.text, mask) : null,
    error: outcome.ok ? null : errorText(outcome.error, mask),
    durationMs,
    request: last
      ? {
          method: last.method,
          url: mask(last.url),
          headers: shownHeaders(last.headers, mask),
          body: last.body && mask(last.body),
        }
      : null,
  }
}

const openHeaders = /^(accept|accept-encoding|accept-language|content-type|user-agent|idempotency-key)$/i
const shownHeaders = (headers: Readonly<Record<string, string>>, mask: Mask) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, openHeaders.test(name) ? mask(value) : '********']),
  )

const MAX_TRANSCRIPT = 8000

/** Summarizes the conversation in two or three sentences; without a model, returns the last messages. */
export async function summaryOf(
  llm: Llm,
  history: readonly Message[],
  language: string,
  signal: AbortSignal,
): Promise<string> {
  const spoken = history.filter(({ role, content }) => (role === 'user' || role === 'agent') && content.trim() !== '')
  const lines = spoken.map(({ role, content }) => `${role === 'user' ? 'Caller' : 'Agent'}: ${content}`)
  const last = spoken.slice(-4).map(({ content }) => content)
  if (!llm.isModel || lines.length === 0) return last.join(' ')
  const instructions = `Summarise the conversation below in two or three short sentences for the person who takes it over. Write in the language ${language}. Give only the summary.`
  let text = ''
  try {
    const prompt: Message[] = [
      { role: 'system', content: instructions },
      { role: 'user', content: lines.join('\n').slice(-MAX_TRANSCRIPT) },
    ]
    const options = { language, isAboutConversation: true }
    for await (const part of llm.reply(prompt, [], options, signal)) if ('say' in part) text += part.say
  } catch {
    // Fall back to the last messages.
  }
  return text.trim() || last.join(' ')
}
