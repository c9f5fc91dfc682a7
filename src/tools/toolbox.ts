// The tools of an agent as a conversation uses them: named for the model, their arguments checked, each call done once,
// bounded, and its answer made safe to show.
import { createHash } from 'node:crypto'
import { waitAtMost } from '../base/abort.ts'
import { newId } from '../base/ids.ts'
import type { Tool, ToolCall, ToolInvocation, ToolResult } from '../voice/ports.ts'
import { argumentsFor, canonical } from './arguments.ts'
import { functionNames } from './function-names.ts'
import { type Ended, GRACE_MS, leaseMsOf, type Once, runOnce } from './idempotent-run.ts'
import { type Chance, toolMessages } from './messages.ts'
import type { Outcome, Run, ToolContext, ToolFunction, ToolRecord } from './ports.ts'
import { type ContextOf, contextFrom } from './prefetching-llm.ts'
import type { RunTimes } from './recent-durations.ts'
import { plainText, secretMask } from './results.ts'
import type { Caps, NewToolCall, ToolBook } from './tool-run-store.ts'
import type { ToolTypes } from './tool-types.ts'

/** In one conversation, within a day; an agent's settings may say otherwise. */
export const MAX_RUNS = 50
export const MAX_EFFECTS = 20

type Limits = { tools?: { maxCalls?: number | null; maxEffects?: number | null } | null }
export const capsOf = ({ tools }: Limits): Caps => ({
  runs: tools?.maxCalls ?? MAX_RUNS,
  effects: tools?.maxEffects ?? MAX_EFFECTS,
})
/** More refusals than this are not worth a row. */
const MAX_REFUSALS = 100
const MAX_TOOLS = 128
const MAX_DESCRIPTION = 1024

/** These act on a live call, and are nothing without one. */
export const callOnly: ReadonlySet<string> = new Set(['dtmf', 'end_call', 'transfer_call'])

export type ToolboxParts = {
  kinds: ToolTypes
  book: ToolBook
  times: RunTimes
  chance: Chance
  /** Why a tool is not offered. */
  onProblem(tool: ToolRecord, problem: string): void
  onTrouble(error: unknown, toolId: string): void
  /** What must have ended before the process may. */
  watch(run: Promise<unknown>): void
}

export type Toolbox = {
  /** May grow: what a server offers is added when it is known. */
  tools: Tool[]
  /** Resolves when all that there is stands in `tools`. */
  ready: Promise<void>
  /** The model asked for what there is not: it was refused, and that is written down. */
  unknown(call: ToolCall): void
  /** The model asked for a tool when it was not its turn: that is written down too. */
  refused(call: ToolCall, why: string): void
  /** What the answers of tools gave so far. */
  variables(): Readonly<Record<string, string>>
  /** What tools tell the model beforehand. */
  context?: ContextOf
}

/** Where the tools are used, but for what changes from call to call. */
export type Setting = Omit<ToolContext, 'conversationId' | 'history' | 'summary'> & {
  conversationId: string
  caps: Caps
  summarise(history: ToolContext['history'], signal: AbortSignal): Promise<string>
}

/** A tool's function by itself. */
export type Handle = { tool: ToolRecord; offer: ToolFunction; name: string }

/** What of these tools can be used, and under which name. */
export function handlesOf(
  records: readonly ToolRecord[],
  kinds: ToolTypes,
  onProblem: ToolboxParts['onProblem'] = () => {},
): Handle[] {
  const offers = records.flatMap((tool) => {
    const kind = kinds[tool.type]
    const problem = kind ? kind.problem?.(tool) : `tools of type ${tool.type} do not act yet`
    if (problem) onProblem(tool, problem)
    return kind && !problem ? kind.offers(tool).map((offer) => ({ tool, offer })) : []
  })
  const names = functionNames(offers.map(({ tool, offer }) => ({ name: offer.name, instead: tool.type })))
  return offers.slice(0, MAX_TOOLS).map((each, i) => ({ ...each, name: names[i] as string }))
}

/** As the model is told of it, in a call as in a rehearsal. */
export const forModel = (
  { tool, offer, name }: Handle,
  language: string,
  chance: ToolboxParts['chance'],
): Pick<Tool, 'name' | 'description' | 'parameters' | 'messages'> => ({
  name,
  description: offer.description.slice(0, MAX_DESCRIPTION),
  parameters: offer.parameters,
  messages: toolMessages(offer.messages ?? tool.messages, language, chance),
})

/**
 * What tells one asking from another: in a call the model's own id, which the engine made the only one of its kind; in text a message may be
 * answered anew after a crash, with ids that are new, and how often the same was asked for tells.
 */
export type Asking = { call: string } | { message: string }

