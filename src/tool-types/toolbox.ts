// An agent's tools in one conversation: names them for the model, validates arguments, and runs each call once, with
// limits and masked results.
import { createHash } from 'node:crypto'
import { waitAtMost } from '../base/concurrency/abort.ts'
import { newId } from '../base/ids.ts'
import type { Tool, ToolCall, ToolInvocation, ToolResult } from '../voice/ports.ts'
import { argumentsFor, canonical } from './arguments.ts'
import { functionNames } from './function-names.ts'
import { GRACE_MS, type IdempotentRun, leaseMsOf, runIdempotently, type ToolRunResult } from './idempotent-run.ts'
import { type Random, toolMessages } from './messages.ts'
import type { Outcome, Run, ToolContext, ToolFunction, ToolRecord } from './ports.ts'
import { type ContextOf, contextFrom } from './prefetching-llm.ts'
import type { RecentDurations } from './recent-durations.ts'
import { plainText, secretMask } from './results.ts'
import type { Caps, NewToolRun, ToolRunStore } from './tool-run-store.ts'
import type { ToolTypes } from './tool-types.ts'

/** Per conversation and day, unless the agent's settings say otherwise. */
export const MAX_RUNS = 50
export const MAX_EFFECTS = 20

type Limits = { tools?: { maxCalls?: number | null; maxEffects?: number | null } | null }
export const capsOf = ({ tools }: Limits): Caps => ({
  runs: tools?.maxCalls ?? MAX_RUNS,
  effects: tools?.maxEffects ?? MAX_EFFECTS,
})
/** Further refusals are not stored. */
const MAX_REFUSALS = 100
const MAX_TOOLS = 128
const MAX_DESCRIPTION = 1024

/** These act on a live call and need one. */
export const callOnly: ReadonlySet<string> = new Set(['dtmf', 'end_call', 'transfer_call'])

export type ToolboxParts = {
  types: ToolTypes
  store: ToolRunStore
  times: RecentDurations
  chance: Random
  /** Reports why a tool is not offered. */
  onProblem(tool: ToolRecord, problem: string): void
  onTrouble(error: unknown, toolId: string): void
  /** Tracks work that must finish before the process exits. */
  watch(run: Promise<unknown>): void
}

export type Toolbox = {
  /** May grow: each server's tools are added when that server has listed them. */
  tools: Tool[]
  /** One per server, resolved when the server's tools are in `tools`. They do not wait for each other. */
  arrivals: readonly Promise<void>[]
  /** The model called a tool that does not exist: the refusal is recorded. */
  unknown(call: ToolCall): void
  /** The model called a tool when none was allowed: the refusal is recorded. */
  refused(call: ToolCall, why: string): void
  /** Variables from the tool results so far. */
  variables(): Readonly<Record<string, string>>
  /** Adds variables that became known during the conversation. */
  addVariables?(variables: Readonly<Record<string, string>>): void
  /** Context that tools provide to the model in advance. */
  context?: ContextOf
}

/** Where the tools are used, without the parts that change per call. */
export type ToolboxContext = Omit<ToolContext, 'conversationId' | 'history' | 'summary'> & {
  conversationId: string
  caps: Caps
  summarize(history: ToolContext['history'], signal: AbortSignal): Promise<string>
}

/** One function of a tool, with its name for the model. */
export type NamedFunction = { tool: ToolRecord; fn: ToolFunction; name: string }

/** The usable functions of these tools, with unique names. */
export function namedFunctions(
  records: readonly ToolRecord[],
  types: ToolTypes,
  onProblem: ToolboxParts['onProblem'] = () => {},
): NamedFunction[] {
  const functions = records.flatMap((tool) => {
    const kind = types[tool.type]
    const problem = kind ? kind.problem?.(tool) : `tools of type ${tool.type} do not act yet`
    if (problem) onProblem(tool, problem)
    return kind && !problem ? kind.functions(tool).map((fn) => ({ tool, fn })) : []
  })
  const names = functionNames(functions.map(({ tool, fn }) => ({ name: fn.name, instead: tool.type })))
  return functions.slice(0, MAX_TOOLS).map((each, i) => ({ ...each, name: names[i] as string }))
}

/** The function as shown to the model, in calls and in rehearsals. */
export const forModel = (
  { tool, fn, name }: NamedFunction,
  language: string,
  chance: ToolboxParts['chance'],
): Pick<Tool, 'name' | 'description' | 'parameters' | 'messages'> => ({
  name,
  description: fn.description.slice(0, MAX_DESCRIPTION),
  parameters: fn.parameters,
  messages: toolMessages(fn.messages ?? tool.messages, language, chance),
})

/**
 * Identifies a request: in a call by the model's own id, which the engine made unique; in text, where a message may
 * be answered again after a crash with new ids, by how often the same request was made.
 */
export type RunIdentity = { call: string } | { message: string }

