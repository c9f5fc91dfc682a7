// Reads and bounds the model's calendar arguments: the time range, and the event to create.
import { DAY_MS } from '../../base/time/clock.ts'
import type { Json } from '../ports.ts'
import { type CalendarSettings, hoursInWords, isInHours, type Span } from './free-slots.ts'
import { MINUTE_MS, readMoment, startOfDay, type Zone } from './local-time.ts'

const MAX_WINDOW_MS = 31 * DAY_MS
const DEFAULT_DAYS = 7

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** A day, or a range between two times; the next days by default. A string is an error message. */
export function windowOf(args: Json, zone: Zone, nowMs: number): Span | string {
  const [date, from, to] = [textOf(args.date), textOf(args.from), textOf(args.to)]
  const start = date || from ? readMoment(date || from, zone) : { ms: nowMs, local: zone.localOf(nowMs), isDay: false }
  if (typeof start === 'string') return start
  const startMs = date ? zone.instantOf(startOfDay(start.local)) : start.ms
  const dayAfter = (local: number, days: number) => zone.instantOf(startOfDay(local) + days * DAY_MS)
  if (date) return { startMs, endMs: dayAfter(start.local, 1) }
  if (!to) return { startMs, endMs: dayAfter(start.local, DEFAULT_DAYS) }
  const end = readMoment(to, zone)
  if (typeof end === 'string') return end
  const endMs = end.isDay ? dayAfter(end.local, 1) : end.ms
  if (endMs <= startMs) return 'to must be after from'
  return { startMs, endMs: Math.min(endMs, startMs + MAX_WINDOW_MS) }
}

/** The end of the last bookable day. */
export const horizonOf = ({ maxDaysAhead }: CalendarSettings, zone: Zone, nowMs: number): number =>
  zone.instantOf(startOfDay(zone.localOf(nowMs)) + (maxDaysAhead + 1) * DAY_MS)

export function lengthOf(args: Json, { durationMs }: CalendarSettings): number {
  return typeof args.durationMinutes === 'number' ? args.durationMinutes * MINUTE_MS : durationMs
}

/** The time of the event; a string says why it cannot be booked. */
export function eventTimeOf(args: Json, settings: CalendarSettings, zone: Zone, nowMs: number): Span | string {
  const start = readMoment(textOf(args.start), zone)
  if (typeof start === 'string') return `start: ${start}`
  if (start.isDay) return 'start needs a time of day, such as 2026-03-10T14:30'
  const end = textOf(args.end) ? readMoment(textOf(args.end), zone) : null
  if (typeof end === 'string') return `end: ${end}`
  if (end?.isDay) return 'end needs a time of day'
  const span = { startMs: start.ms, endMs: end ? end.ms : start.ms + lengthOf(args, settings) }
  if (span.endMs <= span.startMs) return 'end must be after start'
  if (span.endMs - span.startMs > DAY_MS) return 'An event may last one day at most.'
  if (span.startMs < nowMs) return 'That time is in the past.'
  if (span.startMs >= horizonOf(settings, zone, nowMs))
    return `That is too far ahead: at most ${settings.maxDaysAhead} days can be booked.`
  if (!isInHours(settings, zone, span))
    return `That is outside working hours: ${hoursInWords(settings)} (${zone.name}).`
  return span
}

const ours = [
  'start',
  'end',
  'durationMinutes',
  'title',
  'description',
  'attendeeName',
  'attendeePhone',
  'attendeeEmail',
]

/** All details, one per line, including the owner's own parameters. */
export function descriptionOf(args: Json, callerNumber: string | null): string {
  const phone = textOf(args.attendeePhone) || callerNumber
  const others = Object.entries(args).flatMap(([name, value]): [string, string][] =>
    ours.includes(name) || value === null || typeof value === 'object' ? [] : [[name, String(value)]],
  )
  const lines = [
    ['Name', textOf(args.attendeeName)] as const,
    ['Phone', phone ?? ''] as const,
    ['E-mail', textOf(args.attendeeEmail)] as const,
    ...others,
  ].flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${value}`]))
  const description = textOf(args.description)
  return [...(description ? [description] : []), ...lines].join('\n').slice(0, 4000)
}
