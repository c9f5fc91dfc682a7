// Free slots: working hours minus the calendar's events. Pure.
import { DAY_MS } from '../../base/time/clock.ts'
import type { Json } from '../ports.ts'
import type { Entry } from './calendar-provider.ts'
import {
  clockOf,
  dayName,
  exists,
  MINUTE_MS,
  minutesOf,
  spoken,
  startOfDay,
  weekdayOf,
  type Zone,
} from './local-time.ts'

export type CalendarSettings = {
  durationMs: number
  /** Interval between two offered start times. */
  stepMs: number
  /** Kept free before and after an event. */
  bufferMs: number
  maxDaysAhead: number
  /** 1 is Monday. */
  days: readonly number[]
  /** Minutes of the day. */
  from: number
  to: number
  allowOverlap: boolean
  showDetails: boolean
}

type Given = {
  durationMinutes?: number | null
  slotMinutes?: number | null
  bufferMinutes?: number | null
  maxDaysAhead?: number | null
  workingHours?: { days?: number[] | null; from?: string | null; to?: string | null } | null
  allowOverlap?: boolean | null
  showDetails?: boolean | null
}

/** A string is an error message. */
export function settingsOf(config: Json): CalendarSettings | string {
  const given = config as Given
  const { days, from, to } = given.workingHours ?? {}
  const durationMinutes = given.durationMinutes ?? 30
  const hours = { from: minutesOf(from ?? '08:00'), to: minutesOf(to ?? '18:00') }
  if (hours.from === null || hours.to === null) return 'workingHours: from and to are times such as 08:00'
  if (hours.from >= hours.to) return 'workingHours: from must be before to'
  if (days?.length === 0) return 'workingHours: days is empty'
  const stepMinutes = given.slotMinutes ?? durationMinutes
  const { bufferMinutes = 0, maxDaysAhead = 60 } = given
  if (!(durationMinutes >= 1 && durationMinutes <= 1440)) return 'durationMinutes must be 1 to 1440'
  if (!(stepMinutes >= 1 && stepMinutes <= 1440)) return 'slotMinutes must be 1 to 1440'
  return {
    durationMs: durationMinutes * MINUTE_MS,
    stepMs: stepMinutes * MINUTE_MS,
    bufferMs: (bufferMinutes ?? 0) * MINUTE_MS,
    maxDaysAhead: maxDaysAhead ?? 60,
    days: [...new Set(days ?? [1, 2, 3, 4, 5])].sort(),
    from: hours.from,
    to: hours.to,
    allowOverlap: given.allowOverlap ?? false,
    showDetails: given.showDetails ?? false,
  }
}

/** Monday, Tuesday, Friday 08:00 to 18:00 */
export const hoursInWords = ({ days, from, to }: CalendarSettings): string =>
  `${days.map(dayName).join(', ')} ${clockOf(from)} to ${clockOf(to)}`

export type Span = { startMs: number; endMs: number }

/** Working hours of the day that starts at this local time; null on a day off. */
function hoursOn({ days, from, to }: CalendarSettings, zone: Zone, day: number): Span | null {
  if (!days.includes(weekdayOf(day))) return null
  return { startMs: zone.instantOf(day + from * MINUTE_MS), endMs: zone.instantOf(day + to * MINUTE_MS) }
}

export function isInHours(settings: CalendarSettings, zone: Zone, { startMs, endMs }: Span): boolean {
  const hours = hoursOn(settings, zone, startOfDay(zone.localOf(startMs)))
  return hours !== null && startMs >= hours.startMs && endMs <= hours.endMs
}

export const overlaps = (entry: Entry, { startMs, endMs }: Span, bufferMs: number): boolean =>
  !entry.isFree && entry.startMs < endMs + bufferMs && entry.endMs + bufferMs > startMs

/** Steps per search: slightly more than a month of minutes. */
const MAX_STEPS = 50_000

/** Start times with enough free time, from `startMs` on and ending by `endMs`. Steps follow local time. */
export function freeStarts(
  entries: readonly Entry[],
  settings: CalendarSettings,
  zone: Zone,
  { startMs, endMs }: Span,
  lengthMs: number,
): number[] {
  const taken = entries.filter(({ isFree }) => !isFree)
  const found: number[] = []
  let steps = 0
  for (let day = startOfDay(zone.localOf(startMs)); zone.instantOf(day) < endMs; day += DAY_MS) {
    const hours = hoursOn(settings, zone, day)
    if (!hours) continue
    const last = day + settings.to * MINUTE_MS
    const near = taken.filter((entry) =>
      overlaps(entry, { startMs: hours.startMs, endMs: hours.endMs }, settings.bufferMs),
    )
    for (let local = day + settings.from * MINUTE_MS; local < last; local += Math.max(MINUTE_MS, settings.stepMs)) {
      if (++steps > MAX_STEPS) return found
      if (!exists(zone, local)) continue
      const slot = { startMs: zone.instantOf(local), endMs: zone.instantOf(local) + lengthMs }
      const isWithin = slot.startMs >= startMs && slot.endMs <= Math.min(endMs, hours.endMs)
      if (isWithin && !near.some((entry) => overlaps(entry, slot, settings.bufferMs))) found.push(slot.startMs)
    }
  }
  return found
}

/** At most `max`, spread over the days and over each day. */
export function someOf(starts: readonly number[], zone: Zone, max: number): number[] {
  const days = Map.groupBy(starts, (ms) => startOfDay(zone.localOf(ms)))
  const perDay = Math.max(3, Math.floor(max / Math.max(1, days.size)))
  return [...days.values()].flatMap((day) => spread(day, perDay)).slice(0, max)
}

const spread = (list: readonly number[], count: number): number[] =>
  list.length <= count
    ? [...list]
    : Array.from({ length: count }, (_, i) => list[Math.round((i * (list.length - 1)) / (count - 1))] as number)

/** Tuesday 2026-03-10T14:00-03:00 to 14:30 */
export function spanInWords(zone: Zone, { startMs, endMs }: Span): string {
  const [from, to] = [spoken(zone, startMs), spoken(zone, endMs)]
  const isSameDay = startOfDay(zone.localOf(startMs)) === startOfDay(zone.localOf(endMs))
  const [, clock = to] = /T(\d\d:\d\d)/.exec(to) ?? []
  return `${from} to ${isSameDay ? clock : to}`
}
