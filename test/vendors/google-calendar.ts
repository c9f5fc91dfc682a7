// Google Calendar's public REST API, version 3, limited to events, together with its token server.
import type { ServerResponse } from 'node:http'
import { googleTokenServer } from './google-tokens.ts'
import { type Asked, type Routes, startVendor } from './server.ts'

export const CLINIC = 'clinic@group.calendar.google.com'

type Time = { date?: string; dateTime?: string; timeZone?: string }
export type GoogleEvent = {
  id: string
  status: string
  etag: string
  start: Time
  end: Time
  [field: string]: unknown
}
type Fields = Record<string, unknown>

const reasons: Readonly<Record<number, string>> = { 400: 'invalid', 401: 'authError', 404: 'notFound', 410: 'deleted' }

export async function startGoogleCalendar() {
  const tokens = googleTokenServer()
  const calendars = new Map<string, Map<string, GoogleEvent>>([
    ['primary', new Map()],
    [CLINIC, new Map()],
  ])
  let version = 0
  let limited = 0
  let pageSize = 250
  let lost: string | null = null

  const routes: Routes = {
    isAllowed: () => true,
    async http(asked, response, server) {
      const url = new URL(asked.url, 'http://x')
      if (asked.method === 'POST' && url.pathname === '/token')
        return tokens.answer(asked, response, `http://${asked.headers.host}`)
      const [, calendarId, id] = /^\/calendar\/v3\/calendars\/([^/]+)\/events(?:\/([^/]+))?$/.exec(url.pathname) ?? []
      if (calendarId === undefined) return false
      const fault = server.nextFault()
      if (fault === 'silent') return true
      if (fault === 'reset-at-once') return Boolean(response.destroy())
      if (fault === 'wrong') return Boolean(response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'))
      if (fault === 'empty')
        return Boolean(response.writeHead(200, { 'content-type': 'application/json' }).end('{"items":7}'))
      if (fault === 'throttled') return refuse(response, 429, 'Rate Limit Exceeded', 'rateLimitExceeded')
      if (fault === 'broken') return refuse(response, 500, 'Backend Error', 'backendError')
      if (tokens.scopeOf(asked) === null || fault === 'unauthorized')
        return refuse(response, 401, `Invalid Credentials ${asked.headers.authorization}`)
      if (limited > 0) {
        limited--
        return refuse(response, 403, 'Rate Limit Exceeded', 'rateLimitExceeded')
      }
      const events = calendars.get(decodeURIComponent(calendarId))
      if (!events) return refuse(response, 404, 'Not Found')
      if (asked.method === lost) {
        lost = null
        // The request is executed, but the response is lost.
        answer(asked, { writeHead: () => ({ end() {} }) } as unknown as ServerResponse, events, url, id)
        return Boolean(response.destroy())
      }
      return answer(asked, response, events, url, id && decodeURIComponent(id))
    },
  }

  type Events = Map<string, GoogleEvent>
  function answer(asked: Asked, response: ServerResponse, events: Events, url: URL, id: string | undefined): boolean {
    if (id === undefined && asked.method === 'GET') return list(response, events, url.searchParams)
    if (id === undefined && asked.method === 'POST') return insert(asked, response, events)
    const event = events.get(id ?? '')
    if (!event) return refuse(response, 404, 'Not Found')
    if (asked.method === 'GET') return send(response, shown(event, url.searchParams.get('fields')))
    if (asked.method !== 'DELETE') return refuse(response, 400, 'Method not here')
    if (event.status === 'cancelled') return refuse(response, 410, 'Resource has been deleted')
    const match = asked.headers['if-match']
    if (match !== undefined && match !== event.etag)
      return refuse(response, 412, 'Precondition Failed', 'conditionNotMet')
    event.status = 'cancelled'
    response.writeHead(204).end()
    return true
  }

  function list(response: ServerResponse, events: Events, query: URLSearchParams): boolean {
    const [min, max] = [query.get('timeMin'), query.get('timeMax')]
    const isTime = (text: string | null) =>
      text === null || /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text)
    if (!isTime(min) || !isTime(max)) return refuse(response, 400, 'Bad Request', 'badRequest')
    if (query.get('orderBy') === 'startTime' && query.get('singleEvents') !== 'true')
      return refuse(response, 400, 'The requested ordering is not available for the particular query.')
    const start = (event: GoogleEvent) => instantOf(event.start)
    const found = [...events.values()]
      .filter((event) => event.status !== 'cancelled' || query.get('showDeleted') === 'true')
      .filter((event) => min === null || instantOf(event.end) > Date.parse(min))
      .filter((event) => max === null || start(event) < Date.parse(max))
      .sort((a, b) => start(a) - start(b))
    const from = Number(query.get('pageToken')?.slice(1) ?? 0)
    const size = Math.min(pageSize, Number(query.get('maxResults') ?? 250))
    const more = from + size < found.length ? { nextPageToken: `p${from + size}` } : {}
    const items = found.slice(from, from + size)
    const value = { kind: 'calendar#events', summary: 'Clinic', timeZone: 'America/Sao_Paulo', ...more, items }
    return send(response, shown(value, query.get('fields')))
  }

  function insert({ body }: Asked, response: ServerResponse, events: Events): boolean {
    const given = JSON.parse(Buffer.from(body, 'latin1').toString('utf8')) as Partial<GoogleEvent>
    const id = given.id ?? `made${++version}`
    if (!/^[a-v0-9]{5,1024}$/.test(id)) return refuse(response, 400, 'Invalid resource id value.')
    if (events.has(id)) return refuse(response, 409, 'The requested identifier already exists.', 'duplicate')
    if (!given.start || !given.end) return refuse(response, 400, 'Missing end time.', 'required')
    if (!(instantOf(given.end) >= instantOf(given.start)))
      return refuse(response, 400, 'The specified time range is empty.', 'timeRangeEmpty')
    return send(response, put(events, { ...given, id }))
  }

  /** Times are returned in the calendar's time zone. */
  function put(events: Events, given: Partial<GoogleEvent> & { id: string }): GoogleEvent {
    const local = (time: Time | undefined): Time =>
      time?.dateTime ? { dateTime: inSaoPaulo(time.dateTime), timeZone: 'America/Sao_Paulo' } : { ...time }
    const stamp = new Date().toISOString()
    const event: GoogleEvent = {
      kind: 'calendar#event',
      status: 'confirmed',
      created: stamp,
      updated: stamp,
      iCalUID: `${given.id}@google.com`,
      ...given,
      etag: `"${++version}000"`,
      start: local(given.start),
      end: local(given.end),
    }
    events.set(given.id, event)
    return event
  }

  const vendor = await startVendor(routes)
  return {
    ...vendor,
    apiUrl: `${vendor.url}/calendar/v3`,
    tokens,
    /** Adds an event of another organizer. */
    seed: (event: Partial<GoogleEvent> & { id: string }, calendarId = 'primary') =>
      put(calendars.get(calendarId) as Events, event),
    events: (calendarId = 'primary') => [...(calendars.get(calendarId) as Events).values()],
    limit: (times: number) => {
      limited = times
    },
    /** The next request with this method is executed, and its response is lost. */
    lose: (method: string) => {
      lost = method
    },
    pages: (size: number) => {
      pageSize = size
    },
  }
}

