// Time zones of calendars, and times as the model reads and writes them.
import { LruCache } from '../../base/lru-cache.ts'
import { DAY_MS } from '../../base/time/clock.ts'
import { instantOf, isZone, offsetAt } from '../../base/time/zone.ts'

export const MINUTE_MS = 60_000

export type Zone = {
  name: string
  /** The local time at this instant. */
  localOf(ms: number): number
  /** If clocks go back, the first of the two; if forward, with the offset before the change (RFC 5545, 3.3.5). */
  instantOf(local: number): number
}

const zones = new LruCache<string, Zone>(100)

/** By IANA name; null if there is no such zone. */
export function zoneOf(name: string): Zone | null {
  const known = zones.get(name)
  if (known) return known
  if (!isZone(name)) return null
  const zone = zoneFrom(name, (ms) => offsetAt(name, ms))
  zones.set(name, zone)
  return zone
}

export const utc: Zone = { name: 'UTC', localOf: (ms) => ms, instantOf: (local) => local }

export const zoneFrom = (name: string, offsetAt: (ms: number) => number): Zone => ({
  name,
  localOf: (ms) => ms + offsetAt(ms),
  instantOf: (local) => instantOf(local, offsetAt),
})

/** False for a local time that is skipped when clocks go forward. */
export const exists = (zone: Zone, local: number): boolean => zone.localOf(zone.instantOf(local)) === local

export const startOfDay = (local: number): number => Math.floor(local / DAY_MS) * DAY_MS
/** 1 is Monday, 7 is Sunday. */
export const weekdayOf = (local: number): number => ((((Math.floor(local / DAY_MS) + 3) % 7) + 7) % 7) + 1

const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
export const dayName = (weekday: number): string => dayNames[weekday - 1] ?? ''

const two = (value: number) => String(value).padStart(2, '0')

/** 2026-03-10T14:00-03:00 */
export function isoIn(zone: Zone, ms: number): string {
  const local = zone.localOf(ms)
  const offset = Math.round((local - ms) / MINUTE_MS)
  const sign = offset < 0 ? '-' : '+'
  const away = Math.abs(offset)
  return `${new Date(local).toISOString().slice(0, 16)}${sign}${two(Math.floor(away / 60))}:${two(away % 60)}`
}

/** Tuesday 2026-03-10T14:00-03:00 */
export const spoken = (zone: Zone, ms: number): string => `${dayName(weekdayOf(zone.localOf(ms)))} ${isoIn(zone, ms)}`

export const clockOf = (minutes: number): string => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`

/** 08:30 as minutes; 24:00 is the end of a day. Null for an invalid time. */
export function minutesOf(clock: string): number | null {
  const [, hours, minutes] = /^(\d\d?):(\d\d)$/.exec(clock) ?? []
  const total = Number(hours) * 60 + Number(minutes)
  return hours === undefined || Number(minutes) > 59 || total > 1440 ? null : total
}

export type Moment = { ms: number; local: number; isDay: boolean }

const written =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?\s?(Z|[+-]\d\d(?::?\d\d)?)?(?:\[[\w/+-]{1,64}\])?)?$/i

/** A day or a time from the model; without an offset it is in this zone. A string is an error message. */
export function readMoment(text: string, zone: Zone): Moment | string {
  const found = written.exec(text.trim())
  if (!found) return `"${text.slice(0, 40)}" is no date or time: write 2026-03-10 or 2026-03-10T14:30`
  const [, year, month, day, hour, minute, second = '0', offset] = found
  const isDay = hour === undefined
  const [y, mo, d, h, mi] = [year, month, day, hour ?? '0', minute ?? '0'].map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ]
  const local = Date.UTC(y, mo - 1, d, h, mi, Number(second))
  const back = new Date(local)
  const isReal = back.getUTCMonth() === mo - 1 && back.getUTCDate() === d && h < 24 && mi < 60 && Number(second) < 60
  if (!isReal || y < 1900 || y > 2200) return `"${text.slice(0, 40)}" is not a real date or time`
  if (offset === undefined) {
    if (!isDay && !exists(zone, local))
      return `${text.slice(0, 40)} does not exist in ${zone.name}: clocks go forward over it`
    return { ms: zone.instantOf(local), local, isDay }
  }
  const ms = local - offsetMs(offset)
  return { ms, local: zone.localOf(ms), isDay }
}

function offsetMs(offset: string): number {
  if (/^z$/i.test(offset)) return 0
  const digits = offset.slice(1).replace(':', '')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2) || 0)
  return (offset.startsWith('-') ? -minutes : minutes) * MINUTE_MS
}
