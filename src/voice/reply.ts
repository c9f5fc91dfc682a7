// One reply: the model's words as they come, with the tools it asks for used in between, and what is said about these.
import { phraseFor } from './phrases.ts'
import type { Llm, Message, ReplyOptions, SessionEndReason, ToolCall } from './ports.ts'
import type { ToolRun, ToolsAtWork } from './tool-calls.ts'
import { callKey } from './tool-run.ts'

const MAX_STEPS = 5
/** A model that calls a tool where it may not is told so, and asked once more; then its tools are taken away. */
const MAX_REFUSALS = 2
const NO_MORE_CALLS = 'Not executed: no more tool calls in this turn. Answer the caller now, in words.'
/** Tools of one round that change nothing run side by side, so many of them. */
const MAX_AT_ONCE = 4
/** A tool that is done sooner needs no announcement. */
const QUICK_MS = 700
/** What earlier turns asked for is waited for so long, to be part of this answer. */
export const WAIT_MS = 3000

export type ReplyParts = {
  llm: Llm
  work: ToolsAtWork
  /** How long tools of earlier turns are waited for. */
  waitMs?: number
  /** Resolves when all that was said so far has been heard. */
  heard?: () => Promise<void>
  /** A tool is waited for, so long at most; null: no longer. */
  onWork?: (limitMs: number | null) => void
  /** The call is hung up with this reason when all that was said has been heard. */
  onLeave?: (reason: SessionEndReason) => void
  /** The call was given away. */
  onLast?: () => void
}

/** What was said before a tool and what is said after it are two sentences. */
const END = '\n'

/** `added` takes what the model did, so that the next turn knows it; the answers to its calls are kept by `work`. */
export async function* replyWords(
  { llm, work, waitMs = 0, heard, onWork, onLeave, onLast }: ReplyParts,
  history: () => readonly Message[],
  options: ReplyOptions,
  added: Message[],
  signal: AbortSignal,
): AsyncGenerator<string> {
  // As `added`, with what was said in between: the history has that as it was heard.
  const known: Message[] = []
  const saidOf = new Map<string, string>()
  let hasLastWord = false

  if (waitMs > 0 && work.isOut) {
    onWork?.(waitMs)
    await work.waitForAll(waitMs, signal)
    if (signal.aborted) return
    onWork?.(null)
  }
  const before = history()
  for (let steps = 0, refusals = 0; refusals <= MAX_REFUSALS; steps++) {
    const late = work.takeLate()
    for (const run of late) yield* saidAtEnd(run)
    if (await isOver(late)) return
    // In its last step it has to speak.
    const mayCallTools = !hasLastWord && steps < MAX_STEPS - 1
    const offered = refusals === MAX_REFUSALS ? [] : work.offered
    const asked = mayCallTools ? options : { ...options, mayCallTools }
    const calls: ToolCall[] = []
    let said = ''
    for await (const part of llm.reply(work.answered([...before, ...known], saidOf), offered, asked, signal)) {
      if (signal.aborted) return
      if ('say' in part) {
        said += part.say
        yield part.say
      } else calls.push(work.named(part.call))
    }
    if (signal.aborted || calls.length === 0) return
    said = said.trim()
    if (!mayCallTools) {
      for (const call of calls) work.refuse(call, NO_MORE_CALLS)
      if (said !== '' || hasLastWord) return
      refusals++
      known.push({ role: 'agent', content: '', calls }, ...calls.map(answerTo))
      continue
    }
    if (said !== '') yield END
    const answers = calls.map(answerTo)
    added.push({ role: 'agent', content: '', calls }, ...answers)
    const runs: ToolRun[] = []
    const announced: string[] = []
    const early = new Map<ToolCall, ToolRun>()
    for (const [i, call] of calls.entries()) {
      if (work.answeredBy(runs, call)) continue
      beginTogether(calls.slice(i), early)
      const run = yield* used(call, said !== '', announced, early.get(call))
      if (!run) return leave(early)
      runs.push(run)
      yield* saidAtEnd(run)
    }
    known.push({ role: 'agent', content: [said, ...announced].join(' ').trim(), calls }, ...answers)
    if (await isOver(runs)) return
  }
  yield phraseFor(options.language, 'apology')

  /** The first of these calls and those after it, up to one that must keep its place. */
  function beginTogether(calls: readonly ToolCall[], early: Map<ToolCall, ToolRun>): void {
    for (const call of calls) {
      const tool = work.offered.find(({ name }) => name === call.name)
      const running = [...early.values()].filter(({ ending }) => !ending).length
      if (!tool?.isConcurrent || startOf(call)?.isBlocking || running >= MAX_AT_ONCE) return
      if ([...early.keys()].some((each) => callKey(each) === callKey(call))) continue
      early.set(call, work.begin(call, work.answered([...before, ...known]), signal))
    }
  }

  /** What they give is told later. */
  async function leave(early: ReadonlyMap<ToolCall, ToolRun>): Promise<void> {
    for (const run of early.values()) await work.wait(run, signal)
  }

  /** Undefined: nobody wants this reply any more. A tool that was begun goes on. */
  async function* used(
    call: ToolCall,
    hasSpoken: boolean,
    announced: string[],
    begun: ToolRun | undefined,
  ): AsyncGenerator<string, ToolRun | undefined> {
    const start = begun?.ending || (!begun && work.isWorking(call)) ? null : startOf(call)
    const announces = start !== null && !hasSpoken && !announced.includes(start.text)
    if (start && announces) announced.push(start.text)
    if (start?.isBlocking) {
      if (announces) yield* sentence(start.text)
      await heard?.()
      if (signal.aborted) return undefined
    }
    const run = begun ?? work.begin(call, work.answered([...before, ...known]), signal)
    onWork?.(run.limitMs)
    if (start && announces && !start.isBlocking) yield* sentence(start.text)
    await work.wait(run, signal)
    if (signal.aborted) return undefined
    onWork?.(null)
    return run
  }

  function startOf(call: ToolCall) {
    const tool = work.offered.find(({ name }) => name === call.name)
    const start = tool?.messages?.start(call.args) ?? null
    if (start?.role !== 'assistant' || start.text.trim() === '') return null
    const usualMs = tool?.usualMs?.() ?? null
    return start.isBlocking || usualMs === null || usualMs > QUICK_MS ? start : null
  }

  async function* saidAtEnd({ ending, ids }: ToolRun): AsyncGenerator<string> {
    if (!ending?.say) return
    for (const id of ids) saidOf.set(id, ending.say)
    yield* sentence(ending.say)
  }

  /** Whether nothing more is to be said after these tools. */
  async function isOver(runs: readonly ToolRun[]): Promise<boolean> {
    if (signal.aborted) return true
    const leaving = runs.find(({ ending }) => ending?.leave)?.ending
    if (leaving?.leave) {
      onLeave?.(leaving.leave)
      // The owner left the last word to the model.
      hasLastWord = leaving.note !== '' && leaving.say === ''
      return !hasLastWord
    }
    if (!runs.some(({ ending }) => ending?.isLast)) return false
    await heard?.()
    if (!signal.aborted) onLast?.()
    return true
  }
}

const answerTo = ({ id }: ToolCall): Message => ({ role: 'tool', content: '', callId: id })

async function* sentence(text: string): AsyncGenerator<string> {
  yield text
  yield END
}
