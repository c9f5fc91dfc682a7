// The end-of-turn sweep that LiveKit's eot-bench publishes, over decisions at pauses: which share of the pauses within turns would be cut
// off if the agent answered after a given mean wait, and how long it must wait to cut off no more than a given share.
import type { Figure } from '../report/figures.ts'

/** One pause, and how unsure it seemed that the turn was over: here the wait that the rules ask for, or any other score. */
export type Decision = {
  readonly doubt: number
  /** Null: the turn was over. */
  readonly pauseMs: number | null
}

/** The agent answers after `delayMs` where doubt is at most `mostDoubt`, and after `timeoutMs` otherwise. */
type Policy = { readonly mostDoubt: number; readonly delayMs: number; readonly timeoutMs: number }
export type Point = { readonly cutOff: number; readonly waitMs: number }

const STEP_MS = 50
const MAX_DELAY_MS = 1500
const MAX_TIMEOUT_MS = 3000

function pointOf(decisions: readonly Decision[], { mostDoubt, delayMs, timeoutMs }: Policy): Point {
  let [pauses, cut, ends, waited] = [0, 0, 0, 0]
  for (const { doubt, pauseMs } of decisions) {
    const actsMs = doubt <= mostDoubt ? delayMs : timeoutMs
    if (pauseMs === null) {
      ends++
      waited += actsMs
    } else {
      pauses++
      if (actsMs < pauseMs) cut++
    }
  }
  return { cutOff: cut / pauses, waitMs: waited / ends }
}

/** The best of every policy. */
export function sweep(decisions: readonly Decision[]): Point[] {
  const doubts = [...new Set(decisions.map(({ doubt }) => doubt))]
  const points: Point[] = []
  for (const mostDoubt of doubts)
    for (let delayMs = 0; delayMs <= MAX_DELAY_MS; delayMs += STEP_MS)
      for (let timeoutMs = delayMs; timeoutMs <= MAX_TIMEOUT_MS; timeoutMs += 2 * STEP_MS)
        points.push(pointOf(decisions, { mostDoubt, delayMs, timeoutMs }))
  return points
}

/** Silence alone: the same delay for every pause. */
export const silenceOnly = (decisions: readonly Decision[]): Point[] =>
  sweep(decisions.map(({ pauseMs }) => ({ doubt: 0, pauseMs })))

const least = (values: readonly number[]): Figure => (values.length === 0 ? null : Math.min(...values))

export const cutOffAt = (points: readonly Point[], waitMs: number): Figure =>
  least(points.filter((point) => point.waitMs <= waitMs).map(({ cutOff }) => cutOff))
export const waitAt = (points: readonly Point[], cutOff: number): Figure =>
  least(points.filter((point) => point.cutOff <= cutOff).map(({ waitMs }) => waitMs))
