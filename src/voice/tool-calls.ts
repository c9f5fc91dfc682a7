// The tool calls of one conversation: each runs once and may outlive the turn that made it; results are kept for the model.
import { CANCELLED, raceAbort, waitAtMost } from '../base/concurrency/abort.ts'
import type { Clock, Message, Tool, ToolCall, ToolMessage, Transport } from './ports.ts'
import { callKey, outcomeOf, runTool, type ToolOutcome, timeoutOf } from './tool-run.ts'

/** A delayed message due within this time replaces the filler. */
const EARLY_MS = 1500
const NOT_STARTED = 'Not executed: the caller interrupted.'
const RUNNING = 'Still running. The result will follow on its own; do not call it again.'

export type ToolRun = {
  readonly call: ToolCall
  readonly tool: Tool | undefined
  readonly timeoutMs: number
  /** Null while it runs. */
  readonly outcome: ToolOutcome | null
  readonly done: Promise<void>
  /** All calls it answers: an equal call made while it runs joins it. */
  readonly callIds: readonly string[]
}

export type ToolFinished = { type: 'tool'; call: ToolCall; failed: boolean; startedAt: number; endedAt: number }

/** The model called a tool when it may not. */
export type ToolRefused = { type: 'tool-refused'; call: ToolCall; why: string }

type ToolCallsParts = {
  tools: readonly Tool[]
  act: Transport['act']
  clock: Clock
  /** The first tool has started, or the last has finished. */
  onRunningChange?: (areRunning: boolean) => void
  /** A tool has a delayed message to say. */
  onDelayedMessage?: () => void
  /** A result arrived that no reply waits for. */
  onLateResult?: () => void
  onFinished?: (finished: ToolFinished) => void
  onRefused?: (call: ToolCall, why: string) => void
}

type Run = Omit<ToolRun, 'outcome' | 'callIds'> & {
  outcome: ToolOutcome | null
  callIds: string[]
  key: string
  /** The replies that wait for it. */
  waiting: Set<AbortSignal>
  delayed: (ToolMessage & { atMs: number })[]
  startedAt: number
}

type Result = { content: string; note: string }

export type ToolCalls = ReturnType<typeof toolCalls>

