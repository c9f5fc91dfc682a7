// Bars of a campaign's attempts by hour. Pure.
import type { CampaignProgress } from '../../../../client/paths.ts'
import { type ChartGroup, groupCount, groupNames } from './campaign-states.ts'

export type Hour = CampaignProgress['hours'][number]
/** `from` and `height` are percentages of the plot height. */
export type Segment = { group: ChartGroup; count: number; from: number; height: number }
export type HourBar = { at: string; total: number; segments: readonly Segment[]; isLabeled: boolean }

const MAX_BARS = 24
const HOUR_MS = 3_600_000

/** The last hours up to the newest one, without gaps: an hour without results keeps its slot in the chart. */
export function lastHours(hours: readonly Hour[]): Hour[] {
  const byTime = new Map(hours.map((hour) => [Date.parse(hour.at), hour]))
  const times = [...byTime.keys()].filter((at) => Number.isFinite(at))
  if (times.length === 0) return []
  const newest = Math.max(...times)
  const oldest = Math.max(Math.min(...times), newest - (MAX_BARS - 1) * HOUR_MS)
  const all: Hour[] = []
  for (let at = oldest; at <= newest; at += HOUR_MS)
    all.push(byTime.get(at) ?? { at: new Date(at).toISOString(), outcomes: {} })
  return all
}

export const totalOf = ({ outcomes }: Hour): number =>
  groupNames.reduce((sum, group) => sum + groupCount(outcomes, group), 0)

/** `top` is the top of the scale. */
export function hourBars(hours: readonly Hour[], top: number): HourBar[] {
  const every = Math.max(1, Math.ceil(hours.length / 6))
  return hours.map((hour, i) => {
    let from = 0
    const segments = groupNames.flatMap((group): Segment[] => {
      const count = groupCount(hour.outcomes, group)
      const height = (count / Math.max(1, top)) * 100
      const segment = { group, count, from, height }
      from += height
      return count > 0 ? [segment] : []
    })
    return { at: hour.at, total: totalOf(hour), segments, isLabeled: (hours.length - 1 - i) % every === 0 }
  })
}
