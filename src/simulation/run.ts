// Runs one rehearsal: a scripted caller, a real session and a virtual clock; returns the outcome.
import type { ChainEvent } from '../failover/ports.ts'
import type { Llm, SentenceVoice, Stt, TurnModel, Vad } from '../voice/ports.ts'
import { runSession, type SessionEvent, type SessionOptions, type SessionParts } from '../voice/session.ts'
import { type CallerActivity, followScript } from './caller.ts'
import { realAudio, scriptedAudio } from './caller-audio.ts'
import { clockedLlm, clockedSay, clockedStt, clockedTurnModel, clockedVad } from './clocked-engines.ts'
import { createOutages, type Outages } from './outages.ts'
import type { RehearsedTurn, SimulatedChainEvent, SimulatedToolCall, SimulationOutcome, SpokenLine } from './outcome.ts'
import type { Script, Timing } from './script.ts'
import { type ScriptedUtterance, scriptedStt, scriptedVad } from './scripted-stt.ts'
import { type OfferedTool, scriptedTools } from './scripted-tools.ts'
import { type ScriptedTransport, scriptedTransport } from './scripted-transport.ts'
import { scriptedVoice } from './scripted-tts.ts'
import { VirtualClock } from './virtual-clock.ts'

/** The real engines of an audio rehearsal. Without a TTS engine, the agent's voice is scripted. */
export type RealSpeech = { vad: Vad; stt: Stt; turnModel?: TurnModel; say?: SessionParts['say'] }

export type RehearsalParts<T extends RehearsedTurn> = {
  llm: Llm
  sentences: SessionParts['sentences']
  tools: readonly OfferedTool[]
  options: SessionOptions
  /** Collects turns from session events, as for a call. */
  metrics: { add(event: SessionEvent): void; turns: readonly T[] }
  speech?: RealSpeech
  /** Set if outages are rehearsed: the agent's chains, which replace `llm` and the other engines. */
  chains?: (scene: ChainScene) => ChainedEngines
  /** Called once, with a function that returns what has happened so far. */
  watch?: (soFar: () => SimulationOutcome<T>) => void
}

export type ChainScene = {
  clock: VirtualClock
  outages: Outages
  timing: Timing
  /** The scripted engines. */
  stt: Stt
  say: SessionParts['say']
  onEvent: (event: ChainEvent) => void
}
export type ChainedEngines = SentenceVoice & { llm: Llm; stt: Stt; close(): void }

export const MAX_CALL_MS = 15 * 60_000
const DEFAULT_RECOGNITION_MS = 200

/** The signal ends it early: the caller hangs up. */
export async function runRehearsal<T extends RehearsedTurn>(
  script: Script,
  parts: RehearsalParts<T>,
  signal: AbortSignal,
): Promise<SimulationOutcome<T>> {
  const { options, metrics, speech } = parts
  const clock = new VirtualClock()
  const utterances: ScriptedUtterance[] = []
  const audio = speech ? realAudio(script.noiseDb ?? null) : scriptedAudio(clock, utterances)
  const line = scriptedTransport(clock, audio.nextFrame)
  const hangUp = () => line.leave()
  signal.addEventListener('abort', hangUp, { once: true })
  if (signal.aborted) hangUp()

  const toolCalls: SimulatedToolCall[] = []
  const chainEvents: SimulatedChainEvent[] = []
  const outages = createOutages()
  const simulation: Simulation = { clock, utterances, line, toolCalls, outages, onChainEvent }
  function onChainEvent(event: ChainEvent): void {
    if (event.type === 'served') return
    const { type, kind, to } = event
    const reason = event.type === 'degraded' ? event.reason : null
    chainEvents.push({ atMs: Math.round(clock.now()), type, kind, provider: to.name, reason })
  }
  const activities: CallerActivity[] = []
  const transcript = transcriptOf(line.played, activities, () => clock.now())
  const turnsAtMs: number[] = []
  let isListening = true
  let stepsPlayed = 0
  let end: { endReason: string; atMs: number } | undefined
  let failure: unknown
  const { close, ...made } = engines(script, parts, simulation)
  const session: SessionParts = {
    ...made,
    onEvent(event) {
      if (event.type === 'state') isListening = event.state === 'listening'
      if (event.type === 'utterance') transcript.add(event)
      metrics.add(event)
      while (turnsAtMs.length < metrics.turns.length) turnsAtMs.push(clock.now())
    },
  }
  runSession(session, options, line.signal)
    .then(({ endReason }) => {
      end = { endReason, atMs: clock.now() }
      line.leave()
    })
    .catch((error) => {
      failure = error ?? new Error('the session failed')
    })
  const scene = { clock, line, audio, outages, isListening: () => isListening, agentOpens: options.opening !== null }
  void followScript(script.steps, scene, { activities, onStep: () => stepsPlayed++ })

  const outcome = (endReason: string, durationMs: number): SimulationOutcome<T> => ({
    transcript: transcript.lines,
    toolCalls,
    turns: [...metrics.turns],
    turnsAtMs,
    endReason,
    durationMs,
    stepsPlayed,
    chainEvents,
  })
  parts.watch?.(() => outcome('', Math.round(clock.now())))
  const isOver = () => end !== undefined || failure !== undefined
  if (!(await clock.passUntil(isOver, MAX_CALL_MS))) {
    line.leave()
    await clock.passUntil(isOver, MAX_CALL_MS + 10_000)
  }
  signal.removeEventListener('abort', hangUp)
  close()
  if (failure !== undefined) throw failure
  if (!end) throw new Error('the session did not end')
  const { endReason, atMs } = end as { endReason: string; atMs: number }
  return outcome(atMs >= MAX_CALL_MS ? 'rehearsal_limit' : endReason, Math.round(atMs))
}

