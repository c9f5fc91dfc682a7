// Occurrences of iCalendar events within a time window: recurrences, overrides and exclusions.
import { DAY_MS } from '../../base/time/clock.ts'
import type { Entry } from './calendar-provider.ts'
import { type Component, type Property, plainOf, propertiesOf, readIcs, textOf } from './ics-text.ts'
import { durationIn, ruleOf, timeIn } from './ics-values.ts'
import { utc, type Zone } from './local-time.ts'
import { type Effort, startsOf } from './recurrence.ts'
import { type FoundZone, zonesIn } from './time-zones.ts'

export type Occurrence = Omit<Entry, 'id' | 'url' | 'etag'> & { uid: string }
export type Window = { fromMs: number; toMs: number; zone: Zone; effort: Effort }
/** `unread`: events that could not be read, entirely or beyond their first occurrence. */
export type Occurrences = { list: Occurrence[]; unread: number }

export const OWNER = 'X-RAMAL-OWNER'
export const TOOL = 'X-RAMAL-TOOL'

const MAX_LENGTH_MS = 400 * DAY_MS

export function occurrencesIn(ics: string, window: Window): Occurrences {
  const calendar = readIcs(ics)
  if (!calendar) return { list: [], unread: 1 }
  const zones = zonesIn(calendar, window)
  const events = calendar.parts.filter(({ name }) => name === 'VEVENT')
  const masters = new Set(events.filter((event) => textOf(event, 'RECURRENCE-ID') === undefined))
  const moved = new Map<string, Set<number>>()
  for (const event of events) {
    const was = propertiesOf(event, 'RECURRENCE-ID').flatMap((property) => timesOf(property, zones))[0]
    if (was) put(moved, textOf(event, 'UID') ?? '', was.zone.instantOf(was.local))
  }
  const told = events.map((event) => {
    const isMaster = masters.has(event)
    return toldOf(event, zones, window, isMaster ? (moved.get(textOf(event, 'UID') ?? '') ?? new Set()) : null)
  })
  const list = told.flatMap(({ list }) => list)
  return { list, unread: told.reduce((sum, { unread }) => sum + unread, 0) }
}

function put(sets: Map<string, Set<number>>, key: string, value: number): void {
  const set = sets.get(key) ?? new Set()
  sets.set(key, set.add(value))
}

/** `moved`: starts that are overridden by separate events; null for an override itself. */
function toldOf(event: Component, zones: FoundZone, window: Window, moved: Set<number> | null): Occurrences {
  if (textOf(event, 'STATUS')?.toUpperCase() === 'CANCELLED') return { list: [], unread: 0 }
  const start = propertiesOf(event, 'DTSTART').flatMap((property) => timesOf(property, zones))[0]
  if (!start) return { list: [], unread: 1 }
  const lengthMs = lengthOf(event, start, zones)
  if (lengthMs === null || lengthMs < 0) return { list: [], unread: 1 }
  const endOf = (local: number) =>
    start.isDay ? start.zone.instantOf(local + lengthMs) : start.zone.instantOf(local) + lengthMs
  const { locals, unread } = moved
    ? repeated(event, start, lengthMs, zones, window)
    : { locals: [start.local], unread: 0 }
  const list = [...new Set(locals)].flatMap((local): Occurrence[] => {
    const startMs = start.zone.instantOf(local)
    const endMs = endOf(local)
    if (moved?.has(startMs) || startMs >= window.toMs || Math.max(endMs, startMs + 1) <= window.fromMs) return []
    return [{ ...describedBy(event), startMs, endMs, isAllDay: start.isDay }]
  })
  return { list, unread }
}

function describedBy(event: Component): Omit<Occurrence, 'startMs' | 'endMs' | 'isAllDay'> {
  const owner = textOf(event, OWNER)
  return {
    uid: plainOf(textOf(event, 'UID') ?? ''),
    isFree: textOf(event, 'TRANSP')?.toUpperCase() === 'TRANSPARENT',
    title: plainOf(textOf(event, 'SUMMARY') ?? ''),
    madeBy: owner === undefined ? null : { owner: plainOf(owner), tool: plainOf(textOf(event, TOOL) ?? '') },
  }
}

function repeated(event: Component, start: Time, lengthMs: number, zones: FoundZone, window: Window) {
  const { zone } = start
  const rules = propertiesOf(event, 'RRULE').map(({ value }) => ruleOf(value, zone))
  const added = propertiesOf(event, 'RDATE').flatMap((property) => timesOf(property, zones))
  const out = propertiesOf(event, 'EXDATE').flatMap((property) => timesOf(property, zones))
  window.effort.left -= added.length + out.length
  if (window.effort.left < 0) return { locals: [start.local], unread: 1 }
  const outInstants = new Set(out.map((time) => time.zone.instantOf(time.local)))
  const outDays = new Set(out.filter(({ isDay }) => isDay).map(({ local }) => local))
  const from = zone.localOf(window.fromMs) - Math.min(lengthMs, MAX_LENGTH_MS) - DAY_MS
  const to = zone.localOf(window.toMs) + DAY_MS
  const byRules = rules.map((rule) => rule && startsOf(rule, start.local, from, to, window.effort))
  const all = [start.local, ...byRules.flatMap((found) => found ?? []), ...added.map((time) => localIn(zone, time))]
  const locals = all.filter(
    (local) => !outInstants.has(zone.instantOf(local)) && !outDays.has(Math.floor(local / DAY_MS) * DAY_MS),
  )
  return { locals, unread: byRules.filter((found) => found === null).length }
}

type Time = { local: number; zone: Zone; isDay: boolean }

const localIn = (zone: Zone, time: Time): number =>
  time.isDay ? time.local : zone.localOf(time.zone.instantOf(time.local))

/** The times of a property; for a period, its start. Invalid times are skipped. */
function timesOf({ params, value }: Property, zones: FoundZone): Time[] {
  return value.split(',').flatMap((text): Time[] => {
    const read = timeIn(text.split('/')[0] ?? '')
    if (!read) return []
    const zone = read.isUtc ? utc : zones(read.isDay ? undefined : params.TZID)
    return [{ local: read.local, zone, isDay: read.isDay }]
  })
}

/** Days are counted in local time, hours in elapsed time. */
function lengthOf(event: Component, start: Time, zones: FoundZone): number | null {
  const end = propertiesOf(event, 'DTEND').flatMap((property) => timesOf(property, zones))[0]
  if (end) {
    if (start.isDay) return Math.floor((end.local - start.local) / DAY_MS) * DAY_MS
    return end.zone.instantOf(end.local) - start.zone.instantOf(start.local)
  }
  const duration = textOf(event, 'DURATION')
  if (duration === undefined) return start.isDay ? DAY_MS : 0
  return durationIn(duration)
}