export function toolbox(
  parts: ToolboxParts,
  records: readonly ToolRecord[],
  { summarize, caps, ...place }: ToolboxContext,
  asking: RunIdentity,
): Toolbox {
  const { types, store, times, chance, onProblem, onTrouble, watch } = parts
  const usable = records.filter(({ userId, type }) => userId === place.userId && (place.call || !callOnly.has(type)))
  const variables: Record<string, string> = { ...place.variables }
  const context = contextFrom(usable, types, place.language, onTrouble)
  const { newCall, refuse, keyOf } = callRecords(parts, place, asking)

  function toolOf({ tool, fn, name }: NamedFunction): Tool {
    const timed = `${tool.id} ${fn.name}`
    const mask = secretMask(tool)

    async function run(call: ToolCall, { history, act }: ToolInvocation): Promise<ToolResult> {
      const checked = argumentsFor(fn, call.args)
      if (!checked.ok) {
        refuse(name, tool.id, call.args, checked.error)
        return { text: checked.error, failed: true }
      }
      const { args } = checked
      const now: ToolContext = {
        ...place,
        call: place.call && { ...place.call, act },
        variables,
        history,
        summary: (stop) => summarize(history, stop),
      }
      const once: IdempotentRun = {
        store,
        caps,
        fn,
        mask,
        act: (id) => runWithTimeout(fn, { id, args, context: now }),
        onTrouble: (error) => onTrouble(error, tool.id),
        watch,
      }
      const started = runIdempotently(
        once,
        newCall(name, tool.id, args, keyOf(call, canonical([tool.id, name, args])), fn),
      )
      watch(started)
      const ended = await started
      if (ended.ranMs !== undefined && ended.status === 'done') times.add(timed, ended.ranMs)
      Object.assign(variables, ended.variables ?? {})
      return resultOf(ended)
    }

    return {
      ...forModel({ tool, fn, name }, place.language, chance),
      // Our own timeout fires first, because it gives a better error.
      timeoutMs: fn.timeoutMs + 2 * GRACE_MS,
      typicalMs: () => times.usualMs(timed),
      isConcurrent: !fn.hasEffect && !givesVariables(tool),
      run,
    }
  }

  const { tools, arrivals, named } = toolList({ types, onProblem }, usable, toolOf)
  return {
    tools,
    arrivals,
    refused({ name, args }, why) {
      const handle = named(name)
      refuse(name, handle?.tool.id ?? null, args, why)
    },
    unknown: ({ name, args }) => refuse(name, null, args, 'This agent has no such tool.'),
    variables: () => variables,
    addVariables: (more) => void Object.assign(variables, more),
    ...(context ? { context } : {}),
  }
}

/** The tools for the model. Late arrivals come last, so that no function is renamed during the conversation. */
function toolList(
  { types, onProblem }: Pick<ToolboxParts, 'types' | 'onProblem'>,
  usable: readonly ToolRecord[],
  toolOf: (named: NamedFunction) => Tool,
) {
  let ordered = usable
  const tools = namedFunctions(ordered, types, onProblem).map(toolOf)
  const arrivals = usable.flatMap((tool) => {
    const kind = types[tool.type]
    const isNew = kind?.functions(tool).length === 0
    const arrived = () => {
      if (isNew) ordered = [...ordered.filter((each) => each !== tool), tool]
      tools.splice(0, tools.length, ...namedFunctions(ordered, types, onProblem).map(toolOf))
    }
    return kind?.ready?.(tool).then(arrived, arrived) ?? []
  })
  const named = (name: string) => namedFunctions(ordered, types).find((each) => each.name === name)
  return { tools, arrivals, named }
}

/** Describes calls for the store, identifies them, and records those that are refused. */
function callRecords(
  { store, onTrouble, watch }: Pick<ToolboxParts, 'store' | 'onTrouble' | 'watch'>,
  place: Pick<ToolboxContext, 'userId' | 'conversationId' | 'call'>,
  asking: RunIdentity,
) {
  const asked = new Map<string, number>()
  let refusals = 0

  const newCall = (
    name: string,
    toolId: string | null,
    args: unknown,
    key: string[],
    fn?: ToolFunction,
  ): NewToolRun => ({
    userId: place.userId,
    conversationId: place.conversationId,
    callId: place.call?.id ?? null,
    toolId,
    name: plainText(name).slice(0, 255),
    arguments: JSON.stringify(args) ?? 'null',
    dedupeKey: digest(key),
    argumentsKey: digest([toolId, name, canonical(args)]),
    hasEffect: fn?.hasEffect ?? false,
    leaseMs: fn ? leaseMsOf(fn) : 0,
  })

  function refuse(name: string, toolId: string | null, args: unknown, error: string): void {
    if (++refusals > MAX_REFUSALS) return
    const shown = canonical(args).length > 10_000 ? { note: 'too large to keep' } : args
    // Every refusal is a separate row.
    const refusal = newCall(name, toolId, shown, ['refused', newId('ref')])
    watch(store.refuse(refusal, error).catch((trouble) => onTrouble(trouble, toolId ?? name)))
  }

  function keyOf(call: ToolCall, same: string): string[] {
    if ('call' in asking) return [asking.call, call.id, same]
    const times = (asked.get(same) ?? 0) + 1
    asked.set(same, times)
    return [asking.message, same, String(times)]
  }

  return { newCall, refuse, keyOf }
}

/** A later tool of the same round may need these variables. */
const givesVariables = ({ config }: ToolRecord) => Object.keys(config.responseVariables ?? {}).length > 0

/** Aborts the run at its timeout; a run that ignores the signal is abandoned a little later. */
export async function runWithTimeout(fn: ToolFunction, run: Run): Promise<Outcome> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), fn.timeoutMs)
  try {
    const outcome = await waitAtMost(fn.timeoutMs + GRACE_MS, fn.run(run, limit.signal))
    return outcome ?? { ok: false, error: 'The tool took too long.', isDoubtful: fn.hasEffect }
  } finally {
    clearTimeout(timer)
  }
}

function resultOf({ status, text, outcome }: ToolRunResult): ToolResult {
  if (!outcome?.ok) return { text, failed: status !== 'done' && status !== 'running' }
  const { endsCall, say, isLast } = outcome
  return {
    text,
    failed: false,
    ...(endsCall === undefined ? {} : { endsCall }),
    ...(say === undefined ? {} : { say }),
    ...(isLast === undefined ? {} : { isTransferred: isLast }),
  }
}

const digest = (parts: readonly unknown[]) => createHash('sha256').update(JSON.stringify(parts)).digest('hex')
