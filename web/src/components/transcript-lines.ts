// A transcript as lines with their position in the recording, and the tool calls between them. Pure.
import type { Message, ToolCall, Turn } from '../../../client/paths.ts'

export type Line = {
  kind: 'line'
  id: string
  who: 'caller' | 'agent' | 'system'
  text: string
  at: string
  /** Position in the recording. */
  fromMs: number | null
  toMs: number | null
  isCut: boolean
  /** The response time: how long the caller waited for this reply. */
  waitedMs: number | null
  /** An operator made the agent say it. */
  isOperator?: boolean
}

export type ToolLine = { kind: 'tool'; id: string; at: string; call: ToolLineCall }
export type ToolLineCall = Pick<ToolCall, 'name' | 'status'> & Partial<ToolCall>
/** An event between the lines. */
export type NoteLine = { kind: 'note'; id: string; at: string; text: string; isWarning: boolean }
export type Entry = Line | ToolLine | NoteLine

const who = { user: 'caller', agent: 'agent', system: 'system' } as const

const plainLine = (message: Message): Line => ({
  kind: 'line',
  id: message.id,
  who: who[message.type],
  text: message.content,
  at: message.timestamp,
  fromMs: null,
  toMs: null,
  isCut: false,
  waitedMs: null,
  ...(message.author === 'operator' ? { isOperator: true } : {}),
})

/** A message that was sent but is not stored yet. */
const localLine = (content: string): Line =>
  plainLine({ id: 'written', type: 'user', content, timestamp: new Date().toISOString() })

type Place = Pick<Line, 'fromMs' | 'toMs' | 'isCut' | 'waitedMs'> & { text: string }

/** How many turns to look ahead: some turns have no message, and some messages no turn. */
const AHEAD = 5
const bare = (text: string) => text.replace(/\s+/g, ' ').trim()

/** Matches messages and turns by text: each message takes the position of its turn. */
export function linesOf(messages: readonly Message[], turns: readonly Turn[]): Line[] {
  const left: Record<'user' | 'agent' | 'system', Place[]> = {
    user: turns.flatMap(({ caller, callerFromMs, callerToMs }) =>
      caller === null ? [] : [{ text: caller, fromMs: callerFromMs, toMs: callerToMs, isCut: false, waitedMs: null }],
    ),
    agent: turns.flatMap(({ agent, agentFromMs, agentToMs, isCut, latency }) =>
      agent === null ? [] : [{ text: agent, fromMs: agentFromMs, toMs: agentToMs, isCut, waitedMs: latency.totalMs }],
    ),
    system: [],
  }
  const lines = messages.map((message) => {
    const places = left[message.type]
    const found = places.slice(0, AHEAD).findIndex(({ text }) => bare(text) === bare(message.content))
    if (found === -1) return plainLine(message)
    const [place] = places.splice(0, found + 1).slice(-1)
    const { fromMs = null, toMs = null, isCut = false, waitedMs = null } = place ?? {}
    return { ...plainLine(message), fromMs, toMs, isCut, waitedMs }
  })
  return alignByClock(lines)
}

/** Call time and recording time run in parallel, so one positioned line positions all others. */
function alignByClock(lines: readonly Line[]): Line[] {
  const known = lines.find((line) => line.fromMs !== null)
  if (!known) return [...lines]
  const zero = Date.parse(known.at) - (known.fromMs ?? 0)
  return lines.map((line) =>
    line.fromMs === null ? { ...line, fromMs: Math.max(0, Date.parse(line.at) - zero) } : line,
  )
}

/** Inserts tool calls in order of time. */
export function withTools(lines: readonly Line[], calls: readonly ToolCall[]): Entry[] {
  const tools = calls.map((call): ToolLine => ({ kind: 'tool', id: call.id, at: call.startedAt, call }))
  return [...lines, ...tools].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

/** Speech continues briefly after the detected end. */
const LINGER_MS = 400

/** The id of the line at this position of the recording; the latest one if several overlap. */
export function lineAt(entries: readonly Entry[], ms: number): string | null {
  let current: Line | null = null
  for (const entry of entries) {
    if (entry.kind !== 'line' || entry.fromMs === null || entry.fromMs > ms) continue
    if (entry.toMs !== null && ms > entry.toMs + LINGER_MS) continue
    if (current === null || entry.fromMs >= (current.fromMs ?? 0)) current = entry
  }
  return current?.id ?? null
}

/**
 * Stored messages plus the pending one. An event may deliver the stored message while the reply still streams: nothing
 * may appear twice, even if the user sends the same text again.
 */
export function withPending(
  messages: readonly Message[],
  tools: readonly ToolCall[],
  pending: { text: string; answer: string } | null,
): { entries: Entry[]; answering: string | null } {
  const entries = withTools(linesOf(messages, []), tools)
  if (!pending) return { entries, answering: null }
  const { text, answer } = pending
  const last = messages.findLastIndex(({ type }) => type === 'user')
  const reply = messages.slice(last + 1).find(({ type }) => type === 'agent')
  const isReplyStored = reply?.content.trim() === answer.trim()
  const isStored = messages[last]?.content === text && (!reply || isReplyStored)
  return {
    entries: isStored ? entries : [...entries, localLine(text)],
    answering: isStored && isReplyStored ? null : answer,
  }
}

/**
 * A line being spoken. For the agent, the text from `startsAt` on has been playing since `at`, for about `durationMs`.
 */
export type LiveLine = {
  who: 'caller' | 'agent'
  text: string
  startsAt?: number
  durationMs?: number
  at: number
}

/** The words spoken by now, in whole words; for the caller, the full text. */
export function spokenWords({ text, startsAt = 0, durationMs = 0, at }: Omit<LiveLine, 'who'>, now: number): string {
  const part = durationMs > 0 ? (now - at) / durationMs : 1
  if (part >= 1) return text
  const end = startsAt + Math.max(0, part) * (text.length - startsAt)
  const word = text.indexOf(' ', Math.floor(end))
  return word === -1 ? text : text.slice(0, word)
}
