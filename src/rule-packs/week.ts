// The open minutes of a week: windows joined within a rule, and intersected over rules.
import type { PackWindow } from './pack.ts'

/** Minutes of a day, `to` exclusive. */
export type Interval = { from: number; to: number }
/** Index 0 is Monday; intervals in order, without overlaps. */
export type Week = readonly (readonly Interval[])[]

const DAYS = [1, 2, 3, 4, 5, 6, 7] as const
const DAY_MINUTES = 1440

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

/** As in a pack: "09:00", and "24:00" for the end of a day. */
export const timeOf = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

export const wholeWeek: Week = DAYS.map(() => [{ from: 0, to: DAY_MINUTES }])

/** Inside at least one of the windows. */
export const weekOf = (windows: readonly PackWindow[]): Week =>
  DAYS.map((day) => {
    const joined: Interval[] = []
    const ofDay = windows
      .filter(({ days }) => days.includes(day))
      .map(({ from, to }) => ({ from: minutesOf(from), to: minutesOf(to) }))
      .filter(({ from, to }) => from < to)
      .sort((a, b) => a.from - b.from)
    for (const interval of ofDay) {
      const last = joined.at(-1)
      if (last && interval.from <= last.to) last.to = Math.max(last.to, interval.to)
      else joined.push(interval)
    }
    return joined
  })

/** Inside both. */
export const intersection = (a: Week, b: Week): Week =>
  DAYS.map((day) =>
    (a[day - 1] ?? [])
      .flatMap((one) =>
        (b[day - 1] ?? []).map((other) => ({
          from: Math.max(one.from, other.from),
          to: Math.min(one.to, other.to),
        })),
      )
      .filter(({ from, to }) => from < to),
  )

export const openMinutes = (week: Week) => week.flat().reduce((sum, { from, to }) => sum + to - from, 0)
