// One reply: streams the model's words, runs its tool calls and says the messages about them.
import { phraseFor } from './phrases.ts'
import type { Llm, Message, ReplyOptions, SessionEndReason, ToolCall, ToolMessage } from './ports.ts'
import type { ToolCalls, ToolRun } from './tool-calls.ts'
import { callKey } from './tool-run.ts'

const MAX_STEPS = 5
/** A model that calls a tool although it may not is told so and asked again; the last time without tools, since it ignores `tool_choice`. */
const MAX_REFUSALS = 2
const NO_MORE_CALLS = 'Not executed: no more tool calls in this turn. Answer the caller now, in words.'
/** Read-only tools of one step that run in parallel. */
const MAX_CONCURRENT = 4
/** Tools that are typically faster are not announced. */
const QUICK_MS = 700
/** How long a reply waits for tools of earlier turns, to include their results. */
export const WAIT_MS = 3000

export type ReplyParts = {
  llm: Llm
  toolCalls: ToolCalls
  history: () => readonly Message[]
  options: ReplyOptions
  /** Receives the tool calls of this reply, for the next turn's history. */
  toolMessages: Message[]
  /** How long to wait for tools of earlier turns. */
  waitMs?: number
  /** Resolves when everything said so far was played. */
  drained?: () => Promise<void>
  /** The reply waits for a tool, at most this long; null: no longer. */
  onToolWait?: (timeoutMs: number | null) => void
  /** Hang up with this reason once everything said was played. */
  onHangup?: (reason: SessionEndReason) => void
  onTransferred?: () => void
}

/** Separates what is said before a tool call from what follows it. */
const SENTENCE_END = '\n'

type Reply = ReplyParts & {
  signal: AbortSignal
  before: readonly Message[]
  /** As `toolMessages`, with the words in between; the history stores those words as they were heard. */
  steps: Message[]
  /** What the caller was already told about each call. */
  saidAbout: Map<string, string>
  /** A tool has ended the call, and the model says the goodbye. */
  hasLastWord: boolean
}

export async function* replyWords(parts: ReplyParts, signal: AbortSignal): AsyncGenerator<string> {
  const { toolCalls, waitMs = 0, onToolWait, options } = parts
  if (waitMs > 0 && toolCalls.areRunning) {
    onToolWait?.(waitMs)
    await toolCalls.waitForAll(waitMs, signal)
    if (signal.aborted) return
    onToolWait?.(null)
  }
  const reply: Reply = {
    ...parts,
    signal,
    before: parts.history(),
    steps: [],
    saidAbout: new Map(),
    hasLastWord: false,
  }
  for (let steps = 0, refusals = 0; refusals <= MAX_REFUSALS; steps++) {
    const late = toolCalls.takeLate()
    for (const run of late) yield* sayOutcome(reply, run)
    if (await isFinished(reply, late)) return
    // In its last step the model has to speak.
    const mayCallTools = !reply.hasLastWord && steps < MAX_STEPS - 1
    const { said, calls } = yield* modelStep(reply, mayCallTools, refusals < MAX_REFUSALS)
    if (signal.aborted || calls.length === 0) return
    if (mayCallTools) {
      if (said !== '') yield SENTENCE_END
      const runs = yield* runCalls(reply, calls, said)
      if (!runs || (await isFinished(reply, runs))) return
      continue
    }
    for (const call of calls) toolCalls.refuse(call, NO_MORE_CALLS)
    if (said !== '' || reply.hasLastWord) return
    refusals++
    reply.steps.push({ role: 'agent', content: '', calls }, ...calls.map(resultMessage))
  }
  yield phraseFor(options.language, 'apology')
}

type ModelStep = { said: string; calls: ToolCall[] }

async function* modelStep(
  reply: Reply,
  mayCallTools: boolean,
  offersTools: boolean,
): AsyncGenerator<string, ModelStep> {
  const { llm, toolCalls, before, steps, saidAbout, signal } = reply
  const options = mayCallTools ? reply.options : { ...reply.options, mayCallTools }
  const prompt = toolCalls.withResults([...before, ...steps], saidAbout)
  const calls: ToolCall[] = []
  let said = ''
  for await (const part of llm.reply(prompt, offersTools ? toolCalls.tools : [], options, signal)) {
    if (signal.aborted) return { said, calls: [] }
    if ('say' in part) {
      said += part.say
      if (part.say !== '') yield part.say
      if (part.endsCall && !signal.aborted) reply.onHangup?.(part.endsCall)
    } else calls.push(toolCalls.withUniqueId(part.call))
  }
  return { said: said.trim(), calls }
}

