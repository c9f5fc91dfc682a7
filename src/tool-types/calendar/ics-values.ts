// iCalendar property values (RFC 5545, 3.3): times, durations, UTC offsets and recurrence rules.
import { DAY_MS } from '../../base/time/clock.ts'
import { MINUTE_MS, type Zone } from './local-time.ts'
import type { Rule } from './recurrence.ts'

/** Null for an invalid time, or one before 1900. */
export function timeIn(text: string): { local: number; isDay: boolean; isUtc: boolean } | null {
  const [, y, mo, d, h = '0', mi = '0', s = '0', z] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?(Z)?)?$/.exec(text.trim()) ?? []
  if (y === undefined) return null
  const local = Date.UTC(Number(y), Number(mo) - 1, Number(d), Number(h), Number(mi), Math.min(59, Number(s)))
  const isReal = new Date(local).getUTCDate() === Number(d) && Number(y) >= 1900 && Number(h) < 24 && Number(mi) < 60
  return isReal ? { local, isDay: !text.includes('T'), isUtc: z !== undefined } : null
}

/** Null for an invalid or negative duration. */
export function durationIn(text: string): number | null {
  const found = /^\+?P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$/.exec(
    text.trim(),
  )
  if (!found) return null
  const [w = 0, d = 0, h = 0, m = 0, s = 0] = found.slice(1).map((part) => Number(part ?? 0))
  return (w * 7 + d) * DAY_MS + ((h * 60 + m) * 60 + s) * 1000
}

/** +0530 */
export function offsetIn(text: string | undefined): number | null {
  const [, sign, hours, minutes] = /^([+-])(\d\d)(\d\d)(?:\d\d)?$/.exec(text?.trim() ?? '') ?? []
  if (sign === undefined) return null
  return (Number(hours) * 60 + Number(minutes)) * MINUTE_MS * (sign === '-' ? -1 : 1)
}

const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const frequencies: readonly string[] = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']

/** Values in one list of a rule; no valid list has more distinct values. */
const MAX_LISTED = 366

/** Null for an invalid rule, or one that recurs within a day. */
export function ruleOf(text: string, zone: Zone): Rule | null {
  const fields = new Map(text.split(';').map((part) => part.trim().toUpperCase().split('=', 2) as [string, string]))
  let isWrong = false
  /** Each value once, without duplicates. */
  const listed = (name: string): string[] => {
    const items = new Set(fields.get(name)?.split(',') ?? [])
    if (items.size > MAX_LISTED) isWrong = true
    return isWrong ? [] : [...items]
  }
  const numbers = (name: string, min: number, max: number): number[] => {
    const values = listed(name).map((item) => {
      const value = /^[+-]?\d{1,9}$/.test(item) ? Number(item) : Number.NaN
      if (!(Math.abs(value) >= min && Math.abs(value) <= max)) isWrong = true
      return value
    })
    return [...new Set(values)]
  }
  const byDay = listed('BYDAY').map((item) => {
    const [, nth = '0', day = ''] = /^([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU)$/.exec(item) ?? []
    if (day === '') isWrong = true
    return { nth: Number(nth), day: weekdays.indexOf(day) + 1 }
  })
  const untilText = fields.get('UNTIL')
  const until = untilText === undefined ? null : timeIn(untilText)
  const freq = fields.get('FREQ') as Rule['freq']
  const rule: Rule = {
    freq,
    interval: numbers('INTERVAL', 1, 999_999_999)[0] ?? 1,
    count: numbers('COUNT', 1, 999_999_999)[0] ?? null,
    until: until && (until.isDay ? until.local + DAY_MS - 1 : until.isUtc ? zone.localOf(until.local) : until.local),
    weekStart: weekdays.indexOf(fields.get('WKST') ?? 'MO') + 1 || 1,
    byMonth: numbers('BYMONTH', 1, 12),
    byMonthDay: numbers('BYMONTHDAY', 1, 31),
    byYearDay: numbers('BYYEARDAY', 1, 366),
    byWeekNo: numbers('BYWEEKNO', 1, 53),
    byDay,
    byHour: numbers('BYHOUR', 0, 23),
    byMinute: numbers('BYMINUTE', 0, 59),
    bySecond: numbers('BYSECOND', 0, 59),
    bySetPos: numbers('BYSETPOS', 1, 366),
  }
  const isPositive =
    rule.interval > 0 && (rule.count ?? 1) > 0 && [...rule.byMonth, ...rule.byHour].every((n) => n >= 0)
  if (isWrong || !isPositive || !frequencies.includes(freq) || (untilText !== undefined && !until)) return null
  return rule
}
