// Waterfall geometry: stage positions, the shared scale and medians. Pure.
import type { Turn } from '../../../client/paths.ts'

export type Latency = Turn['latency']

/** In order: each stage starts where the previous one ends. */
export const stages = ['vad', 'recognition', 'endOfTurn', 'model', 'tool', 'synthesis', 'pacing'] as const
export type Stage = (typeof stages)[number]

export type Bar = { stage: Stage; fromMs: number; ms: number }

export const stageMs = (latency: Latency, stage: Stage): number | null => latency[`${stage}Ms`]

/** The stages that have a duration. Empty for an unmeasured turn, such as a greeting. */
export function barsOf(latency: Latency): Bar[] {
  let fromMs = 0
  return stages.flatMap((stage) => {
    const ms = stageMs(latency, stage) ?? 0
    if (ms <= 0) return []
    const bar = { stage, fromMs, ms }
    fromMs += ms
    return [bar]
  })
}

/** The measured total, or the sum of the stages. */
export function totalMs(latency: Latency): number | null {
  if (latency.totalMs !== null) return latency.totalMs
  const last = barsOf(latency).at(-1)
  return last ? last.fromMs + last.ms : null
}

export type Scale = { maxMs: number; ticks: number[] }

const ROUND = [100, 200, 250, 500, 1000, 2000, 2500, 5000, 10_000, 20_000, 30_000, 60_000]
const MAX_TICKS = 5

/** One scale for all turns, so that they can be compared; it ends at a round number. */
export function scaleOf(latencies: readonly Latency[]): Scale {
  const longest = Math.max(500, ...latencies.map((one) => totalMs(one) ?? 0))
  const step = ROUND.find((ms) => longest / ms <= MAX_TICKS) ?? Math.ceil(longest / MAX_TICKS / 60_000) * 60_000
  const count = Math.ceil(longest / step)
  return { maxMs: count * step, ticks: Array.from({ length: count + 1 }, (_, i) => i * step) }
}

/** Position as a percentage of the width. */
export const percent = (ms: number, { maxMs }: Pick<Scale, 'maxMs'>): number =>
  Math.min(100, Math.max(0, (ms / maxMs) * 100))

export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  if (sorted.length === 0) return null
  if (sorted.length % 2 === 1) return sorted[middle] ?? null
  return Math.round(((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2)
}

export type Medians = { total: number | null; stages: Record<Stage, number | null> }

/** Medians of the measured turns. */
export function mediansOf(latencies: readonly Latency[]): Medians {
  const known = (values: readonly (number | null)[]) => values.filter((ms) => ms !== null)
  const ofStage = (stage: Stage) => median(known(latencies.map((one) => stageMs(one, stage))))
  return {
    total: median(known(latencies.map(totalMs))),
    stages: Object.fromEntries(stages.map((stage) => [stage, ofStage(stage)])) as Record<Stage, number | null>,
  }
}

/** How a response time feels. People leave about 200 ms between turns; one second is noticeable, two are long. */
export function paceOf(ms: number): 'quick' | 'fair' | 'slow' {
  if (ms <= 1000) return 'quick'
  return ms <= 2000 ? 'fair' : 'slow'
}
