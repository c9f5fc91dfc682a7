// CalDAV provider (RFC 4791): time-range queries, and conditional PUT and DELETE of events.
import { setImmediate as breathe } from 'node:timers/promises'
import { DAY_MS, nowMs } from '../../base/time/clock.ts'
import { ProviderError } from '../provider-error.ts'
import { type Answered, CALDAV, childOf, DAV, readMultistatus } from './caldav-xml.ts'
import {
  additionOf,
  type CalendarProvider,
  type CalendarResponse,
  type Entry,
  isGone,
  type NewEntry,
  removalOf,
  type SendCalendarRequest,
} from './calendar-provider.ts'
import { type Occurrence, OWNER, occurrencesIn, TOOL } from './ics-events.ts'
import { escaped, writeIcs } from './ics-text.ts'
import type { Zone } from './local-time.ts'

const MAX_EFFORT = 200_000
/** Resources parsed before yielding to the event loop. */
const PARSED_AT_ONCE = 50
const MAX_RECURRING = 2000

/** `collection` ends with a slash. */
export function caldavCalendar(ask: SendCalendarRequest, collection: string, zone: Zone): CalendarProvider {
  const urlOf = (id: string) => new URL(`${encodeURIComponent(id)}.ics`, collection).href

  return {
    /**
     * Some servers return a recurring event only if its first occurrence is in the requested range. So recurring
     * events are queried separately and filtered here; a server that does not support that query is trusted.
     */
    async read(fromMs, toMs) {
      const [inTime, ...recurring] = await Promise.all([
        // One day more on both sides: servers disagree on the range of a day without a time zone.
        report(ask, collection, timeRange(fromMs - DAY_MS, toMs + DAY_MS)).then(multistatusOf),
        ...['RRULE', 'RDATE'].map((name) => recurringBy(ask, collection, name)),
      ])
      const effort = { left: MAX_EFFORT }
      const entries: Entry[] = []
      let unread = recurring.filter((resources) => resources === null).length
      const seen = new Set<string>()
      for (const [i, { href, props }] of [...inTime, ...recurring.flatMap((resources) => resources ?? [])].entries()) {
        if (i % PARSED_AT_ONCE === PARSED_AT_ONCE - 1) await breathe()
        const data = childOf(props, CALDAV, 'calendar-data')?.text
        const url = sameOrigin(href, collection)
        if (i >= inTime.length && url !== null && seen.has(url)) continue
        if (url !== null) seen.add(url)
        if (data === undefined || url === null) {
          unread++
          continue
        }
        const told = occurrencesIn(data, { fromMs, toMs, zone, effort })
        const etag = childOf(props, DAV, 'getetag')?.text.trim() ?? null
        unread += told.unread
        for (const happening of told.list) entries.push(entryOf(happening, url, etag))
      }
      return { entries: entries.sort((a, b) => a.startMs - b.startMs), unread }
    },

    async add(entry) {
      const answer = await ask({
        url: urlOf(entry.id),
        method: 'PUT',
        headers: { 'content-type': 'text/calendar; charset=utf-8', 'if-none-match': '*' },
        body: eventText(entry),
        hasEffect: true,
      })
      return additionOf(answer, 412)
    },

    async find(id) {
      const url = urlOf(id)
      const answer = await ask({ url, method: 'GET', headers: { accept: 'text/calendar' } })
      if (isGone(answer)) return null
      if (answer.status !== 200) throw answer.refusal()
      const always = { fromMs: Date.UTC(1900, 0), toMs: Date.UTC(2200, 0), zone, effort: { left: 1000 } }
      const [first] = occurrencesIn(answer.body.toString('utf8'), always).list
      return first ? entryOf(first, url, answer.headers.etag ?? null) : null
    },

    async remove({ url, etag }) {
      const isStrong = etag !== null && !etag.startsWith('W/')
      const answer = await ask({
        url,
        method: 'DELETE',
        headers: isStrong ? { 'if-match': etag } : {},
        hasEffect: true,
      })
      return removalOf(answer)
    },
  }
}

const report = (ask: SendCalendarRequest, collection: string, filter: string) =>
  ask({
    url: collection,
    method: 'REPORT',
    headers: { depth: '1', 'content-type': 'application/xml; charset=utf-8' },
    body: queryFor(filter),
  })

/** All resources with this property; null if the query failed. */
async function recurringBy(ask: SendCalendarRequest, collection: string, name: string): Promise<Answered[] | null> {
  try {
    const answer = await report(ask, collection, `<C:prop-filter name="${name}"/>`)
    if (answer.status >= 400 && answer.status < 500) return []
    const resources = answer.status === 207 ? readMultistatus(answer.body.toString('utf8')) : null
    return resources && resources.length <= MAX_RECURRING ? resources : null
  } catch (error) {
    if (error instanceof ProviderError) return null
    throw error
  }
}

export function multistatusOf(answer: CalendarResponse): Answered[] {
  if (answer.status !== 207) throw answer.refusal()
  const read = readMultistatus(answer.body.toString('utf8'))
  if (!read) throw new ProviderError('The server did not answer as a CalDAV server does.')
  return read
}

/** Credentials are never sent to another origin. */
export function sameOrigin(href: string, base: string): string | null {
  if (!URL.canParse(href, base)) return null
  const url = new URL(href, base)
  return url.origin === new URL(base).origin ? url.href : null
}

const entryOf = ({ uid, ...rest }: Occurrence, url: string, etag: string | null): Entry => ({
  id: uid,
  ...rest,
  url,
  etag,
})

/** 20260310T170000Z */
const stamp = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`

const timeRange = (fromMs: number, toMs: number): string =>
  `<C:time-range start="${stamp(fromMs)}" end="${stamp(toMs)}"/>`

const queryFor = (filter: string): string =>
  `<?xml version="1.0" encoding="utf-8"?>
<C:calendar-query xmlns:D="DAV:" xmlns:C="${CALDAV}"><D:prop><D:getetag/><C:calendar-data/></D:prop><C:filter>
<C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">${filter}</C:comp-filter></C:comp-filter></C:filter></C:calendar-query>`

/** Written in UTC, so the event needs no VTIMEZONE. */
function eventText({ id, startMs, endMs, title, description, madeBy }: NewEntry): string {
  return writeIcs([
    ['BEGIN', 'VCALENDAR'],
    ['VERSION', '2.0'],
    ['PRODID', '-//Ramal//Calendar tool//EN'],
    ['BEGIN', 'VEVENT'],
    ['UID', id],
    ['DTSTAMP', stamp(nowMs())],
    ['CREATED', stamp(nowMs())],
    ['DTSTART', stamp(startMs)],
    ['DTEND', stamp(endMs)],
    ['SUMMARY', escaped(title)],
    ...(description === '' ? [] : [['DESCRIPTION', escaped(description)] as const]),
    ['STATUS', 'CONFIRMED'],
    ['TRANSP', 'OPAQUE'],
    [OWNER, escaped(madeBy.owner)],
    [TOOL, escaped(madeBy.tool)],
    ['END', 'VEVENT'],
    ['END', 'VCALENDAR'],
  ])
}
