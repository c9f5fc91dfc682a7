// The tools of one conversation while they work: each call runs once and outlives the turn that asked for it; its answer is kept for the model.
import { raceAbort, waitAtMost } from '../base/abort.ts'
import type { Clock, Message, Tool, ToolCall, ToolMessage, Transport } from './ports.ts'
import { callKey, endingOf, limitOf, runTool, type ToolEnding } from './tool-run.ts'

/** A message that is due so soon is said instead of a filler. */
const EARLY_MS = 1500
const NOT_BEGUN = 'Not done: the caller spoke before it was begun.'
const AT_WORK = 'Still at work: the result is not known yet, and comes by itself. Do not ask for it again.'

export type ToolRun = {
  readonly call: ToolCall
  readonly tool: Tool | undefined
  readonly limitMs: number
  /** Null while it works. */
  readonly ending: ToolEnding | null
  readonly done: Promise<void>
  /** Of all calls that it answers: who asks the same while it works joins it. */
  readonly ids: readonly string[]
}

export type ToolDone = { type: 'tool'; call: ToolCall; failed: boolean; startedAt: number; endedAt: number }

/** It asked for a tool where it may not. */
export type ToolRefused = { type: 'tool-refused'; call: ToolCall; why: string }

export type AtWorkParts = {
  tools: readonly Tool[]
  act: Transport['act']
  clock: Clock
  /** Tools are at work, or none is any more. */
  onOut?: (isOut: boolean) => void
  /** One of them has something to say about how long it takes. */
  onDue?: () => void
  /** A result has come that no reply waits for. */
  onNews?: () => void
  tell?: (done: ToolDone) => void
  /** The model asked for a tool where it may not. */
  onRefused?: (call: ToolCall, why: string) => void
}

type Work = ToolRun & {
  ending: ToolEnding | null
  ids: string[]
  key: string
  /** The replies that wait for it. */
  waiting: Set<AbortSignal>
  delayed: (ToolMessage & { atMs: number })[]
  startedAt: number
}

export type ToolsAtWork = ReturnType<typeof toolCalls>

