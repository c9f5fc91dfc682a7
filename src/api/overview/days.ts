// The last days in a user's time zone: a day begins at its own midnight and may have 23 or 25 hours.
import { DAY_MS } from '../../base/clock.ts'
import { AppError } from '../../base/errors.ts'

export type Day = { date: string; startMs: number }

const MINUTE_MS = 60_000
const EARLIEST_MS = 14 * 3_600_000 // time zones range from UTC+14 to UTC-12
const LATEST_MS = 12 * 3_600_000

/** The last `count` days, oldest first, ending with today. */
export function lastDays(nowMs: number, timeZone: string, count: number): Day[] {
  const dateAt = dateIn(timeZone)
  const today = Date.parse(dateAt(nowMs))
  return Array.from({ length: count }, (_, i) => {
    const midnight = today - (count - 1 - i) * DAY_MS
    const date = new Date(midnight).toISOString().slice(0, 10)
    return { date, startMs: firstMinute(midnight, (ms) => dateAt(ms) >= date) }
  })
}

/** Searched for rather than computed: where the clock jumps at midnight there is no 0:00. */
function firstMinute(utcMidnight: number, isReached: (ms: number) => boolean): number {
  let [before, reached] = [utcMidnight - EARLIEST_MS - MINUTE_MS, utcMidnight + LATEST_MS + MINUTE_MS]
  while (reached - before > MINUTE_MS) {
    const middle = before + Math.floor((reached - before) / MINUTE_MS / 2) * MINUTE_MS
    if (isReached(middle)) reached = middle
    else before = middle
  }
  return reached
}

function dateIn(timeZone: string): (ms: number) => string {
  try {
    const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    return (ms) => format.format(ms)
  } catch {
    throw new AppError('invalid', 'timeZone must be the name of a time zone such as America/Sao_Paulo')
  }
}
