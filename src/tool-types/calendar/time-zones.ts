// Resolves a TZID: an IANA time zone, or else the VTIMEZONE in the same text.
import { DAY_MS } from '../../base/time/clock.ts'
import { type Component, propertiesOf, textOf } from './ics-text.ts'
import { offsetIn, ruleOf, timeIn } from './ics-values.ts'
import { utc, type Zone, zoneFrom, zoneOf } from './local-time.ts'
import { type Effort, startsOf } from './recurrence.ts'

/** Without a TZID, or with one that is unknown: the calendar's own zone. */
export type FoundZone = (tzid: string | undefined) => Zone

type Times = { fromMs: number; toMs: number; zone: Zone; effort: Effort }

const YEAR_MS = 366 * DAY_MS
const MAX_CHANGES = 500

export function zonesIn(calendar: Component, times: Times): FoundZone {
  const known = new Map<string, Zone>()
  const find = (tzid: string): Zone => {
    const described = calendar.parts.find((part) => part.name === 'VTIMEZONE' && textOf(part, 'TZID') === tzid)
    return zoneOf(tzid) ?? (described && describedZone(described, times)) ?? zoneAtEnd(tzid) ?? times.zone
  }
  return (tzid) => {
    if (tzid === undefined) return times.zone
    const zone = known.get(tzid) ?? find(tzid)
    known.set(tzid, zone)
    return zone
  }
}

/** Some programs write /example.org/2020/Europe/Madrid. */
function zoneAtEnd(tzid: string): Zone | null {
  const parts = tzid.split('/').slice(-3)
  return parts.reduce<Zone | null>((found, _, i) => found ?? zoneOf(parts.slice(i).join('/')), null)
}

type Change = { atMs: number; before: number; after: number }

/** Transitions are computed only around the window. */
function describedZone(described: Component, { fromMs, toMs, effort }: Times): Zone | null {
  const changes = described.parts
    .flatMap((part): Change[] => {
      const before = offsetIn(textOf(part, 'TZOFFSETFROM'))
      const after = offsetIn(textOf(part, 'TZOFFSETTO'))
      // Some programs start their rules in 1601.
      const first = timeIn((textOf(part, 'DTSTART') ?? '').replace(/^1[0-8]\d\d/, '1970'))
      if (before === null || after === null || !first) return []
      const rule = ruleOf(textOf(part, 'RRULE') ?? '', utc)
      const starts = rule ? (startsOf(rule, first.local, fromMs - 2 * YEAR_MS, toMs + YEAR_MS, effort) ?? []) : []
      const dates = propertiesOf(part, 'RDATE').flatMap(({ value }) => timeIn(value)?.local ?? [])
      return [first.local, ...starts, ...dates].map((local) => ({ atMs: local - before, before, after }))
    })
    .sort((a, b) => a.atMs - b.atMs)
    .slice(-MAX_CHANGES)
  const [first] = changes
  if (!first) return null
  const name = textOf(described, 'TZID') ?? ''
  return zoneFrom(name, (ms) => changes.findLast(({ atMs }) => atMs <= ms)?.after ?? first.before)
}
