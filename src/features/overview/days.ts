// The last days in a user's time zone: a day starts at local midnight and may have 23 or 25 hours.

import { appError } from '../../base/errors/errors.ts'
import { DAY_MS } from '../../base/time/clock.ts'
import { isZone, localDate } from '../../base/time/zone.ts'

export type Day = { date: string; startMs: number }

const MINUTE_MS = 60_000
const EARLIEST_MS = 14 * 3_600_000 // time zones range from UTC+14 to UTC-12
const LATEST_MS = 12 * 3_600_000

/** The last `count` days, oldest first, including today. */
export function lastDays(nowMs: number, timeZone: string, count: number): Day[] {
  if (!isZone(timeZone)) throw appError('time_zone_invalid')
  const today = Date.parse(localDate(timeZone, nowMs))
  return Array.from({ length: count }, (_, i) => {
    const midnight = today - (count - 1 - i) * DAY_MS
    const date = new Date(midnight).toISOString().slice(0, 10)
    return { date, startMs: firstMinute(midnight, (ms) => localDate(timeZone, ms) >= date) }
  })
}

export type DayRange = { date: string; fromMs: number; toMs: number }

/** Today ends in the future: another process's clock may be ahead. */
const OPEN_END_MS = 2 * DAY_MS

/** Each day from midnight to midnight, plus yesterday up to the same time of day, for a fair comparison. */
export function rangesOf(
  days: readonly Day[],
  nowMs: number,
): { days: DayRange[]; today: DayRange; yesterday: DayRange } {
  const ranges = days.map(({ date, startMs }, i) => ({
    date,
    fromMs: startMs,
    toMs: days[i + 1]?.startMs ?? nowMs + OPEN_END_MS,
  }))
  const nothing = { date: '', fromMs: nowMs, toMs: nowMs }
  const [today, yesterday] = [ranges.at(-1) ?? nothing, ranges.at(-2) ?? nothing]
  const toMs = Math.min(yesterday.toMs, yesterday.fromMs + (nowMs - today.fromMs))
  return { days: ranges, today, yesterday: { ...yesterday, toMs } }
}

/** Searched for rather than computed: if the clock jumps at midnight, there is no 0:00. */
function firstMinute(utcMidnight: number, isReached: (ms: number) => boolean): number {
  let [before, reached] = [utcMidnight - EARLIEST_MS - MINUTE_MS, utcMidnight + LATEST_MS + MINUTE_MS]
  while (reached - before > MINUTE_MS) {
    const middle = before + Math.floor((reached - before) / MINUTE_MS / 2) * MINUTE_MS
    if (isReached(middle)) reached = middle
    else before = middle
  }
  return reached
}
