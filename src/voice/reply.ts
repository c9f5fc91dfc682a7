// One reply: the model's words as they come, with the tools it asks for used in between, and what is said about these.
import type { Llm, Message, ReplyOptions, SessionEndReason, ToolCall } from './ports.ts'
import type { ToolRun, ToolsAtWork } from './tools-at-work.ts'

const MAX_STEPS = 5
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
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const late = work.takeLate()
    for (const run of late) yield* saidAtEnd(run)
    if (await isOver(late)) return
    // In its last step it has to speak.
    const offered = hasLastWord || steps === MAX_STEPS - 1 ? [] : work.offered
    const calls: ToolCall[] = []
    let said = ''
    for await (const part of llm.reply(work.answered([...before, ...known], saidOf), offered, options, signal)) {
      if (signal.aborted) return
      if ('say' in part) {
        said += part.say
        yield part.say
      } else calls.push(work.named(part.call))
    }
    if (signal.aborted || calls.length === 0 || offered.length === 0) return
    said = said.trim()
    if (said !== '') yield END
    const answers = calls.map(({ id }): Message => ({ role: 'tool', content: '', callId: id }))
    added.push({ role: 'agent', content: '', calls }, ...answers)
    const runs: ToolRun[] = []
    const announced: string[] = []
    for (const call of calls) {
      if (work.answeredBy(runs, call)) continue
      const run = yield* used(call, said !== '', announced)
      if (!run) return
      runs.push(run)
      yield* saidAtEnd(run)
    }
    known.push({ role: 'agent', content: [said, ...announced].join(' ').trim(), calls }, ...answers)
    if (await isOver(runs)) return
  }

  /** Undefined: nobody wants this reply any more. A tool that was begun goes on. */
  async function* used(
    call: ToolCall,
    hasSpoken: boolean,
    announced: string[],
  ): AsyncGenerator<string, ToolRun | undefined> {
    const start = work.isWorking(call) ? null : startOf(call)
    const announces = start !== null && !hasSpoken && !announced.includes(start.text)
    if (start && announces) announced.push(start.text)
    if (start?.isBlocking) {
      if (announces) yield* sentence(start.text)
      await heard?.()
      if (signal.aborted) return undefined
    }
    const run = work.begin(call, work.answered([...before, ...known]), signal)
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

async function* sentence(text: string): AsyncGenerator<string> {
  yield text
  yield END
}
