// The state of a web call as a reducer of server events. Pure.
import type { Turn } from '../../../../client/paths.ts'
import { type Entry, type Line, type LiveLine, spokenWords, type ToolLine } from '../../components/transcript-lines.ts'

export type CallEvent =
  | { type: 'started'; callId: string; conversationId: string }
  | { type: 'said'; who: 'agent' | 'caller'; text: string; at: string }
  | { type: 'speaking'; who: 'agent' | 'caller'; text: string; startsAt?: number; durationMs?: number }
  | { type: 'clear' }
  | { type: 'turn'; turn: Turn }
  | { type: 'tool'; name: string; status: 'running' | 'done' | 'failed' }
  | { type: 'ended'; endReason: string }

export type Phase = 'idle' | 'connecting' | 'talking' | 'ended' | 'failed'

export type TalkState = {
  phase: Phase
  callId: string | null
  conversationId: string | null
  startedAt: number | null
  endedAt: number | null
  entries: readonly Entry[]
  /** Lines being spoken, in the order they started. */
  live: readonly LiveLine[]
  turns: readonly Turn[]
  endReason: string | null
  problem: string | null
}

export const initialTalk: TalkState = {
  phase: 'idle',
  callId: null,
  conversationId: null,
  startedAt: null,
  endedAt: null,
  entries: [],
  live: [],
  turns: [],
  endReason: null,
  problem: null,
}

export type TalkAction =
  | { do: 'call' }
  | { do: 'hear'; event: CallEvent; now: number }
  | { do: 'leave'; now: number }
  | { do: 'fail'; problem: string; now: number }

export function talkReducer(state: TalkState, action: TalkAction): TalkState {
  if (action.do === 'call') return { ...initialTalk, phase: 'connecting' }
  if (action.do === 'hear') return applyEvent(state, action.event, action.now)
  const isOver = state.phase === 'ended' || state.phase === 'failed'
  if (isOver) return state
  if (action.do === 'leave')
    return { ...over(state, action.now), endReason: state.phase === 'talking' ? 'caller_hangup' : null }
  return { ...over(state, action.now), phase: 'failed', problem: action.problem }
}

const over = (state: TalkState, now: number): TalkState => ({
  ...state,
  phase: 'ended',
  live: [],
  endedAt: state.endedAt ?? now,
})

function applyEvent(state: TalkState, event: CallEvent, now: number): TalkState {
  switch (event.type) {
    case 'started': {
      const { callId, conversationId } = event
      return { ...state, phase: 'talking', callId, conversationId, startedAt: now }
    }
    case 'said': {
      const live = state.live.filter(({ who }) => who !== event.who)
      return { ...state, live, entries: [...state.entries, lineOf(event, state, now)] }
    }
    case 'speaking':
      return { ...state, live: withSpeech(state.live, event, now) }
    case 'clear':
      // Barge-in: playout of the sentence has stopped for now, so keep only the words spoken so far.
      return { ...state, live: state.live.map((line) => ({ ...line, text: spokenWords(line, now), durationMs: 0 })) }
    case 'tool':
      return { ...state, entries: withTool(state.entries, event, now) }
    case 'turn':
      return { ...state, turns: withTurn(state.turns, event.turn), entries: withTurnTimes(state.entries, event.turn) }
    case 'ended':
      // The failure is already shown; add its reason.
      return state.phase === 'failed' ? state : { ...over(state, now), endReason: event.endReason }
    default:
      return state // ignore event types of newer servers
  }
}

type Said = Extract<CallEvent, { type: 'said' }>

const lineOf = ({ who, text, at }: Said, { entries, startedAt }: TalkState, now: number): Line => ({
  kind: 'line',
  id: `said ${entries.length}`,
  who,
  text,
  at,
  // An estimate, until the turn reports the position in the recording.
  fromMs: Math.max(0, now - (startedAt ?? now)),
  toMs: null,
  isCut: false,
  waitedMs: null,
})

/** An empty text retracts the line. */
function withSpeech(
  live: readonly LiveLine[],
  { type: _, ...speech }: Extract<CallEvent, { type: 'speaking' }>,
  now: number,
): readonly LiveLine[] {
  if (speech.text === '') return live.filter(({ who }) => who !== speech.who)
  const at = live.findIndex(({ who }) => who === speech.who)
  const line = { ...speech, at: now }
  return at === -1 ? [...live, line] : live.with(at, line)
}

/** Replaces a turn with the same number. */
function withTurn(turns: readonly Turn[], turn: Turn): Turn[] {
  const at = turns.findIndex(({ number }) => number === turn.number)
  return at === -1 ? [...turns, turn] : turns.with(at, turn)
}

/** Adds recording positions to the lines of this turn, and the response time to the agent's line. */
function withTurnTimes(entries: readonly Entry[], turn: Turn): readonly Entry[] {
  const { caller, callerFromMs, agent, agentFromMs, isCut, latency } = turn
  const heard = withLine(entries, 'caller', caller, (line) => ({ ...line, fromMs: callerFromMs ?? line.fromMs }))
  return withLine(heard, 'agent', agent, (line) => ({
    ...line,
    fromMs: agentFromMs ?? line.fromMs,
    isCut,
    waitedMs: latency.totalMs,
  }))
}

/** Changes the last line with this text. */
function withLine(entries: readonly Entry[], who: Line['who'], text: string | null, change: (line: Line) => Line) {
  const at = entries.findLastIndex((entry) => entry.kind === 'line' && entry.who === who && entry.text === text)
  const line = entries[at]
  return line?.kind === 'line' ? entries.with(at, change(line)) : entries
}

/** Completes the oldest running call of this tool. */
function withTool(
  entries: readonly Entry[],
  { name, status }: Extract<CallEvent, { type: 'tool' }>,
  now: number,
): readonly Entry[] {
  const runs = (entry: Entry) => entry.kind === 'tool' && entry.call.name === name && entry.call.status === 'running'
  const at = status === 'running' ? -1 : entries.findIndex(runs)
  const tool: ToolLine = {
    kind: 'tool',
    id: entries[at]?.id ?? `tool ${entries.length}`,
    at: entries[at]?.at ?? new Date(now).toISOString(),
    call: { name, status },
  }
  return at === -1 ? [...entries, tool] : entries.with(at, tool)
}