export function toolbox(
  parts: ToolboxParts,
  records: readonly ToolRecord[],
  { summarise, caps, ...place }: Setting,
  asking: Asking,
): Toolbox {
  const { kinds, book, times, chance, onProblem, onTrouble, watch } = parts
  const usable = records.filter(({ userId, type }) => userId === place.userId && (place.call || !callOnly.has(type)))
  const variables: Record<string, string> = { ...place.variables }
  const context = contextFrom(usable, kinds, place.language, onTrouble)
  const asked = new Map<string, number>()
  let refusals = 0

  const newCall = (
    name: string,
    toolId: string | null,
    args: unknown,
    key: string[],
    offer?: ToolFunction,
  ): NewToolCall => ({
    userId: place.userId,
    conversationId: place.conversationId,
    callId: place.call?.id ?? null,
    toolId,
    name: plainText(name).slice(0, 255),
    arguments: JSON.stringify(args) ?? 'null',
    dedupeKey: digest(key),
    argumentsKey: digest([toolId, name, canonical(args)]),
    hasEffect: offer?.hasEffect ?? false,
    leaseMs: offer ? leaseMsOf(offer) : 0,
  })

  function refuse(name: string, toolId: string | null, args: unknown, error: string): void {
    if (++refusals > MAX_REFUSALS) return
    const shown = canonical(args).length > 10_000 ? { note: 'too large to keep' } : args
    // Every refusal is a row of its own.
    const refusal = newCall(name, toolId, shown, ['refused', newId('ref')])
    watch(book.refuse(refusal, error).catch((trouble) => onTrouble(trouble, toolId ?? name)))
  }

  function toolOf({ tool, offer, name }: Handle): Tool {
    const timed = `${tool.id} ${offer.name}`
    const mask = secretMask(tool)

    async function run(call: ToolCall, { history, act }: ToolInvocation): Promise<ToolResult> {
      const checked = argumentsFor(offer, call.args)
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
        summary: (stop) => summarise(history, stop),
      }
      const once: Once = {
        book,
        caps,
        offer,
        mask,
        act: (id) => bounded(offer, { id, args, place: now }),
        onTrouble: (error) => onTrouble(error, tool.id),
        watch,
      }
      const started = runOnce(once, newCall(name, tool.id, args, keyOf(call, canonical([tool.id, name, args])), offer))
      watch(started)
      const ended = await started
      if (ended.ranMs !== undefined && ended.status === 'done') times.add(timed, ended.ranMs)
      Object.assign(variables, ended.variables ?? {})
      return resultOf(ended)
    }

    return {
      ...forModel({ tool, offer, name }, place.language, chance),
      // The run is given up by us first, who know how to tell it.
      timeoutMs: offer.timeoutMs + 2 * GRACE_MS,
      usualMs: () => times.usualMs(timed),
      isConcurrent: !offer.hasEffect && !givesVariables(tool),
      run,
    }
  }

  function keyOf(call: ToolCall, same: string): string[] {
    if ('call' in asking) return [asking.call, call.id, same]
    const times = (asked.get(same) ?? 0) + 1
    asked.set(same, times)
    return [asking.message, same, String(times)]
  }

  const tools = handlesOf(usable, kinds, onProblem).map(toolOf)
  const unknownYet = usable.flatMap((tool) => kinds[tool.type]?.ready?.(tool) ?? [])
  const ready = Promise.all(unknownYet).then(() => {
    if (unknownYet.length > 0) tools.splice(0, tools.length, ...handlesOf(usable, kinds, onProblem).map(toolOf))
  })
  return {
    tools,
    ready,
    refused({ name, args }, why) {
      const handle = handlesOf(usable, kinds).find((each) => each.name === name)
      refuse(name, handle?.tool.id ?? null, args, why)
    },
    unknown: ({ name, args }) => refuse(name, null, args, 'This agent has no such tool.'),
    variables: () => variables,
    ...(context ? { context } : {}),
  }
}

/** A later tool of the same round may need what this one gives. */
const givesVariables = ({ config }: ToolRecord) => Object.keys(config.responseVariables ?? {}).length > 0

/** Its time is up at its limit; a run that does not heed that is given up a little later. */
export async function bounded(offer: ToolFunction, run: Run): Promise<Outcome> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), offer.timeoutMs)
  try {
    const outcome = await waitAtMost(offer.timeoutMs + GRACE_MS, offer.run(run, limit.signal))
    return outcome ?? { ok: false, error: 'The tool took too long.', isDoubtful: offer.hasEffect }
  } finally {
    clearTimeout(timer)
  }
}

function resultOf({ status, text, outcome }: Ended): ToolResult {
  if (!outcome?.ok) return { text, failed: status !== 'done' && status !== 'running' }
  const { endsCall, say, isLast } = outcome
  return {
    text,
    failed: false,
    ...(endsCall === undefined ? {} : { endsCall }),
    ...(say === undefined ? {} : { say }),
    ...(isLast === undefined ? {} : { isLast }),
  }
}

const digest = (parts: readonly unknown[]) => createHash('sha256').update(JSON.stringify(parts)).digest('hex')
