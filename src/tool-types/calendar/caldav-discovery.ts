// CalDAV discovery (RFC 6764): from the configured URL (a calendar, a principal or a server) to the calendar.
import { ProviderError } from '../provider-error.ts'
import { multistatusOf, sameOrigin } from './caldav.ts'
import { type Answered, CALDAV, childOf, childrenOf, DAV } from './caldav-xml.ts'
import type { CalendarResponse, SendCalendarRequest } from './calendar-provider.ts'

const MAX_REDIRECTS = 3

const bodyFor = (props: string): string =>
  `<?xml version="1.0" encoding="utf-8"?><D:propfind xmlns:D="DAV:" xmlns:C="${CALDAV}"><D:prop>${props}</D:prop></D:propfind>`
const usual = bodyFor('<D:resourcetype/><D:displayname/><C:calendar-home-set/><C:supported-calendar-component-set/>')
/** Requested separately: some servers refuse the property when the client is not authenticated. */
const whoAmI = bodyFor('<D:current-user-principal/>')

type Found = { url: string; resources: Answered[] }

/** The URL of the collection, with a trailing slash. */
export async function findCalendar(
  ask: SendCalendarRequest,
  address: string,
  calendarId: string | null,
): Promise<string> {
  const start = await startAt(ask, address)
  if (isCalendar(start.resources[0])) return withSlash(start.url)
  const home = homeIn(start) ?? (await homeOfUser(ask, start.url))
  if (!home) throw new ProviderError('There is no calendar at this address, and the server does not say where one is.')
  const { url, resources } = await look(ask, home, '1')
  const calendars = resources.filter(isCalendar).map((resource) => ({ ...resource, url: inside(resource.href, url) }))
  const meant = calendarId === null ? calendars : calendars.filter((calendar) => isCalled(calendar, calendarId))
  const [first] = meant
  if (first && meant.length === 1) return withSlash(first.url)
  if (meant.length > 1) throw new ProviderError('There are several calendars: say which one in config.calendarId.')
  throw new ProviderError(calendarId === null ? 'There is no calendar.' : `There is no calendar named ${calendarId}.`)
}

/** Falls back to the well-known URI if the configured URL has no answer. */
async function startAt(ask: SendCalendarRequest, address: string): Promise<Found> {
  const answer = await propfind(ask, address, '0')
  if (answer.status === 207) return { url: answer.url, resources: multistatusOf(answer) }
  const isRoot = new URL(address).pathname === '/'
  if (!isRoot || ![404, 405].includes(answer.status)) throw answer.refusal()
  return look(ask, new URL('/.well-known/caldav', address).href, '0')
}

const homeIn = ({ url, resources }: Found): string | null =>
  linkOf(resources[0]?.props, CALDAV, 'calendar-home-set', url)

async function homeOfUser(ask: SendCalendarRequest, address: string): Promise<string | null> {
  const { url, resources } = await look(ask, address, '0', whoAmI)
  const principal = linkOf(resources[0]?.props, DAV, 'current-user-principal', url)
  return principal && homeIn(await look(ask, principal, '0'))
}

async function look(ask: SendCalendarRequest, url: string, depth: '0' | '1', body = usual): Promise<Found> {
  const answer = await propfind(ask, url, depth, body)
  return { url: answer.url, resources: multistatusOf(answer) }
}

async function propfind(
  ask: SendCalendarRequest,
  address: string,
  depth: '0' | '1',
  body = usual,
): Promise<CalendarResponse & { url: string }> {
  let url = address
  for (let redirects = 0; ; redirects++) {
    const headers = { depth, 'content-type': 'application/xml; charset=utf-8' }
    const answer = await ask({ url, method: 'PROPFIND', headers, body })
    const { location } = answer.headers
    if (![301, 302, 307, 308].includes(answer.status) || location === undefined) return { ...answer, url }
    if (redirects === MAX_REDIRECTS) throw new ProviderError('The server redirects too often.')
    url = inside(location, url)
  }
}

function linkOf(props: Answered['props'] | undefined, space: string, name: string, base: string): string | null {
  const href = childOf(childOf(props, space, name), DAV, 'href')?.text.trim()
  return href ? inside(href, base) : null
}

function inside(href: string, base: string): string {
  const url = sameOrigin(href, base)
  if (url !== null) return url
  const host = URL.canParse(href, base) ? new URL(href, base).host : 'an unknown place'
  throw new ProviderError(`The server points to ${host}: set requestUrl to the calendar's own address there.`)
}

function isCalendar(resource: Answered | undefined): boolean {
  if (childOf(childOf(resource?.props, DAV, 'resourcetype'), CALDAV, 'calendar') === undefined) return false
  // Some collections hold only tasks.
  const kinds = childrenOf(childOf(resource?.props, CALDAV, 'supported-calendar-component-set'), CALDAV, 'comp')
  return kinds.length === 0 || kinds.some(({ attributes }) => attributes.name === 'VEVENT')
}

const withSlash = (url: string): string => (url.endsWith('/') ? url : `${url}/`)

function isCalled({ href, props }: Answered, calendarId: string): boolean {
  const same = (text: string | undefined) => text?.trim().toLowerCase() === calendarId.trim().toLowerCase()
  const path = decoded(href).replace(/\/$/, '')
  return (
    same(childOf(props, DAV, 'displayname')?.text) || same(path.split('/').at(-1)) || same(path) || same(`${path}/`)
  )
}

function decoded(href: string): string {
  try {
    return decodeURIComponent(href)
  } catch {
    return href
  }
}