type Simulation = {
  clock: VirtualClock
  utterances: ScriptedUtterance[]
  line: ScriptedTransport
  toolCalls: SimulatedToolCall[]
  outages: Outages
  onChainEvent: (event: ChainEvent) => void
}

/** Scripted engines, or real ones on the virtual clock. */
function engines<T extends RehearsedTurn>(
  script: Script,
  { llm, sentences, tools, speech, chains }: RehearsalParts<T>,
  simulation: Simulation,
): Omit<SessionParts, 'onEvent'> & { close(): void } {
  const { clock, utterances, line, toolCalls, outages, onChainEvent } = simulation
  const timing = script.timing ?? {}
  const { recognitionMs, modelMs, synthesisMs } = timing
  const stt = scriptedStt(clock, utterances, () => recognitionMs ?? DEFAULT_RECOGNITION_MS)
  const say = scriptedVoice(clock, { firstMs: synthesisMs ?? 0 })
  const chained = chains?.({ clock, outages, timing, stt, say, onEvent: onChainEvent })
  return {
    transport: line.transport,
    vad: speech ? clockedVad(speech.vad, clock) : scriptedVad,
    ...(speech?.turnModel ? { turnModel: clockedTurnModel(speech.turnModel, clock) } : {}),
    ...(chained ?? {
      stt: speech ? clockedStt(speech.stt, clock, recognitionMs ?? undefined) : stt,
      // A rule agent is not charged, so that its rehearsals are deterministic.
      llm: clockedLlm(llm, clock, modelMs ?? (llm.isModel ? undefined : 0)),
      say: speech?.say ? clockedSay(speech.say, clock, synthesisMs ?? undefined) : say,
    }),
    sentences,
    tools: scriptedTools(tools, script.tools ?? {}, { clock, calls: toolCalls }),
    clock,
    close: () => chained?.close(),
  }
}

/** Longer gaps separate utterances. */
const MAX_GAP_MS = 3000

type PlayedSpan = { from: number; to: number }

/** Takes the agent's times from the transport, the caller's from the script. */
function transcriptOf(played: readonly PlayedSpan[], activities: readonly CallerActivity[], now: () => number) {
  const lines: SpokenLine[] = []
  const used = { agent: 0, caller: 0 }
  return {
    lines,
    add({ who, text, isCut }: Pick<SpokenLine, 'who' | 'text' | 'isCut'>): void {
      const all = who === 'agent' ? played.map(({ from, to }) => ({ fromMs: from, toMs: to })) : activities
      const spans = all.slice(used[who]).filter(({ fromMs }) => fromMs <= now())
      used[who] += spans.length
      const first = spans.findLastIndex(({ fromMs }, i) => fromMs - (spans[i - 1]?.toMs ?? -Infinity) > MAX_GAP_MS)
      const fromMs = Math.round(spans[first]?.fromMs ?? now())
      const toMs = Math.round(Math.min(now(), spans.at(-1)?.toMs ?? now()))
      lines.push({ who, text, fromMs, toMs, isCut })
    },
  }
}
