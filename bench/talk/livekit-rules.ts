// LiveKit Agents' documented default rules, applied to the same callers: VAD with our Silero, no end-of-turn model.
// Computed from the caller's audio alone; recognition, model and synthesis take as long as ours did in this run.

import { advance, initialVadState, VAD_STEP_MS, type VadEvent } from '../../src/voice/listening/vad-segmenter.ts'
import type { Vad } from '../../src/voice/ports.ts'
import type { Spoken } from './caller.ts'
import type { CallerTurn, Dialogue, TalkClass } from './dialogue.ts'
import type { Background } from './line.ts'
import { clip, FRAME, FRAME_MS, gainOf, LINE_HZ, type Utterance } from './utterance.ts'

/** The defaults of its Silero plugin: 50 ms of speech start an utterance, 550 ms of silence end it. */
const vadOptions = { on: 0.5, off: 0.35, startMs: 50, stopMs: 550, prefixMs: 0 }
/** The turn ends this long after the last speech, but not before VAD reports its end. */
const MIN_ENDPOINTING_MS = 500
/** Speech of this length interrupts the agent; a false interruption is resumed after 2 s. */
const INTERRUPTION_MS = 500
const LEAD_MS = 1000
const TAIL_MS = 2500

export type RuleScore = {
  readonly class: TalkClass
  /** Whether the agent would speak within the turn, and whether the turn would be split. Null: nothing to judge. */
  readonly isCutOff: boolean | null
  readonly isDivided: boolean | null
  readonly gapMs: number | null
  readonly falsePauses: number
  readonly overlaps: number
  /** Infinity: the speech is too short to interrupt. */
  readonly bargeInMs: number | null
}
export type StageMs = { readonly recognitionMs: number; readonly modelMs: number; readonly synthesisMs: number }

/** Places speech on the caller's line, with silence before and after it. */
function onLine(
  parts: readonly (Utterance | number)[],
  { loops, levelDb, clipDb }: Background,
  db: number,
): Int16Array {
  const lengths = parts.map((part) => (typeof part === 'number' ? (part * LINE_HZ) / 1000 : part.pcm.length))
  const lead = (LEAD_MS * LINE_HZ) / 1000
  const total = lead + lengths.reduce((sum, length) => sum + length, 0) + (TAIL_MS * LINE_HZ) / 1000
  const line = new Float64Array(Math.ceil(total / FRAME) * FRAME)
  const gain = gainOf(levelDb + clipDb + db)
  let at = lead
  for (const [i, part] of parts.entries()) {
    if (typeof part !== 'number')
      line.set(
        Float64Array.from(part.pcm, (sample) => sample * gain),
        at,
      )
    at += lengths[i] as number
  }
  return Int16Array.from(line, (sample, i) =>
    clip(loops.reduce((sum, loop) => sum + (loop[i % loop.length] as number), sample)),
  )
}

async function activity(vad: Vad, pcm: Int16Array): Promise<VadEvent[]> {
  const stream = vad.open(LINE_HZ)
  const events: VadEvent[] = []
  let state = initialVadState
  for (let at = 0; at < pcm.length; at += FRAME)
    for (const probability of await stream.push(pcm.subarray(at, at + FRAME))) {
      const next = advance(state, probability, vadOptions)
      state = next.state
      if (next.event) events.push(next.event)
    }
  stream.close()
  return events
}

/** Time until the agent would stop, from the first sound of the interruption; Infinity: never. */
function stopsAfter(events: readonly VadEvent[], firstMs: number): number {
  for (const [i, event] of events.entries()) {
    if (event.type !== 'start') continue
    const end = events[i + 1]
    const speechMs = (end?.type === 'end' ? end.toMs : Number.POSITIVE_INFINITY) - event.fromMs
    if (speechMs >= INTERRUPTION_MS) return event.fromMs + INTERRUPTION_MS + VAD_STEP_MS / 2 - firstMs
  }
  return Number.POSITIVE_INFINITY
}

type Scene = { dialogue: Dialogue; spoken: Spoken; background: Background }

export async function applyRules(
  vad: Vad,
  { dialogue, spoken, background }: Scene,
  stages: StageMs,
): Promise<RuleScore[]> {
  const scores: RuleScore[] = []
  for (const turn of dialogue.turns) scores.push(await scoreTurn(vad, { dialogue, spoken, background }, turn, stages)) // biome-ignore format: one line
  return scores
}

async function scoreTurn(vad: Vad, scene: Scene, turn: CallerTurn, stages: StageMs): Promise<RuleScore> {
  const { dialogue, spoken, background } = scene
  const parts = turn.parts.map((part) => (typeof part === 'number' ? part : (spoken.get(part) as Utterance)))
  const events = await activity(vad, onLine(parts, background, 0))
  const [first, last] = [parts[0], parts.at(-1)]
  const lengthMs = parts.reduce<number>((sum, part) => sum + (typeof part === 'number' ? part : (part.pcm.length / FRAME) * FRAME_MS), 0) // biome-ignore format: one line
  const isSpeech = typeof first === 'object' && typeof last === 'object'
  const lastMs = LEAD_MS + lengthMs - (isSpeech ? (last.pcm.length / FRAME) * FRAME_MS - last.lastMs : 0)
  const isJudged = turn.asks !== null && isSpeech && turn.answeredMs === undefined
  const ends = events.filter((event) => event.type === 'end')
  const replyMs = stages.recognitionMs + stages.modelMs + stages.synthesisMs
  const turnEndMs = ({ atMs, toMs }: VadEvent & { type: 'end' }) => Math.max(atMs, toMs + MIN_ENDPOINTING_MS)
  const audibleMs = ends
    .filter((end) => !events.some((event) => event.type === 'start' && event.atMs > end.atMs && event.atMs < turnEndMs(end) + replyMs)) // biome-ignore format: one line
    .map((end) => turnEndMs(end) + replyMs)
  const answeredMs = audibleMs.find((ms) => ms >= lastMs)
  let [falsePauses, overlaps] = [0, 0]
  for (const overlap of turn.overlaps ?? []) {
    const sound = spoken.get(overlap.say ?? overlap.sound ?? '') as Utterance
    const heard = await activity(vad, onLine([sound], background, overlap.db ?? 0))
    overlaps++
    if (stopsAfter(heard, LEAD_MS) < Number.POSITIVE_INFINITY) falsePauses++
  }
  return {
    class: dialogue.class,
    isCutOff: isJudged ? audibleMs.some((ms) => ms < lastMs) : null,
    isDivided: isJudged ? ends.some((end) => turnEndMs(end) < lastMs) : null,
    gapMs: isJudged && answeredMs !== undefined ? answeredMs - lastMs : null,
    falsePauses,
    overlaps,
    bargeInMs: turn.intoMs === undefined || !isSpeech ? null : stopsAfter(events, LEAD_MS + first.firstMs),
  }
}
