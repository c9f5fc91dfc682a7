// Turns session events into the turns stored with the call: what was said, when, and the latency of each stage.
import { now, nowMs, toIso } from '../../base/time/clock.ts'
import type { ChainEvent } from '../../failover/ports.ts'
import type { TurnTimestamps } from '../../voice/agent-turn-types.ts'
import type { SpeechTiming } from '../../voice/history.ts'
import type { Clock } from '../../voice/ports.ts'
import type { SessionEvent } from '../../voice/session.ts'
import type { Turn } from '../calls/schema.ts'

const MAX_TURNS = 1000

/** Wall-clock time of speech, as ISO 8601. */
export type WallTime = (timing: SpeechTiming | null) => string

/** With a recording, times keep their distance within it, even if the system clock is adjusted meanwhile. */
export function wallTime(clock: Clock): WallTime {
  let recordedFrom: number | null = null
  return (timing) => {
    if (!timing) return now()
    const at = nowMs() - (clock.now() - timing.startedAt)
    if (!timing.recorded) return toIso(at)
    recordedFrom ??= at - timing.recorded.fromMs
    return toIso(recordedFrom + timing.recorded.fromMs)
  }
}

type TurnProviders = NonNullable<Turn['providers']>
type MeasuredTurn = Turn & { providers: TurnProviders }
type ServedEvent = Extract<ChainEvent, { type: 'served' }>

export function turnMetrics(wallTime: WallTime = () => now()) {
  const turns: MeasuredTurn[] = []
  /** Providers that served requests not yet assigned to a turn. */
  let serving: TurnProviders = { ...nobody }
  let open: MeasuredTurn | undefined

  function begin(caller: string | null, timing: SpeechTiming | null): MeasuredTurn {
    const turn: MeasuredTurn = {
      number: turns.length + 1,
      at: wallTime(timing),
      caller,
      agent: null,
      isCut: false,
      callerFromMs: null,
      callerToMs: null,
      agentFromMs: null,
      agentToMs: null,
      latency: { ...noLatency },
      providers: { ...nobody },
    }
    if (turns.length < MAX_TURNS) turns.push(turn)
    return turn
  }

  return {
    turns,
    served({ kind, providerId: id, name, model }: ServedEvent): void {
      serving[kind] = { id, name, model }
    },
    add(event: SessionEvent): void {
      if (event.type === 'utterance' && event.who === 'caller') {
        open = begin(event.text, event.timing)
        open.callerFromMs = whole(event.timing?.recorded?.fromMs)
        open.callerToMs = whole(event.timing?.recorded?.toMs)
        open.providers.stt = serving.stt
        serving.stt = null
      } else if (event.type === 'utterance') {
        const turn = open && open.agent === null ? open : begin(null, event.timing)
        turn.agent = event.text
        turn.isCut = event.isCut
        turn.agentFromMs = whole(event.timing?.recorded?.fromMs)
        turn.agentToMs = whole(event.timing?.recorded?.toMs)
        turn.providers = { ...serving, stt: turn.providers.stt }
        serving = { ...nobody, stt: serving.stt }
        open = turn
      } else if (event.type === 'turn' && open) open.latency = latencyOf(event)
    },
  }
}

const whole = (ms: number | undefined): number | null => (ms === undefined ? null : Math.round(ms))

const nobody: TurnProviders = { stt: null, llm: null, tts: null }

const noLatency: Turn['latency'] = {
  vadMs: null,
  recognitionMs: null,
  endOfTurnMs: null,
  modelMs: null,
  toolMs: null,
  synthesisMs: null,
  pacingMs: null,
  totalMs: null,
}

/** Each stage ends where the next one begins, so that the stages add up to the total. */
function latencyOf({ toolMs, ...times }: TurnTimestamps): Turn['latency'] {
  let atMs = times.speechEndedAt
  const until = (ms: number) => {
    const spanMs = Math.max(0, ms - atMs)
    atMs += spanMs
    return spanMs
  }
  const vadMs = until(times.speechEndKnownAt)
  const recognitionMs = until(times.recognizedAt)
  // Recognition runs during the pause; the rest of the pause is endpointing.
  const endOfTurnMs = until(times.repliedAt)
  const generationMs = until(times.firstWordAt)
  const synthesisStartMs = until(times.synthesizedAt)
  const pacingMs = until(times.sentAt)
  // Silence at the start of synthesized speech counts as synthesis.
  const synthesisMs = synthesisStartMs + until(times.heardAt)
  const stages = { vadMs, recognitionMs, endOfTurnMs, modelMs: Math.max(0, generationMs - toolMs), toolMs }
  const all = { ...stages, synthesisMs, pacingMs, totalMs: atMs - times.speechEndedAt }
  return Object.fromEntries(Object.entries(all).map(([name, ms]) => [name, Math.round(ms)])) as typeof all
}
