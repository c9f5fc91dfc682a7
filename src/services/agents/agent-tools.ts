// The tools of an agent, made ready for a call, for a written message, or for a test by their owner.
import type { AgentSettings } from '../../api/agents/settings.ts'
import type { AgentStore } from '../../api/agents/store.ts'
import type { ToolCallStore } from '../../api/conversations/tool-call-store.ts'
import type { TestedTool, ToolTest } from '../../api/tools/schema.ts'
import type { ToolStore } from '../../api/tools/store.ts'
import type { TestRuns } from '../../api/tools/test-runs.ts'
import { waitAtMost } from '../../base/abort.ts'
import { monotonicMs } from '../../base/clock.ts'
import { AppError } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Log } from '../../base/log.ts'
import { LruCache } from '../../base/lru-cache.ts'
import { zoneOf } from '../../llm/prompt.ts'
import { argumentsFor } from '../../tools/arguments.ts'
import type { Traced, TracedHttp } from '../../tools/http/traced-http.ts'
import type { Outcome, ToolContext } from '../../tools/ports.ts'
import { runTimes } from '../../tools/recent-durations.ts'
import { errorText, type Mask, plainText, resultText, secretMask } from '../../tools/results.ts'
import type { ToolTypes } from '../../tools/tool-types.ts'
import {
  bounded,
  callOnly,
  handlesOf,
  type Setting,
  type Toolbox,
  type ToolboxParts,
  toolbox,
} from '../../tools/toolbox.ts'
import type { Llm, Message } from '../../voice/ports.ts'

export type AgentToolsParts = {
  agents: Pick<AgentStore, 'get'>
  tools: Pick<ToolStore, 'runnable' | 'runnableOf'>
  toolCalls: ToolCallStore
  kinds: ToolTypes
  /** The one that the kinds were made with. */
  http: Pick<TracedHttp, 'trace'>
  /** Where tests are on record. */
  testRuns: Pick<TestRuns, 'begin' | 'finish'>
  log: Log
  chance?: () => number
}

export type AgentTools = ReturnType<typeof agentTools>