export function toolCalls({ tools, act, clock, onOut, onDue, onNews, tell, onRefused }: AtWorkParts) {
  const working = new Set<Work>()
  const answers = new Map<string, { content: string; note: string }>()
  const over = new AbortController()
  let late: ToolRun[] = []

  function answer(work: Work, content: string, note = ''): void {
    for (const id of work.ids) answers.set(id, { content, note })
  }

  function isLate(work: Work): void {
    late.push(work)
    onNews?.()
  }

  async function run(work: Work, history: readonly Message[], finished: AbortController): Promise<void> {
    const { tool, call } = work
    const ours: Transport['act'] = async (action) =>
      over.signal.aborted ? { status: 'canceled', detail: 'The call is over.' } : act(action)
    const result = await runTool(tool, call, { act: ours, history }, clock)
    finished.abort()
    working.delete(work)
    work.ending = endingOf(tool, call, result)
    answer(work, result.text, work.ending.note)
    if (over.signal.aborted) return
    tell?.({ type: 'tool', call, failed: result.failed, startedAt: work.startedAt, endedAt: clock.now() })
    if (working.size === 0) onOut?.(false)
    if (![...work.waiting].some(({ aborted }) => !aborted)) isLate(work)
  }

  function remind(work: Work, stop: AbortSignal): void {
    for (const message of work.delayed)
      void clock.sleep(message.atMs, stop).then(() => {
        if (!stop.aborted && work.delayed.includes(message)) onDue?.()
      })
  }

  const sameAs = (call: ToolCall, runs: Iterable<ToolRun>): Work | undefined => {
    const key = callKey(call)
    return [...runs].find((each) => (each as Work).key === key) as Work | undefined
  }

  return {
    offered: tools,
    /** With an id that no other call of this conversation has: models repeat theirs. */
    named(call: ToolCall): ToolCall {
      let id = call.id
      for (let i = 2; answers.has(id); i++) id = `${call.id}-${i}`
      answers.set(id, { content: NOT_BEGUN, note: '' })
      return { ...call, id }
    },
    /** It is not run, and that is its answer. */
    refuse(call: ToolCall, why: string): void {
      answers.set(call.id, { content: why, note: '' })
      onRefused?.(call, why)
    },
    /** It is begun, or joins the one that works already. The reply of this signal waits for it. */
    begin(call: ToolCall, history: readonly Message[], signal: AbortSignal): ToolRun {
      const same = sameAs(call, working)
      const tool = tools.find(({ name }) => name === call.name)
      const done = Promise.withResolvers<void>()
      const work: Work = same ?? {
        call,
        tool,
        limitMs: limitOf(tool),
        ending: null,
        done: done.promise,
        ids: [],
        key: callKey(call),
        waiting: new Set(),
        delayed: (tool?.messages?.delayed(call.args) ?? []).filter(({ role }) => role === 'assistant'),
        startedAt: clock.now(),
      }
      work.ids.push(call.id)
      work.waiting.add(signal)
      answer(work, AT_WORK)
      if (same) return work
      working.add(work)
      if (working.size === 1) onOut?.(true)
      const finished = new AbortController()
      remind(work, AbortSignal.any([finished.signal, over.signal]))
      void run(work, history, finished).then(done.resolve)
      return work
    },
    isWorking: (call: ToolCall): boolean => sameAs(call, working) !== undefined,
    /** Asked twice at once, done once: the answer of one of these is the answer to this call too. */
    answeredBy(runs: readonly ToolRun[], call: ToolCall): boolean {
      const same = sameAs(call, runs)
      const known = same && answers.get(same.call.id)
      if (!same || !known) return false
      same.ids.push(call.id)
      answers.set(call.id, known)
      return true
    },
    /** Until it is done, or the reply that waits is no longer wanted. */
    async wait(run: ToolRun, signal: AbortSignal): Promise<void> {
      await raceAbort(signal, run.done, () => undefined)
      if (run.ending && signal.aborted && !late.includes(run)) isLate(run as Work)
    },
    /** Those that work now are waited for a little. */
    async waitForAll(ms: number, signal: AbortSignal): Promise<void> {
      const out = [...working]
      for (const work of out) work.waiting.add(signal)
      const all = Promise.all(out.map(({ done }) => done))
      await raceAbort(signal, waitAtMost(ms, all, clock), () => undefined)
      for (const work of out) work.waiting.delete(signal)
      late.push(...out.filter((work) => work.ending && !late.includes(work)))
      if (signal.aborted && late.length > 0) onNews?.()
    },
    get isOut(): boolean {
      return working.size > 0
    },
    /** What has come that no reply has told. */
    late: (): readonly ToolRun[] => late,
    takeLate(): readonly ToolRun[] {
      const taken = late
      late = []
      return taken
    },
    /** What a tool at work wants to be said about how long it takes. */
    dueMessage(): string | null {
      for (const { delayed, startedAt } of working)
        if (delayed[0] && delayed[0].atMs - (clock.now() - startedAt) <= EARLY_MS) return delayed.shift()?.text ?? null
      return null
    },
    /** With every answer as it is known now, and what was `said` about it already. */
    answered: (messages: readonly Message[], said: ReadonlyMap<string, string> = new Map()): Message[] =>
      messages.map((message) => {
        const known = answers.get(message.callId ?? '')
        if (message.role !== 'tool' || !known) return message
        const words = said.get(message.callId ?? '')
        const note = [known.note, words ? `This was said to the caller already: ${words}` : '']
        return { ...message, content: known.content, ...withNote(note.filter((each) => each !== '').join('\n')) }
      }),
    /** What works goes on to its end; nobody is told. */
    close: () => over.abort(),
  }
}

const withNote = (note: string) => (note === '' ? {} : { note })