const inSaoPaulo = (dateTime: string): string =>
  `${new Date(Date.parse(dateTime) - 3 * 3_600_000).toISOString().slice(0, 19)}-03:00`

/** A date in the calendar's time zone, which has had no daylight saving time since 2019. */
const instantOf = ({ date, dateTime }: Time): number => Date.parse(dateTime ?? `${date}T00:00:00-03:00`)

function send(response: ServerResponse, value: object, status = 200): true {
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' }).end(JSON.stringify(value))
  return true
}

function refuse(response: ServerResponse, code: number, message: string, reason = reasons[code] ?? 'error'): true {
  return send(response, { error: { errors: [{ domain: 'global', reason, message }], code, message } }, code)
}

/** Applies a partial-response field mask such as `a,b(c,d)`. */
function shown(value: object, fields: string | null): object {
  if (fields === null) return value
  const parts = fields.match(/[\w]+(\((?:[^()]|\([^()]*\))*\))?/g) ?? []
  return Object.fromEntries(
    parts.flatMap((part) => {
      const [, name = '', inner] = /^(\w+)(?:\((.*)\))?$/.exec(part) ?? []
      const found = (value as Fields)[name]
      if (found === undefined) return []
      if (inner === undefined) return [[name, found]]
      return [[name, Array.isArray(found) ? found.map((item) => shown(item, inner)) : shown(found as object, inner)]]
    }),
  )
}
