// Expands RRULEs (RFC 5545, 3.3.10) within a window, in local time. Tests each day of the window, so endless rules and
// rules without a match cost no more.
import { DAY_MS } from '../../base/time/clock.ts'
import { startOfDay, weekdayOf } from './local-time.ts'

export type Rule = {
  freq: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'
  interval: number
  count: number | null
  /** Last possible start. */
  until: number | null
  /** 1 is Monday. */
  weekStart: number
  byMonth: readonly number[]
  byMonthDay: readonly number[]
  byYearDay: readonly number[]
  byWeekNo: readonly number[]
  /** `nth` 0: every such weekday. */
  byDay: readonly { nth: number; day: number }[]
  byHour: readonly number[]
  byMinute: readonly number[]
  bySecond: readonly number[]
  bySetPos: readonly number[]
}

/** Work budget in days tested (at most a microsecond each), shared by all rules of one read. */
export type Effort = { left: number }

const MAX_TIMES = 100

/** Starts of the rule in [`from`, `to`), in order; always includes the first start. Null: the budget is used up. */
export function startsOf(given: Rule, first: number, from: number, to: number, effort: Effort): number[] | null {
  const rule = withDefaults(given, first)
  const times = timesOf(rule, first)
  if (times === null) return null
  const last = Math.min(to - 1, rule.until ?? Number.POSITIVE_INFINITY)
  const found: number[] = first >= from && first <= last ? [first] : []
  let counted = 1
  // With a COUNT, start at the first occurrence; otherwise at the window.
  let index = rule.count === null ? Math.max(0, periodOf(rule, first, from) - 1) : 0
  for (; ; index++) {
    const period = periodAt(rule, first, index)
    if (Number.isNaN(period.end) || period.start > last) return found
    effort.left -= (period.end - period.start) / DAY_MS
    if (effort.left < 0) return null
    const days = daysIn(period).filter((day) => isMeant(rule, day))
    effort.left -= days.length * times.length
    const set = days.flatMap((day) => times.map((time) => day + time))
    for (const start of placed(set, rule.bySetPos)) {
      if (start <= first) continue
      if (start > last || (rule.count !== null && counted >= rule.count)) return found
      counted++
      if (start >= from) found.push(start)
    }
  }
}

function withDefaults(rule: Rule, first: number): Rule {
  const date = new Date(first)
  const hasDays = [rule.byWeekNo, rule.byYearDay, rule.byMonthDay, rule.byDay].some(({ length }) => length > 0)
  if (rule.byWeekNo.length > 0 && rule.byDay.length === 0)
    return { ...rule, byDay: [{ nth: 0, day: weekdayOf(first) }] }
  if (hasDays || rule.freq === 'DAILY') return rule
  if (rule.freq === 'WEEKLY') return { ...rule, byDay: [{ nth: 0, day: weekdayOf(first) }] }
  const byMonthDay = [date.getUTCDate()]
  if (rule.freq === 'MONTHLY' || rule.byMonth.length > 0) return { ...rule, byMonthDay }
  return { ...rule, byMonthDay, byMonth: [date.getUTCMonth() + 1] }
}

/** Start times within a day, in order. */
function timesOf({ byHour, byMinute, bySecond }: Rule, first: number): number[] | null {
  const date = new Date(first)
  const hours = byHour.length > 0 ? byHour : [date.getUTCHours()]
  const minutes = byMinute.length > 0 ? byMinute : [date.getUTCMinutes()]
  const seconds = bySecond.length > 0 ? bySecond : [date.getUTCSeconds()]
  if (hours.length * minutes.length * seconds.length > MAX_TIMES) return null
  const times = hours.flatMap((h) => minutes.flatMap((m) => seconds.map((s) => ((h * 60 + m) * 60 + s) * 1000)))
  return [...new Set(times)].sort((a, b) => a - b)
}

/** Index of the period since the first start that contains this time; only periods that match the interval count. */
function periodOf({ freq, interval, weekStart }: Rule, first: number, at: number): number {
  const [a, b] = [new Date(first), new Date(at)]
  const years = b.getUTCFullYear() - a.getUTCFullYear()
  const passed = {
    YEARLY: years,
    MONTHLY: years * 12 + b.getUTCMonth() - a.getUTCMonth(),
    WEEKLY: (startOfWeek(at, weekStart) - startOfWeek(first, weekStart)) / (7 * DAY_MS),
    DAILY: (startOfDay(at) - startOfDay(first)) / DAY_MS,
  }[freq]
  return Math.floor(passed / interval)
}