export function toolCalls(parts: ToolCallsParts) {
  const { tools, act, clock } = parts
  const running = new Set<Run>()
  const results = new Map<string, Result>()
  const closed = new AbortController()
  let late: ToolRun[] = []

  function setResult(run: Run, content: string, note = ''): void {
    for (const id of run.callIds) results.set(id, { content, note })
  }

  function addLate(run: ToolRun): void {
    late.push(run)
    parts.onLateResult?.()
  }

  async function execute(run: Run, history: readonly Message[], finished: AbortController): Promise<void> {
    const { tool, call, startedAt } = run
    const actWhileOpen: Transport['act'] = async (action) =>
      closed.signal.aborted ? { status: 'canceled', detail: 'The call is over.' } : act(action)
    const result = await runTool(tool, call, { context: { act: actWhileOpen, history }, clock })
    finished.abort(CANCELLED)
    running.delete(run)
    run.outcome = outcomeOf(tool, call, result)
    setResult(run, result.text, run.outcome.note)
    if (closed.signal.aborted) return
    parts.onFinished?.({ type: 'tool', call, failed: result.failed, startedAt, endedAt: clock.now() })
    if (running.size === 0) parts.onRunningChange?.(false)
    if (![...run.waiting].some(({ aborted }) => !aborted)) addLate(run)
  }

  return {
    tools,
    /** Models reuse ids: returns the call with one that is unique in this conversation. */
    withUniqueId(call: ToolCall): ToolCall {
      let id = call.id
      for (let i = 2; results.has(id); i++) id = `${call.id}-${i}`
      results.set(id, { content: NOT_STARTED, note: '' })
      return { ...call, id }
    },
    /** Does not run it; `why` is its result. */
    refuse(call: ToolCall, why: string): void {
      results.set(call.id, { content: why, note: '' })
      parts.onRefused?.(call, why)
    },
    /** Starts the call, or joins an equal one that is running. The reply with this signal waits for it. */
    start(call: ToolCall, history: readonly Message[], signal: AbortSignal): ToolRun {
      const same = sameCall(call, running)
      const done = Promise.withResolvers<void>()
      const tool = tools.find(({ name }) => name === call.name)
      const run = same ?? newRun(call, tool, { done: done.promise, startedAt: clock.now() })
      run.callIds.push(call.id)
      run.waiting.add(signal)
      setResult(run, RUNNING)
      if (same) return run
      running.add(run)
      if (running.size === 1) parts.onRunningChange?.(true)
      const finished = new AbortController()
      scheduleDelayed(run, parts, AbortSignal.any([finished.signal, closed.signal]))
      void execute(run, history, finished).then(done.resolve)
      return run
    },
    isRunning: (call: ToolCall): boolean => sameCall(call, running) !== undefined,
    /** Runs equal calls of one step once: true if one of these runs answers this call too. */
    joinSameCall(runs: readonly ToolRun[], call: ToolCall): boolean {
      const same = sameCall(call, runs)
      const result = same && results.get(same.call.id)
      if (!same || !result) return false
      same.callIds.push(call.id)
      results.set(call.id, result)
      return true
    },
    /** Resolves when the run is done or the waiting reply is canceled. */
    async wait(run: ToolRun, signal: AbortSignal): Promise<void> {
      await raceAbort(signal, run.done, () => undefined)
      if (run.outcome && signal.aborted && !late.includes(run)) addLate(run)
    },
    /** Waits at most `ms` for the tools that are running. */
    async waitForAll(ms: number, signal: AbortSignal): Promise<void> {
      const runs = [...running]
      for (const run of runs) run.waiting.add(signal)
      const all = Promise.all(runs.map(({ done }) => done))
      await raceAbort(signal, waitAtMost(ms, all, clock), () => undefined)
      for (const run of runs) run.waiting.delete(signal)
      late.push(...runs.filter((run) => run.outcome && !late.includes(run)))
      if (signal.aborted && late.length > 0) parts.onLateResult?.()
    },
    get areRunning(): boolean {
      return running.size > 0
    },
    /** Results that no reply has used. */
    late: (): readonly ToolRun[] => late,
    takeLate(): readonly ToolRun[] {
      const taken = late
      late = []
      return taken
    },
    /** The next message that a running tool wants said about how long it takes. */
    takeDelayedMessage(): string | null {
      for (const { delayed, startedAt } of running)
        if (delayed[0] && delayed[0].atMs - (clock.now() - startedAt) <= EARLY_MS) return delayed.shift()?.text ?? null
      return null
    },
    /** The messages with all results known now; `said`: what the caller was already told about a call. */
    withResults: (messages: readonly Message[], said: ReadonlyMap<string, string> = new Map()): Message[] =>
      messages.map((message) => withResult(message, results, said)),
    /** Running tools finish, but nothing more is reported. */
    close: () => closed.abort(CANCELLED),
  }
}

const sameCall = (call: ToolCall, runs: Iterable<ToolRun>): Run | undefined =>
  [...runs].find((each) => (each as Run).key === callKey(call)) as Run | undefined

function newRun(call: ToolCall, tool: Tool | undefined, started: Pick<Run, 'done' | 'startedAt'>): Run {
  return {
    call,
    tool,
    timeoutMs: timeoutOf(tool),
    outcome: null,
    callIds: [],
    key: callKey(call),
    waiting: new Set(),
    delayed: (tool?.messages?.delayed(call.args) ?? []).filter(({ role }) => role === 'assistant'),
    ...started,
  }
}

function scheduleDelayed(run: Run, { clock, onDelayedMessage }: ToolCallsParts, stop: AbortSignal): void {
  for (const message of run.delayed)
    void clock.sleep(message.atMs, stop).then(() => {
      if (!stop.aborted && run.delayed.includes(message)) onDelayedMessage?.()
    })
}

function withResult(
  message: Message,
  results: ReadonlyMap<string, Result>,
  said: ReadonlyMap<string, string>,
): Message {
  const callId = message.callId ?? ''
  const result = results.get(callId)
  if (message.role !== 'tool' || !result) return message
  const words = said.get(callId)
  const note = [result.note, words ? `Already said to the caller: ${words}` : ''].filter(Boolean).join('\n')
  return { ...message, content: result.content, ...(note && { note }) }
}
