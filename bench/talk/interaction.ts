// The scores that tau-voice and EVA publish, from packet times alone: who spoke when, and nothing else.
import { firstAfter, isHeardAt, pausesOf, type Stretch, stretchesOf } from './agent-speech.ts'
import type { SpokenOverlap, SpokenTurn } from './caller.ts'
import { wordsOf } from './dialogue.ts'
import { FRAME_MS } from './utterance.ts'

/** The agent has stopped once it is silent for this long: its own sentences have shorter pauses. */
export const STOPPED_MS = 350
/** If both start within this time, the agent interrupted nobody. */
const TOGETHER_MS = 200
/** An agent that speaks on for longer did not yield. */
const NO_YIELD_MS = 2000
/** An agent that falls silent this soon after a sound that is no turn has yielded to it … */
const YIELDS_TO_MS = 1000
/** … and one that speaks this soon after the end of such a sound has answered it. */
const ANSWERS_MS = 2000

/** What a caller utters without taking the floor. Keys and doors are no utterances. */
export type Aside = 'backchannel' | 'tic' | 'side-talk'
export const asides: readonly Aside[] = ['backchannel', 'tic', 'side-talk']

export type Interaction = {
  /** After each turn that left the agent silent; null: the caller had to speak again. */
  readonly responsesMs: readonly (number | null)[]
  /** After each interruption of the agent; Infinity: it did not yield. */
  readonly yieldsMs: readonly number[]
  /** How often the agent began to speak within a turn of the caller. */
  readonly intrusions: number
  readonly ignored: readonly { readonly kind: Aside; readonly isRight: boolean }[]
  /** EVA's turn-taking score of each turn, 0 to 1. */
  readonly turnTaking: readonly number[]
}

/** One side's sounds and the other's script. */
export type Timeline = {
  readonly turns: readonly SpokenTurn[]
  /** When the agent was audible, one entry per frame. */
  readonly audible: readonly number[]
  readonly endedAtMs: number
  /** The longest pause of the undisturbed reply to a turn. */
  readonly naturalPauseMs: (turn: SpokenTurn) => number
  /** The caller does not wait for the agent at all, so nobody has the floor. */
  readonly isEndless: boolean
}

export function interactionOf(timeline: Timeline): Interaction {
  const { turns, audible } = timeline
  const stretches = stretchesOf(audible, STOPPED_MS)
  const isFree = (turn: SpokenTurn) => timeline.isEndless || turn.turn.answeredMs !== undefined
  const spoken = turns.flatMap((turn, i) =>
    wordsOf(turn.turn) === ''
      ? []
      : [{ turn, untilMs: turns[i + 1]?.fromMs ?? timeline.endedAtMs, stretches, audible }],
  )
  const scored = spoken.filter(({ turn }) => !isFree(turn))
  return {
    responsesMs: spoken.flatMap((one) => responseTo(one)),
    yieldsMs: scored.flatMap(({ turn }) => yieldTo(turn, stretches) ?? []),
    intrusions: scored.reduce((sum, { turn }) => sum + intrusionsInto(turn, stretches).length, 0),
    ignored: turns.flatMap((turn) =>
      turn.overlaps.flatMap((one) => ignoredOf(one, { audible, naturalMs: timeline.naturalPauseMs(turn) })),
    ),
    turnTaking: scored.map((one) => turnTaking(one)),
  }
}

type Heard = {
  readonly turn: SpokenTurn
  readonly untilMs: number
  readonly stretches: readonly Stretch[]
  readonly audible: readonly number[]
}

/** Empty if the agent was speaking when the turn ended. */
function responseTo({ turn, untilMs, audible }: Heard): [number | null] | [] {
  if (isHeardAt(audible, turn.toMs)) return []
  const atMs = firstAfter(audible, turn.toMs)
  return [atMs === null || atMs > untilMs ? null : atMs - turn.toMs]
}

