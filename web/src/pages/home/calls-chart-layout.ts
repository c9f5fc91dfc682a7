// The last week next to the week before: ticks, stacked bars, and the change. Pure.
import type { Overview } from '../../../../client/paths.ts'
import { type Outcome, outcomes } from '../../colors.ts'

export type Day = Overview['days'][number]
/** `from` and `height` are percentages of the plot height. */
export type Segment = { outcome: Outcome; count: number; from: number; height: number }
/** `before` holds the calls of the same weekday a week earlier, and their height; null if unknown. */
export type Bar = {
  day: Day
  segments: readonly Segment[]
  height: number
  before: { calls: number; height: number } | null
  isToday: boolean
}

const WEEK = 7

const MAX_STEPS = 5
/** Step sizes of the scale, times a power of ten; only whole steps are used, because calls are counted. */
const factors = [1, 2, 2.5, 5, 10]

/** Ticks from 0 to at least the greatest value, in a few round steps: 240 gives 0, 50, 100, 150, 200, 250. */
export function niceTicks(most: number): number[] {
  const greatest = Math.max(1, Math.ceil(most))
  let size = 10 ** Math.max(0, Math.floor(Math.log10(greatest / MAX_STEPS)))
  for (;;) {
    const unit = size
    const step = factors
      .map((factor) => factor * unit)
      .find((one) => Number.isInteger(one) && Math.ceil(greatest / one) <= MAX_STEPS)
    if (step !== undefined) {
      const count = Math.ceil(greatest / step)
      return Array.from({ length: count + 1 }, (_, i) => i * step)
    }
    size *= 10
  }
}

export const countOf = ({ answered, notAnswered }: Day, outcome: Outcome): number =>
  outcome === 'answered' ? answered : notAnswered[outcome]

/** The last seven days including today, oldest first. */
export const weekOf = (days: readonly Day[]): readonly Day[] => days.slice(-WEEK)

/**
 * The change of the finished days against the same days a week earlier, rounded to a whole percent; null if there were
 * no calls then.
 */
export function weekChange(days: readonly Day[]): number | null {
  const sum = (some: readonly Day[]) => some.reduce((all, { calls }) => all + calls, 0)
  const now = sum(days.slice(-WEEK, -1))
  const before = sum(days.slice(-2 * WEEK, -WEEK - 1))
  return before > 0 ? Math.round(((now - before) / before) * 100) / 100 : null
}

/** Stacked by outcome, answered calls at the bottom. */
export function barsOf(days: readonly Day[]): { bars: Bar[]; ticks: number[] } {
  const ticks = niceTicks(Math.max(0, ...days.map(({ calls }) => calls)))
  const top = ticks.at(-1) ?? 1
  const week = weekOf(days)
  const skipped = days.length - week.length
  const bars = week.map((day, i): Bar => {
    let from = 0
    const segments = outcomes.flatMap((outcome): Segment[] => {
      const count = countOf(day, outcome)
      const height = (count / top) * 100
      const segment = { outcome, count, from, height }
      from += height
      return count > 0 ? [segment] : []
    })
    const calls = days[skipped + i - WEEK]?.calls
    return {
      day,
      segments,
      height: from,
      before: calls === undefined ? null : { calls, height: (calls / top) * 100 },
      isToday: i === week.length - 1,
    }
  })
  return { bars, ticks }
}

/** The index that an arrow key moves to; null for other keys. */
export function nextBar(key: string, current: number, count: number): number | null {
  const last = count - 1
  if (key === 'ArrowLeft') return Math.max(0, current - 1)
  if (key === 'ArrowRight') return Math.min(last, current + 1)
  if (key === 'Home') return 0
  return key === 'End' ? last : null
}

/** Link to the call list, filtered by a range of days and optionally by outcome. */
export function callsHref(from: string, to: string, outcome?: Outcome): string {
  const status = outcome && { answered: 'completed', unanswered: 'no_answer', busy: 'busy', failed: 'failed' }[outcome]
  return `/calls?${new URLSearchParams({ ...(status ? { status } : {}), test: 'false', from, to })}`
}
