// Google Calendar provider (REST API v3). Google expands recurring events itself.
import { jsonOf } from '../http/response.ts'
import { ProviderError } from '../provider-error.ts'
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
import type { Zone } from './local-time.ts'

export const GOOGLE_URL = 'https://www.googleapis.com/calendar/v3'
export const GOOGLE_SCOPE = 'https://www.googleapis.com/auth/calendar.events'

const MAX_PAGES = 10
const EVENTS_PER_PAGE = 250
const FIELDS = 'id,etag,status,summary,start,end,transparency,extendedProperties,attendees(self,responseStatus)'

type Time = { date?: unknown; dateTime?: unknown }
type Event = {
  id?: unknown
  etag?: unknown
  status?: unknown
  summary?: unknown
  start?: Time
  end?: Time
  transparency?: unknown
  extendedProperties?: { private?: Record<string, unknown> }
  attendees?: { self?: unknown; responseStatus?: unknown }[]
}

export function googleCalendar(
  send: SendCalendarRequest,
  baseUrl: string,
  calendarId: string,
  zone: Zone,
): CalendarProvider {
  const events = `${baseUrl.replace(/\/$/, '')}/calendars/${encodeURIComponent(calendarId)}/events`
  const urlOf = (id: string) => `${events}/${encodeURIComponent(id)}`
  const ask: SendCalendarRequest = async (asked) => {
    const answer = await send(asked)
    return { ...answer, refusal: () => refusalOf(answer) }
  }

  return {
    async read(fromMs, toMs) {
      const entries: Entry[] = []
      let unread = 0
      let pageToken = ''
      for (let page = 0; page < MAX_PAGES; page++) {
        const query = new URLSearchParams({
          timeMin: new Date(fromMs).toISOString(),
          timeMax: new Date(toMs).toISOString(),
          singleEvents: 'true',
          orderBy: 'startTime',
          maxResults: String(EVENTS_PER_PAGE),
          fields: `nextPageToken,items(${FIELDS})`,
          ...(pageToken === '' ? {} : { pageToken }),
        })
        const answer = await ask({ url: `${events}?${query}`, method: 'GET' })
        const { items, nextPageToken } = jsonObjectOf<{ items?: unknown; nextPageToken?: unknown }>(answer)
        if (items !== undefined && !Array.isArray(items)) throw notGoogle()
        for (const item of (items ?? []) as Event[]) {
          if (item?.status === 'cancelled') continue
          const entry = entryOf(item, urlOf, zone)
          if (entry) entries.push(entry)
          else unread++
        }
        if (typeof nextPageToken !== 'string' || nextPageToken === '') return { entries, unread }
        pageToken = nextPageToken
      }
      throw new ProviderError('The calendar has too many events in that time: ask for a narrower one.')
    },

    async add(entry) {
      const answer = await ask({
        url: `${events}?sendUpdates=none`,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(eventOf(entry)),
        hasEffect: true,
      })
      return additionOf(answer, 409)
    },

    async find(id) {
      const answer = await ask({ url: `${urlOf(id)}?${new URLSearchParams({ fields: FIELDS })}`, method: 'GET' })
      if (isGone(answer)) return null
      const event = jsonObjectOf<Event>(answer)
      if (event.status === 'cancelled') return null
      const entry = entryOf(event, urlOf, zone)
      if (!entry) throw notGoogle()
      return entry
    },

    async remove({ url, etag }) {
      const answer = await ask({
        url: `${url}?sendUpdates=none`,
        method: 'DELETE',
        headers: etag === null ? {} : { 'if-match': etag },
        hasEffect: true,
      })
      return removalOf(answer)
    },
  }
}

const notGoogle = () => new ProviderError('The server did not answer as Google Calendar does.')

function jsonObjectOf<T extends object>(answer: CalendarResponse): T {
  if (answer.status !== 200) throw answer.refusal()
  const value = jsonOf(answer)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw notGoogle()
  return value as T
}

/** Google uses 403 for rate limits too. */
function refusalOf(answer: CalendarResponse): ProviderError {
  const told = jsonOf(answer) as { error?: { errors?: { reason?: unknown }[] } } | undefined
  const reason = String(told?.error?.errors?.[0]?.reason ?? '')
  if (answer.status === 403 && /^(userR|r)ateLimitExceeded$|^quotaExceeded$/.test(reason))
    return new ProviderError('The calendar was asked too often: try again later.')
  return answer.refusal()
}

function entryOf(event: Event, urlOf: (id: string) => string, zone: Zone): Entry | null {
  const start = instantOf(event?.start, zone)
  const end = instantOf(event?.end, zone)
  if (typeof event?.id !== 'string' || start === null || end === null) return null
  const { ramalOwner, ramalTool } = event.extendedProperties?.private ?? {}
  const isDeclined = event.attendees?.some(({ self, responseStatus }) => self === true && responseStatus === 'declined')
  return {
    id: event.id,
    startMs: start,
    endMs: end,
    isAllDay: typeof event.start?.date === 'string',
    isFree: event.transparency === 'transparent' || isDeclined === true,
    title: typeof event.summary === 'string' ? event.summary : '',
    madeBy: typeof ramalOwner === 'string' ? { owner: ramalOwner, tool: String(ramalTool ?? '') } : null,
    url: urlOf(event.id),
    etag: typeof event.etag === 'string' ? event.etag : null,
  }
}

function instantOf(time: Time | undefined, zone: Zone): number | null {
  if (typeof time?.date === 'string' && /^\d{4}-\d\d-\d\d$/.test(time.date)) {
    const local = Date.parse(`${time.date}T00:00:00Z`)
    return Number.isNaN(local) ? null : zone.instantOf(local)
  }
  const ms = typeof time?.dateTime === 'string' ? Date.parse(time.dateTime) : Number.NaN
  return Number.isNaN(ms) ? null : ms
}

const eventOf = ({ id, startMs, endMs, title, description, madeBy }: NewEntry) => ({
  id,
  summary: title,
  description,
  start: { dateTime: new Date(startMs).toISOString() },
  end: { dateTime: new Date(endMs).toISOString() },
  status: 'confirmed',
  transparency: 'opaque',
  extendedProperties: { private: { ramalOwner: madeBy.owner, ramalTool: madeBy.tool } },
})
