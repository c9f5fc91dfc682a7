// Time zones by IANA name. Each zone's changes are looked up with Intl once per year; after that, times are plain
// arithmetic. A local time is a number: the milliseconds of the UTC time whose clock shows the same.

import { LruCache } from '../lru-cache.ts'
import { DAY_MS } from './clock.ts'

const MINUTE_MS = 60_000
/** Summer time may last only a month (Ramadan in Morocco), but no two changes within 15 days are known. */
const PROBE_MS = 15 * DAY_MS
/** Cached per zone. */
const MAX_YEARS = 100
/** More than the number of IANA names for clocks in use. */
const MAX_ZONES = 500

/** In the time zone of the person called. */
export type PartOfDay = 'morning' | 'afternoon' | 'evening'

/** From `fromMs` on, local time is UTC plus `offsetMs`. */
type Offset = { fromMs: number; offsetMs: number }

export function isZone(name: string): boolean {
  try {
    formatOf(name)
    return true
  } catch {
    return false // RangeError
  }
}

/** How far the zone is ahead of UTC at this moment. */
export const offsetAt = (zone: string, atMs: number): number => spanAt(zone, atMs).offsetMs

/** 2026-03-10 */
export const localDate = (zone: string, atMs: number): string =>
  new Date(atMs + offsetAt(zone, atMs)).toISOString().slice(0, 10)

/** If clocks go back, the first of the two; if they go forward, uses the offset before the change (RFC 5545, 3.3.5). */
export function instantOf(local: number, offsetAt: (atMs: number) => number): number {
  const before = local - offsetAt(local - DAY_MS)
  const after = local - offsetAt(local + DAY_MS)
  return before + offsetAt(before) !== local && after + offsetAt(after) === local ? after : before
}

const formats = new LruCache<string, Intl.DateTimeFormat>(MAX_ZONES)
function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
    formats.set(zone, format)
  }
  return format
}

/** `format` gives "MM/DD/YYYY, hh:mm:ss"; formatToParts takes three times as long. */
function readOffset(zone: string, atMs: number): number {
  const text = formatOf(zone).format(atMs)
  const at = (start: number, end: number) => Number(text.slice(start, end))
  const localMs = Date.UTC(at(6, 10), at(0, 2) - 1, at(3, 5), at(12, 14), at(15, 17), at(18, 20))
  return localMs - Math.floor(atMs / 1000) * 1000
}

const years = new LruCache<string, Map<number, readonly Offset[]>>(MAX_ZONES)
/** The offsets of a UTC year, starting with the one at its beginning. */
function offsetsOfYear(zone: string, year: number): readonly Offset[] {
  const ofZone = years.get(zone) ?? new Map<number, readonly Offset[]>()
  if (ofZone.size === 0) years.set(zone, ofZone)
  let offsets = ofZone.get(year)
  if (!offsets) {
    offsets = readYear(zone, year)
    if (ofZone.size >= MAX_YEARS) ofZone.clear()
    ofZone.set(year, offsets)
  }
  return offsets
}

function readYear(zone: string, year: number): readonly Offset[] {
  const found: Offset[] = []
  const endMs = Date.UTC(year + 1, 0, 1)
  let beforeMs = Date.UTC(year, 0, 1)
  let before = readOffset(zone, beforeMs)
  found.push({ fromMs: beforeMs, offsetMs: before })
  while (beforeMs < endMs) {
    const afterMs = Math.min(endMs, beforeMs + PROBE_MS)
    const after = readOffset(zone, afterMs)
    if (after !== before) {
      const fromMs = changeBetween(zone, beforeMs, afterMs)
      if (fromMs < endMs) found.push({ fromMs, offsetMs: after })
    }
    beforeMs = afterMs
    before = after
  }
  return found
}

/** The first minute whose offset differs from that of `beforeMs`. */
function changeBetween(zone: string, beforeMs: number, afterMs: number): number {
  const before = readOffset(zone, beforeMs)
  let low = beforeMs / MINUTE_MS
  let high = afterMs / MINUTE_MS
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (readOffset(zone, middle * MINUTE_MS) === before) low = middle
    else high = middle
  }
  return high * MINUTE_MS
}

/** The offset at a time, and until when it certainly applies: the next change, or the end of the UTC year. */
export function spanAt(zone: string, atMs: number): { offsetMs: number; untilMs: number } {
  const year = new Date(atMs).getUTCFullYear()
  const offsets = offsetsOfYear(zone, year)
  let index = offsets.length - 1
  while (index > 0 && (offsets[index]?.fromMs ?? 0) > atMs) index--
  return {
    offsetMs: offsets[index]?.offsetMs ?? 0,
    untilMs: offsets[index + 1]?.fromMs ?? Date.UTC(year + 1, 0, 1),
  }
}

/** All offset changes in a span, starting with the offset at its beginning. */
function offsetsIn(zone: string, fromMs: number, toMs: number): Offset[] {
  const found: Offset[] = [{ fromMs, offsetMs: spanAt(zone, fromMs).offsetMs }]
  const last = new Date(toMs).getUTCFullYear()
  for (let year = new Date(fromMs).getUTCFullYear(); year <= last; year++)
    for (const offset of offsetsOfYear(zone, year))
      if (offset.fromMs > fromMs && offset.fromMs < toMs && offset.offsetMs !== found.at(-1)?.offsetMs)
        found.push(offset)
  return found
}

/** Zones must agree for this many years ahead to count as one. */
const YEARS_AHEAD = 3

/** Drops zones whose clocks agree with an earlier one: 29 zones of the United States are 8 clocks. */
export function distinctZones(zones: readonly string[], nowMs = Date.now()): string[] {
  if (zones.length < 2) return [...zones]
  const first = new Date(nowMs).getUTCFullYear() - 1
  const [fromMs, toMs] = [Date.UTC(first, 0, 1), Date.UTC(first + 1 + YEARS_AHEAD, 0, 1)]
  const byClock = new Map<string, string>()
  for (const zone of zones) {
    const clock = JSON.stringify(offsetsIn(zone, fromMs, toMs))
    if (!byClock.has(clock)) byClock.set(clock, zone)
  }
  return [...byClock.values()]
}
