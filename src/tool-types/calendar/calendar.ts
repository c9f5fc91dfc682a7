// Tool type calendar: appointments on a CalDAV server or in Google Calendar.
import { createHash } from 'node:crypto'
import { LruCache } from '../../base/lru-cache.ts'
import { monotonicMs, nowMs } from '../../base/time/clock.ts'
import type { HttpTools } from '../api-request.ts'
import { callerOf, parametersWith } from '../call-tool-schema.ts'
import { authorizationProblem } from '../http/authorization.ts'
import { scopedTo } from '../http/google-auth.ts'
import type { Json, Outcome, Run, ToolFunction, ToolRecord, ToolType } from '../ports.ts'
import { providerOutcome } from '../provider-error.ts'
import { type CalendarSession, cancelEvent, checkAvailability, createEvent, listEvents } from './actions.ts'
import { caldavCalendar } from './caldav.ts'
import { findCalendar } from './caldav-discovery.ts'
import { type CalendarProvider, calendarClient, type SendCalendarRequest } from './calendar-provider.ts'
import { hoursInWords, settingsOf } from './free-slots.ts'
import { GOOGLE_SCOPE, GOOGLE_URL, googleCalendar } from './google-calendar.ts'
import { utc, type Zone, zoneOf } from './local-time.ts'

type CalendarConfig = {
  provider?: string | null
  operation?: string | null
  calendarId?: string | null
  timeZone?: string | null
}

export type CalendarParts = HttpTools & {
  googleUrl?: string
  timeoutMs?: number
  /** How long a booking waits for a concurrent one of the same time. */
  settleMs?: number
  now?: () => number
}

const TIMEOUT_MS = 20_000
/** How long a discovered calendar URL is cached. */
const URL_FRESH_MS = 600_000
/** A function name has at most 64 characters; the rest is for the operation suffix. */
const MAX_NAME = 40

const when = 'Local time of the calendar without an offset, such as 2026-03-10T14:30'
const text = (description: string, maxLength = 64): Json => ({ type: 'string', description, maxLength })
const minutes: Json = { type: 'integer', description: 'How long, in minutes', minimum: 1, maximum: 1440 }
const span = {
  from: text('First day or time, such as 2026-03-10'),
  to: text('Last day or time, such as 2026-03-12'),
}

type Operation = {
  words: string
  properties: Json
  required: readonly string[]
  hasEffect: boolean
  act(session: CalendarSession, args: Json): Promise<Outcome>
}

const operations: Readonly<Record<string, Operation>> = {
  check_availability: {
    words: 'Tells which times are free for an appointment.',
    properties: { date: text('A single day, such as 2026-03-10'), ...span, durationMinutes: minutes },
    required: [],
    hasEffect: false,
    act: checkAvailability,
  },
  create_event: {
    words: 'Makes an appointment at a time that is free. Say the day, the time and the name back to the caller before.',
    properties: {
      start: text(when),
      durationMinutes: minutes,
      end: text(`${when}; instead of the duration`),
      title: text('What it is, and for whom', 200),
      description: text('What else is to be known', 2000),
      attendeeName: text('Name of the person it is for', 200),
      attendeePhone: text('Telephone number of that person'),
      attendeeEmail: text('E-mail address of that person', 254),
    },
    required: ['start', 'title'],
    hasEffect: true,
    act: createEvent,
  },
  cancel_event: {
    words: 'Cancels an appointment that was made with this tool, by its eventId, or by its start and title.',
    properties: { eventId: text('The eventId that was told', 128), start: text(when), title: text('Its title', 200) },
    required: [],
    hasEffect: true,
    act: cancelEvent,
  },
  list_events: {
    words: 'Lists what is in the calendar.',
    properties: span,
    required: [],
    hasEffect: false,
    act: listEvents,
  },
}