export function agentTools(given: AgentToolsParts) {
  const { agents, tools, toolCalls, kinds, http, testRuns, log, chance = Math.random } = given
  const atWork = new Set<Promise<unknown>>()
  /** A tool that cannot be used is told once, and again when the reason is another. */
  const told = new LruCache<string, string>(1000)
  const parts: ToolboxParts = {
    kinds,
    book: toolCalls,
    times: runTimes(),
    chance,
    onProblem({ id, type }, problem) {
      if (told.get(id) === problem) return
      told.set(id, problem)
      log.warn({ toolId: id, type, problem }, 'a tool is linked that cannot be used')
    },
    onTrouble: (err, toolId) => log.error({ err, toolId }, 'a tool call failed on our side'),
    watch(run) {
      atWork.add(run)
      const done = () => atWork.delete(run)
      run.then(done, done)
    },
  }

  return {
    /** `epoch` tells one agent of a call from the next, whose engine counts anew. */
    async forCall(setting: Setting, epoch: string): Promise<Toolbox> {
      const records = await tools.runnableOf(setting.userId, setting.agent.id)
      return toolbox(parts, records, setting, { call: epoch })
    },

    /** Asked again about the same message it gives the same answers. */
    async forMessage(setting: Setting, messageId: string): Promise<Toolbox> {
      const records = await tools.runnableOf(setting.userId, setting.agent.id)
      return toolbox(parts, records, setting, { message: messageId })
    },

    /** Runs one tool for its owner: really, but outside any conversation. */
    async test(userId: string, toolId: string, asked: ToolTest): Promise<TestedTool> {
      const tool = await tools.runnable(userId, toolId)
      const agent = asked.agentId ? await agents.get(userId, asked.agentId) : null
      const kind = kinds[tool.type]
      let problem: string | null = null
      await kind?.ready?.(tool)
      const handles = handlesOf([tool], kinds, (_, why) => {
        problem = why
      })
      if (callOnly.has(tool.type)) throw cannotBeTested(tool.type, problem, kind?.notice?.(tool) ?? null)
      const handle = handles.find(({ name }) => name === asked.function) ?? (asked.function ? undefined : handles[0])
      if (!handle) {
        const why =
          problem ?? `It offers no such function; it has: ${handles.map(({ name }) => name).join(', ') || 'none'}`
        throw new AppError('conflict', `This tool cannot be used: ${why}`)
      }
      const { offer, name } = handle
      const checked = argumentsFor(offer, asked.arguments ?? {})
      if (!checked.ok) return tested(null, name, 'refused', { ok: false, error: checked.error }, 0, [], plainText)
      const id = newId('tcl')
      const defaults = ((agent?.settings ?? {}) as AgentSettings).variables ?? {}
      const place: ToolContext = {
        userId,
        agent: { id: agent?.id ?? '', name: agent?.name ?? '' },
        conversationId: null,
        language: agent?.language ?? 'en',
        timeZone: zoneOf(agent?.language ?? 'en', defaults.timeZone),
        call: null,
        variables: { ...defaults, ...asked.variables },
        history: [],
        summary: async () => '',
      }
      await testRuns.begin({ id, userId, toolId, name })
      const startedAt = monotonicMs()
      const { value: outcome, requests } = await http.trace(async () => {
        const first = await bounded(offer, { id, args: checked.args, place })
        return first.ok && first.later ? first.later : first
      })
      const status = outcome.ok ? 'done' : outcome.isDoubtful ? 'in_doubt' : 'failed'
      const durationMs = Math.round(monotonicMs() - startedAt)
      const result = tested(id, name, status, outcome, durationMs, requests, secretMask(tool))
      await testRuns.finish(id, { status, error: result.error, durationMs })
      if (!outcome.ok && outcome.overBudget) throw outcome.overBudget
      return result
    },

    /** Resolves when no tool is at work, or so much later. */
    async settled(graceMs: number): Promise<void> {
      if (atWork.size === 0) return
      await waitAtMost(graceMs, Promise.allSettled(atWork))
    },
  }
}

/** It is only looked at: it would act on a call that there is not. */
function cannotBeTested(type: string, problem: string | null, notice: string | null): AppError {
  if (problem !== null) return new AppError('conflict', `This tool cannot be used: ${problem}`)
  const why = `A tool of type ${type} needs a live call: it acts on the call itself`
  return new AppError('conflict', notice === null ? why : `${why}. ${notice}`)
}

function tested(
  id: string | null,
  name: string,
  status: TestedTool['status'],
  outcome: Outcome,
  durationMs: number,
  requests: readonly Traced[],
  mask: Mask,
): TestedTool {
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

const MAX_TOLD = 8000

/** The conversation in two or three sentences; without a model, what was said last. */
export async function summaryOf(
  llm: Llm,
  history: readonly Message[],
  language: string,
  signal: AbortSignal,
): Promise<string> {
  const said = history.filter(({ role, content }) => (role === 'user' || role === 'agent') && content.trim() !== '')
  const lines = said.map(({ role, content }) => `${role === 'user' ? 'Caller' : 'Agent'}: ${content}`)
  const last = said.slice(-4).map(({ content }) => content)
  if (!llm.isModel || lines.length === 0) return last.join(' ')
  const order = `Summarise the conversation below in two or three short sentences for the person who takes it over. Write in the language ${language}. Give only the summary.`
  let text = ''
  try {
    const asked: Message[] = [
      { role: 'system', content: order },
      { role: 'user', content: lines.join('\n').slice(-MAX_TOLD) },
    ]
    for await (const part of llm.reply(asked, [], { language }, signal)) if ('say' in part) text += part.say
  } catch {
    // What was said stands in for it.
  }
  return text.trim() || last.join(' ')
}
