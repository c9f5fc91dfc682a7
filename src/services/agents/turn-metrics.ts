// Gathers what a conversation tells into the turns that are kept with the call: what was said, when, and how long each stage took.
import type { Turn } from '../../api/calls/schema.ts'
import { now, nowMs, toIso } from '../../base/clock.ts'
import type { TurnTimes } from '../../voice/agent-turns.ts'
import type { When } from '../../voice/history.ts'
import type { Clock } from '../../voice/ports.ts'
import type { SessionEvent } from '../../voice/session.ts'

const MAX_TURNS = 1000

/** When something was said, by the clock on the wall. */
export type WallTime = (when: When | null) => string

/** Where there is a recording all times keep their distances in it, whatever happens to the machine's clock meanwhile. */
export function wallTime(clock: Clock): WallTime {
  let recordedFrom: number | null = null
  return (when) => {
    if (!when) return now()
    const at = nowMs() - (clock.now() - when.at)
    if (!when.recorded) return toIso(at)
    recordedFrom ??= at - when.recorded.fromMs
    return toIso(recordedFrom + when.recorded.fromMs)
  }
}

export function turnMetrics(wall: WallTime = () => now()) {
  const turns: Turn[] = []
  let open: Turn | undefined

  function begin(caller: string | null, when: When | null): Turn {
    const turn: Turn = {
      number: turns.length + 1,
      at: wall(when),
      caller,
      agent: null,
      isCut: false,
      callerFromMs: null,
      callerToMs: null,
      agentFromMs: null,
      agentToMs: null,
      latency: { ...noLatency },
    }
    if (turns.length < MAX_TURNS) turns.push(turn)
    return turn
  }

  return {
    turns,
    add(event: SessionEvent): void {
      if (event.type === 'said' && event.who === 'caller') {
        open = begin(event.text, event.when)
        open.callerFromMs = whole(event.when?.recorded?.fromMs)
        open.callerToMs = whole(event.when?.recorded?.toMs)
      } else if (event.type === 'said') {
        const turn = open && open.agent === null ? open : begin(null, event.when)
        turn.agent = event.text
        turn.isCut = event.isCut
        turn.agentFromMs = whole(event.when?.recorded?.fromMs)
        turn.agentToMs = whole(event.when?.recorded?.toMs)
        open = turn
      } else if (event.type === 'turn' && open) open.latency = latencyOf(event)
    },
  }
}

const whole = (ms: number | undefined): number | null => (ms === undefined ? null : Math.round(ms))

export const noLatency: Turn['latency'] = {
  vadMs: null,
  recognitionMs: null,
  endOfTurnMs: null,
  modelMs: null,
  toolMs: null,
  synthesisMs: null,
  pacingMs: null,
  totalMs: null,
}

/** Each stage ends where the next begins, so that they add up to the whole. */
function latencyOf({ toolMs, ...times }: TurnTimes): Turn['latency'] {
  let atMs = times.voiceEndedAt
  const until = (ms: number) => {
    const spanMs = Math.max(0, ms - atMs)
    atMs += spanMs
    return spanMs
  }
  const vadMs = until(times.voiceOffAt)
  const recognitionMs = until(times.recognisedAt)
  // Recognition runs within the pause: what is left of the pause is the wait for the end of the turn.
  const endOfTurnMs = until(times.repliedAt)
  const thinkingMs = until(times.wordAt)
  const makingMs = until(times.soundAt)
  const pacingMs = until(times.sentAt)
  // A voice that begins with silence makes one wait as one that is slow.
  const synthesisMs = makingMs + until(times.heardAt)
  const stages = { vadMs, recognitionMs, endOfTurnMs, modelMs: Math.max(0, thinkingMs - toolMs), toolMs }
  const all = { ...stages, synthesisMs, pacingMs, totalMs: atMs - times.voiceEndedAt }
  return Object.fromEntries(Object.entries(all).map(([name, ms]) => [name, Math.round(ms)])) as typeof all
}
