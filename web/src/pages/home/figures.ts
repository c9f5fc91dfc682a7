// Today's figures next to yesterday's at the same time of day. Pure.
import type { Overview } from '../../../../client/paths.ts'

/** Whether an increase is good, bad or neutral. */
type Wish = 'more' | 'less' | 'any'
export type Change = {
  /** As a share (0.12 for 12 % more), in percentage points (0.03), or in milliseconds. */
  by: number
  unit: 'share' | 'points' | 'ms'
  tone: 'good' | 'bad' | 'neutral'
}
export type Figure = {
  name: 'calls' | 'answered' | 'response' | 'minutes'
  /** Null if there is no data yet. */
  value: number | null
  /** Null if yesterday has no data to compare with. */
  change: Change | null
  /** The past days, oldest first. */
  series: readonly (number | null)[]
}

/** Smaller changes are shown as no change. */
const least = { share: 0.005, points: 0.005, ms: 10 } as const

function toned(by: number, unit: Change['unit'], wish: Wish): Change {
  const isNone = Math.abs(by) < least[unit]
  if (isNone || wish === 'any') return { by: isNone ? 0 : by, unit, tone: 'neutral' }
  return { by, unit, tone: by > 0 === (wish === 'more') ? 'good' : 'bad' }
}

const shareChange = (now: number, before: number): Change | null =>
  before > 0 ? toned((now - before) / before, 'share', 'any') : null

const difference = (now: number | null, before: number | null, unit: 'points' | 'ms', wish: Wish): Change | null =>
  now === null || before === null ? null : toned(now - before, unit, wish)

const answeredShare = ({ calls, answered }: { calls: number; answered: number }) =>
  calls > 0 ? Math.min(1, answered / calls) : null

export function figuresOf({ today, yesterday, days }: Pick<Overview, 'today' | 'yesterday' | 'days'>): Figure[] {
  const share = answeredShare(today)
  // Leave out today: an unfinished day would look like a drop.
  const past = days.slice(0, -1)
  return [
    {
      name: 'calls',
      value: today.calls,
      change: shareChange(today.calls, yesterday.calls),
      series: past.map(({ calls }) => calls),
    },
    {
      name: 'answered',
      value: share,
      change: difference(share, answeredShare(yesterday), 'points', 'more'),
      series: past.map(answeredShare),
    },
    {
      name: 'response',
      value: today.medianResponseMs,
      change: difference(today.medianResponseMs, yesterday.medianResponseMs, 'ms', 'less'),
      series: past.map(({ medianResponseMs }) => medianResponseMs),
    },
    {
      name: 'minutes',
      value: today.minutes,
      change: shareChange(today.minutes, yesterday.minutes),
      series: past.map(({ minutes }) => minutes),
    },
  ]
}

export type Point = { x: number; y: number }

/** The points of a line scaled to a box; days without a value are skipped. */
export function sparkline(series: readonly (number | null)[], width: number, height: number): Point[] {
  const values = series.filter((value) => value !== null)
  if (values.length < 2) return []
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const step = width / Math.max(1, series.length - 1)
  const round = (n: number) => Math.round(n * 10) / 10
  return series.flatMap((value, i) => {
    if (value === null) return []
    const y = high === low ? height / 2 : height - ((value - low) / (high - low)) * height
    return [{ x: round(i * step), y: round(y) }]
  })
}