/** Undefined if the reply was canceled; tools that were started continue. */
async function* runCalls(
  reply: Reply,
  calls: readonly ToolCall[],
  said: string,
): AsyncGenerator<string, ToolRun[] | undefined> {
  const { toolCalls, toolMessages, steps, signal } = reply
  const results = calls.map(resultMessage)
  toolMessages.push({ role: 'agent', content: '', calls }, ...results)
  const runs: ToolRun[] = []
  const announced: string[] = []
  const started = new Map<ToolCall, ToolRun>()
  for (const [i, call] of calls.entries()) {
    if (toolCalls.joinSameCall(runs, call)) continue
    startTogether(reply, calls.slice(i), started)
    const run = yield* runCall(reply, call, { hasSpoken: said !== '', announced, started: started.get(call) })
    if (!run) {
      // Their results are reported later.
      for (const each of started.values()) await toolCalls.wait(each, signal)
      return undefined
    }
    runs.push(run)
    yield* sayOutcome(reply, run)
  }
  steps.push({ role: 'agent', content: [said, ...announced].join(' ').trim(), calls }, ...results)
  return runs
}

/** Starts these calls in order, up to the first that must wait. */
function startTogether(reply: Reply, calls: readonly ToolCall[], started: Map<ToolCall, ToolRun>): void {
  const { toolCalls } = reply
  for (const call of calls) {
    const tool = toolCalls.tools.find(({ name }) => name === call.name)
    const running = [...started.values()].filter(({ outcome }) => !outcome).length
    if (!tool?.isConcurrent || announcementOf(reply, call)?.isBlocking || running >= MAX_CONCURRENT) return
    if ([...started.keys()].some((each) => callKey(each) === callKey(call))) continue
    started.set(call, startCall(reply, call))
  }
}

const startCall = ({ toolCalls, before, steps, signal }: Reply, call: ToolCall): ToolRun =>
  toolCalls.start(call, toolCalls.withResults([...before, ...steps]), signal)

type CallContext = {
  /** The model has said something before its calls. */
  hasSpoken: boolean
  announced: string[]
  started: ToolRun | undefined
}

/** Undefined if the reply was canceled. */
async function* runCall(
  reply: Reply,
  call: ToolCall,
  { hasSpoken, announced, started }: CallContext,
): AsyncGenerator<string, ToolRun | undefined> {
  const { toolCalls, drained, onToolWait, signal } = reply
  const isPastStart = started?.outcome || (!started && toolCalls.isRunning(call))
  const announcement = isPastStart ? null : announcementOf(reply, call)
  const announces = announcement !== null && !hasSpoken && !announced.includes(announcement.text)
  if (announces) announced.push(announcement.text)
  if (announcement?.isBlocking) {
    if (announces) yield* sentence(announcement.text)
    await drained?.()
    if (signal.aborted) return undefined
  }
  const run = started ?? startCall(reply, call)
  onToolWait?.(run.timeoutMs)
  if (announces && !announcement.isBlocking) yield* sentence(announcement.text)
  await toolCalls.wait(run, signal)
  if (signal.aborted) return undefined
  onToolWait?.(null)
  return run
}

/** What is said when the tool starts; null if it is quick or has no message. */
function announcementOf({ toolCalls }: Reply, call: ToolCall): ToolMessage | null {
  const tool = toolCalls.tools.find(({ name }) => name === call.name)
  const start = tool?.messages?.start(call.args) ?? null
  if (start?.role !== 'assistant' || start.text.trim() === '') return null
  const typicalMs = tool?.typicalMs?.() ?? null
  return start.isBlocking || typicalMs === null || typicalMs > QUICK_MS ? start : null
}

async function* sayOutcome({ saidAbout }: Reply, { outcome, callIds }: ToolRun): AsyncGenerator<string> {
  if (!outcome?.say) return
  for (const id of callIds) saidAbout.set(id, outcome.say)
  yield* sentence(outcome.say)
}

/** Whether these tools end the reply. */
async function isFinished(reply: Reply, runs: readonly ToolRun[]): Promise<boolean> {
  const { signal, onHangup, drained, onTransferred } = reply
  if (signal.aborted) return true
  const ending = runs.find(({ outcome }) => outcome?.hangupReason)?.outcome
  if (ending?.hangupReason) {
    onHangup?.(ending.hangupReason)
    reply.hasLastWord = ending.note !== '' && ending.say === ''
    return !reply.hasLastWord
  }
  if (!runs.some(({ outcome }) => outcome?.isTransferred)) return false
  await drained?.()
  if (!signal.aborted) onTransferred?.()
  return true
}

const resultMessage = ({ id }: ToolCall): Message => ({ role: 'tool', content: '', callId: id })

async function* sentence(text: string): AsyncGenerator<string> {
  yield text
  yield SENTENCE_END
}