export function calendar({
  googleUrl = GOOGLE_URL,
  timeoutMs = TIMEOUT_MS,
  now = nowMs,
  settleMs,
  ...tools
}: CalendarParts): ToolType {
  const found = new LruCache<string, { untilMs: number; url: string }>(500)

  /** Runs the operation on the configured calendar. A failure drops the cached URL: the calendar may have moved. */
  async function inCalendar(
    tool: ToolRecord,
    zone: Zone,
    ask: SendCalendarRequest,
    work: (book: CalendarProvider) => Promise<Outcome>,
  ): Promise<Outcome> {
    const { calendarId } = tool.config as CalendarConfig
    if (isGoogle(tool)) return work(googleCalendar(ask, tool.requestUrl ?? googleUrl, calendarId || 'primary', zone))
    const key = createHash('sha256')
      .update(JSON.stringify([tool.requestUrl, tool.headers, tool.authorization, calendarId]))
      .digest('base64')
    const known = found.get(key)
    const isFresh = known !== undefined && known.untilMs > monotonicMs()
    const url = isFresh ? known.url : await findCalendar(ask, tool.requestUrl ?? '', calendarId || null)
    if (!isFresh) found.set(key, { untilMs: monotonicMs() + URL_FRESH_MS, url })
    try {
      return await work(caldavCalendar(ask, url, zone))
    } catch (error) {
      found.delete(key)
      throw error
    }
  }

  async function runOperation(tool: ToolRecord, operation: Operation, run: Run, signal: AbortSignal): Promise<Outcome> {
    const settings = settingsOf(tool.config)
    if (typeof settings === 'string') return { ok: false, error: settings }
    const zone = zoneOf((tool.config as CalendarConfig).timeZone || run.context.timeZone) ?? utc
    const ask = calendarClient(tools, isGoogle(tool) ? scopedTo(tool, GOOGLE_SCOPE) : tool, timeoutMs, signal)
    const session = {
      zone,
      settings,
      madeBy: { owner: tool.userId, tool: tool.id },
      nowMs: now(),
      signal,
      runId: run.id,
      callerNumber: callerOf(run.context.call),
      ...(settleMs === undefined ? {} : { settleMs }),
    }
    return providerOutcome(() =>
      inCalendar(tool, zone, ask, (book) => operation.act({ ...session, calendar: book }, run.args)),
    )
  }

  const offerOf = (tool: ToolRecord, name: string, operation: Operation, only: boolean): ToolFunction => ({
    name: only ? tool.name : `${tool.name.slice(0, MAX_NAME)}__${name}`,
    description: [tool.description, operation.words, hoursOf(tool)].filter(Boolean).join(' '),
    parameters:
      name === 'create_event' || only
        ? parametersWith(tool, operation.properties, operation.required)
        : { type: 'object', properties: operation.properties, required: operation.required },
    hasEffect: operation.hasEffect,
    isRepeatable: true,
    timeoutMs,
    run: (run, signal) => runOperation(tool, operation, run, signal),
  })

  return {
    problem,
    functions(tool) {
      if (problem(tool) !== null) return []
      const { operation: only } = tool.config as CalendarConfig
      return Object.entries(operations)
        .filter(([name]) => !only || name === only)
        .map(([name, operation]) => offerOf(tool, name, operation, Boolean(only)))
    },
  }
}

const providerOf = ({ config, requestUrl }: ToolRecord): string =>
  (config as CalendarConfig).provider || (requestUrl ? 'caldav' : 'google')
const isGoogle = (tool: ToolRecord) => providerOf(tool) === 'google'

function hoursOf({ config }: ToolRecord): string {
  const settings = settingsOf(config)
  return typeof settings === 'string' ? '' : `Working hours: ${hoursInWords(settings)}.`
}

/** Errors in the settings that are present; missing settings are no error. */
export function calendarConfigError({ config }: ToolRecord): string | null {
  const { timeZone } = config as CalendarConfig
  if (timeZone && !zoneOf(timeZone)) return `timeZone: ${timeZone} is no time zone, such as America/Sao_Paulo`
  const settings = settingsOf(config)
  return typeof settings === 'string' ? settings : null
}

function problem(tool: ToolRecord): string | null {
  const { operation } = tool.config as CalendarConfig
  const provider = providerOf(tool)
  if (provider !== 'caldav' && provider !== 'google') return 'config.provider must be caldav or google'
  if (operation && !Object.hasOwn(operations, operation)) return 'config.operation is not one that there is'
  if (provider === 'caldav' && !tool.requestUrl) return 'requestUrl is missing: the address of the calendar'
  if (tool.requestUrl && /[{}]/.test(tool.requestUrl)) return 'requestUrl of a calendar takes no values'
  if (provider === 'google' && !tool.authorization) return 'authorization is missing'
  return calendarConfigError(tool) ?? authorizationProblem(tool.authorization)
}