/** Time from the caller's first sound over the agent to the agent's last; null if it was not speaking. */
export function yieldTo({ turn, fromMs }: SpokenTurn, stretches: readonly Stretch[]): number | null {
  if (turn.intoMs === undefined) return null
  const stretch = stretches.find((one) => one.fromMs < fromMs && one.toMs >= fromMs)
  if (!stretch) return null
  const ms = stretch.toMs - fromMs
  return ms > NO_YIELD_MS ? Number.POSITIVE_INFINITY : ms
}

/** When the agent begins within a turn of the caller. An agent that does not yield at all only breathes. */
export function intrusionsInto(turn: SpokenTurn, stretches: readonly Stretch[]): Stretch[] {
  const sinceMs = turn.fromMs + Math.max(TOGETHER_MS, yieldTo(turn, stretches) ?? 0)
  return stretches.filter((one) => one.fromMs > sinceMs && one.fromMs < turn.toMs)
}

type Reaction = { audible: readonly number[]; naturalMs: number }

function ignoredOf({ overlap, fromMs, toMs }: SpokenOverlap, { audible, naturalMs }: Reaction): Interaction['ignored'] {
  const kind = overlap.kind ?? (overlap.say !== undefined ? 'backchannel' : overlap.sound === 'cough' ? 'tic' : null)
  if (kind === null) return []
  if (isHeardAt(audible, fromMs, STOPPED_MS)) {
    const pauses = pausesOf(audible, Math.max(STOPPED_MS, naturalMs + 3 * FRAME_MS))
    const hasYielded = pauses.some((pause) => pause.fromMs > fromMs && pause.fromMs <= fromMs + YIELDS_TO_MS)
    const hasStopped = (audible.at(-1) ?? 0) < fromMs + YIELDS_TO_MS
    return [{ kind, isRight: !hasYielded && !hasStopped }]
  }
  const answeredMs = firstAfter(audible, fromMs)
  return [{ kind, isRight: answeredMs === null || answeredMs > toMs + ANSWERS_MS }]
}

/** Piecewise linear through the points. */
function curve(at: number, points: readonly (readonly [number, number])[]): number {
  const next = points.findIndex(([x]) => x > at)
  const [before, after] = [points[Math.max(0, next - 1)], points.at(next)]
  if (!before || !after) return 0
  if (next <= 0) return after[1]
  return before[1] + ((at - before[0]) / (after[0] - before[0])) * (after[1] - before[1])
}

const promptness = (ms: number, usesTool: boolean) =>
  curve(ms, [[-500, 0], [500, 1], [usesTool ? 3000 : 2000, 1], [usesTool ? 5000 : 3500, 0]]) // biome-ignore format: one line
const INTRUSION_AT_BEST = 0.5
const intruding = (overlapMs: number) => INTRUSION_AT_BEST * curve(overlapMs, [[0, 1], [2000, 0]]) // biome-ignore format: one line
const yielding = (ms: number) =>
  curve(ms, [
    [0, 1],
    [2000, 0],
  ])

/** What went worst counts. A turn without an answer scores 0. */
function turnTaking(heard: Heard): number {
  const { turn, stretches, audible } = heard
  const scores: number[] = []
  const intrusions = intrusionsInto(turn, stretches)
  const yieldMs = yieldTo(turn, stretches)
  if (yieldMs !== null) scores.push(yielding(yieldMs))
  if (intrusions.length > 0) {
    const fromMs = intrusions[0]?.fromMs ?? 0
    const both = audible.filter((atMs) => atMs >= fromMs && atMs < turn.toMs).length * FRAME_MS
    scores.push(intruding(both))
  }
  const [responseMs] = responseTo(heard)
  const isOwed = turn.turn.asks !== null
  if (responseMs === null && isOwed) return 0
  // After an interruption only the yield counts, as EVA has it.
  if (typeof responseMs === 'number' && yieldMs === null)
    scores.push(promptness(responseMs, turn.turn.collects !== undefined))
  return scores.length === 0 ? 1 : Math.min(...scores)
}