const startOfWeek = (local: number, weekStart: number): number =>
  startOfDay(local) - ((weekdayOf(local) - weekStart + 7) % 7) * DAY_MS

/** NaN beyond the range of Date. */
function periodAt({ freq, interval, weekStart }: Rule, first: number, index: number): { start: number; end: number } {
  const steps = index * interval
  const date = new Date(first)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  if (freq === 'YEARLY') return { start: Date.UTC(year + steps, 0, 1), end: Date.UTC(year + steps + 1, 0, 1) }
  if (freq === 'MONTHLY') return { start: Date.UTC(year, month + steps, 1), end: Date.UTC(year, month + steps + 1, 1) }
  const length = freq === 'WEEKLY' ? 7 * DAY_MS : DAY_MS
  const start = (freq === 'WEEKLY' ? startOfWeek(first, weekStart) : startOfDay(first)) + steps * length
  return { start, end: start + length }
}

const daysIn = ({ start, end }: { start: number; end: number }): number[] =>
  Array.from({ length: (end - start) / DAY_MS }, (_, i) => start + i * DAY_MS)

function isMeant(rule: Rule, day: number): boolean {
  const weekday = weekdayOf(day)
  const byDay = rule.byDay.filter((wanted) => wanted.day === weekday)
  if (rule.byDay.length > 0 && byDay.length === 0) return false
  const others = rule.byMonth.length + rule.byMonthDay.length + rule.byYearDay.length + rule.byWeekNo.length
  const mayCount = rule.freq === 'MONTHLY' || rule.freq === 'YEARLY'
  const isAny = rule.byDay.length === 0 || !mayCount || byDay.some(({ nth }) => nth === 0)
  if (others === 0 && isAny) return true // most rules: nothing more to compute for this day

  const date = new Date(day)
  const [year, month, monthDay] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  if (rule.byMonth.length > 0 && !rule.byMonth.includes(month + 1)) return false
  const monthLength = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  if (!meets(rule.byMonthDay, monthDay, monthLength)) return false
  const yearStart = Date.UTC(year, 0, 1)
  const yearDay = (day - yearStart) / DAY_MS + 1
  const yearLength = (Date.UTC(year + 1, 0, 1) - yearStart) / DAY_MS
  if (!meets(rule.byYearDay, yearDay, yearLength)) return false
  if (rule.byWeekNo.length > 0) {
    const { week, weeks } = weekOf(day, rule.weekStart)
    if (!meets(rule.byWeekNo, week, weeks)) return false
  }
  const isInYear = rule.freq === 'YEARLY' && rule.byMonth.length === 0
  const [place, length] = isInYear ? [yearDay, yearLength] : [monthDay, monthLength]
  return isAny || byDay.some(({ nth }) => Math.ceil(place / 7) === nth || Math.ceil((length - place + 1) / 7) === -nth)
}

/** Counted from the start, or with a minus from the end. */
const meets = (wanted: readonly number[], place: number, length: number): boolean =>
  wanted.length === 0 || wanted.includes(place) || wanted.includes(place - length - 1)

/** The first week of a year is the first with at least four days in it. */
function weekOf(day: number, weekStart: number): { week: number; weeks: number } {
  const middle = startOfWeek(day, weekStart) + 3 * DAY_MS
  const year = new Date(middle).getUTCFullYear()
  const firstOf = (y: number) => startOfWeek(Date.UTC(y, 0, 4), weekStart)
  const [start, next] = [firstOf(year), firstOf(year + 1)]
  return { week: Math.floor((day - start) / (7 * DAY_MS)) + 1, weeks: (next - start) / (7 * DAY_MS) }
}

function placed(set: readonly number[], places: readonly number[]): number[] {
  if (places.length === 0) return [...set]
  const kept = places.flatMap((place) => set.at(place > 0 ? place - 1 : place) ?? [])
  return [...new Set(kept)].sort((a, b) => a - b)
}
