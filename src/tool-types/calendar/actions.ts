// Calendar operations: check availability, create, cancel and list events. The provider is behind `calendar`.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { foldSpaces } from '../../base/text/text.ts'
import { DAY_MS, monotonicMs } from '../../base/time/clock.ts'
import { refused } from '../call-tool-schema.ts'
import type { Json, Outcome } from '../ports.ts'
import { ProviderError } from '../provider-error.ts'
import { plainText } from '../results.ts'
import type { CalendarProvider, Entry, NewEntry } from './calendar-provider.ts'
import {
  type CalendarSettings,
  freeStarts,
  hoursInWords,
  overlaps,
  type Span,
  someOf,
  spanInWords,
} from './free-slots.ts'
import { isoIn, MINUTE_MS, readMoment, spoken, startOfDay, type Zone } from './local-time.ts'
import { descriptionOf, eventTimeOf, horizonOf, lengthOf, windowOf } from './requests.ts'

export type CalendarSession = {
  calendar: CalendarProvider
  zone: Zone
  settings: CalendarSettings
  /** Marks events created by this owner and tool; events of others are never changed. */
  madeBy: { owner: string; tool: string }
  nowMs: number
  signal: AbortSignal
  /** Id of this run: a repeated run finds the event it created. */
  runId: string
  callerNumber: string | null
  /** How long to wait for a concurrent booking of the same time. */
  settleMs?: number
}

const MAX_SLOTS = 20
const MAX_LISTED = 50
const MAX_ALTERNATIVES = 5
const SETTLE_MS = 3000
const POLL_MS = 200

const told = (lines: readonly string[]): Outcome => ({ ok: true, text: lines.join('\n') })

const unreadNote = (unread: number): string[] =>
  unread === 0 ? [] : [`Note: ${unread} entries of the calendar could not be read and are not counted.`]

export async function checkAvailability(session: CalendarSession, args: Json): Promise<Outcome> {
  const { calendar, zone, settings, nowMs } = session
  const asked = windowOf(args, zone, nowMs)
  if (typeof asked === 'string') return refused(asked)
  const horizon = horizonOf(settings, zone, nowMs)
  const span = { startMs: Math.max(asked.startMs, nowMs), endMs: Math.min(asked.endMs, horizon) }
  if (asked.endMs <= nowMs) return told(['Nothing can be booked then: it is in the past.'])
  if (asked.startMs >= horizon)
    return told([`Nothing can be booked then: at most ${settings.maxDaysAhead} days ahead.`])
  const lengthMs = lengthOf(args, settings)
  const { entries, unread } = await calendar.read(span.startMs - settings.bufferMs, span.endMs + settings.bufferMs)
  const starts = freeStarts(entries, settings, zone, span, lengthMs)
  const shown = someOf(starts, zone, MAX_SLOTS)
  const what = `${lengthMs / MINUTE_MS} minutes, times of ${zone.name}`
  if (shown.length === 0) {
    const when = spanInWords(zone, span)
    return told([
      `Nothing is free (${what}) from ${when}. Working hours: ${hoursInWords(settings)}.`,
      ...unreadNote(unread),
    ])
  }
  const more = starts.length - shown.length
  return told([
    `Free starts (${what}):`,
    ...shown.map((ms) => spoken(zone, ms)),
    ...(more > 0 ? [`and ${more} more: ask for a single day or a narrower time to see them.`] : []),
    ...unreadNote(unread),
  ])
}

/** Uses only characters that every calendar accepts in an id. Deterministic per run. */
export const eventIdOf = (runId: string): string =>
  `ramal${createHash('sha256').update(runId).digest('hex').slice(0, 26)}`

export async function createEvent(session: CalendarSession, args: Json): Promise<Outcome> {
  const { calendar, zone, settings, nowMs } = session
  const title = plainText(String(args.title ?? ''))
    .replace(/\s+/g, ' ')
    .trim()
  if (title === '') return refused('Missing: title')
  const id = eventIdOf(session.runId)
  const span = eventTimeOf(args, settings, zone, nowMs)
  if (typeof span === 'string') return refused(span)
  const day = startOfDay(zone.localOf(span.startMs))
  const dayMs = { startMs: zone.instantOf(day), endMs: Math.max(zone.instantOf(day + DAY_MS), span.endMs) }
  const { entries } = await calendar.read(dayMs.startMs - settings.bufferMs, dayMs.endMs + settings.bufferMs)
  const before = entries.find((entry) => entry.id === id)
  const isTaken = entries.some((entry) => entry.id !== id && overlaps(entry, span, settings.bufferMs))
  if (!before && !settings.allowOverlap && isTaken) return taken(session, entries, span, dayMs)
  const entry = { id, ...span, title, description: descriptionOf(args, session.callerNumber), madeBy: session.madeBy }
  const standing = before ?? ((await calendar.add(entry)) === 'made' ? entry : await calendar.find(id))
  if (!standing) return refused('This event was made before, and cancelled since.')
  // An event that its owner has since moved is left alone.
  const isMoved = standing.startMs !== span.startMs || standing.endMs !== span.endMs
  if (isMoved || settings.allowOverlap || (await stands(session, entry))) return booked(standing, zone)
  return taken(session, entries, span, dayMs)
}

/**
 * Two runs may find the same time free and both create their event. Each then checks again: if it sees a lower id it
 * withdraws; if it sees a higher id it waits for that event to go, and withdraws if it stays, because the other run
 * checked before ours was created. So both never remain.
 */
async function stands(
  { calendar, settings, signal, settleMs = SETTLE_MS }: CalendarSession,
  entry: NewEntry,
): Promise<boolean> {
  const { id, startMs, endMs } = entry
  const untilMs = monotonicMs() + settleMs
  const doubt = (error: unknown) =>
    error instanceof ProviderError
      ? new ProviderError(`The event was written, but it is not sure that it stands: ${error.message}`, true)
      : error
  try {
    for (;;) {
      const { entries } = await calendar.read(startMs - settings.bufferMs, endMs + settings.bufferMs)
      const rivals = entries.filter((other) => other.id !== id && overlaps(other, entry, settings.bufferMs))
      if (rivals.length === 0) return true
      if (monotonicMs() > untilMs || signal.aborted || rivals.some((rival) => !rival.madeBy || rival.id < id)) break
      await sleep(POLL_MS, undefined, { signal }).catch(() => {})
    }
    const mine = await calendar.find(id)
    if (mine) await calendar.remove({ ...mine, etag: null })
    return false
  } catch (error) {
    throw doubt(error)
  }
}

function taken({ zone, settings, nowMs }: CalendarSession, entries: readonly Entry[], span: Span, day: Span): Outcome {
  const rest = { startMs: Math.max(day.startMs, nowMs), endMs: day.endMs }
  const free = freeStarts(entries, settings, zone, rest, span.endMs - span.startMs)
  const others = free.filter((startMs) => startMs !== span.startMs)
  const near = others
    .sort((a, b) => Math.abs(a - span.startMs) - Math.abs(b - span.startMs))
    .slice(0, MAX_ALTERNATIVES)
    .sort((a, b) => a - b)
  const instead =
    near.length === 0
      ? 'Nothing else is free that day.'
      : `Free that day: ${near.map((ms) => isoIn(zone, ms)).join(', ')}.`
  return refused(`That time is taken. ${instead}`)
}

function booked({ id, title, ...span }: Entry | NewEntry, zone: Zone): Outcome {
  return {
    ok: true,
    text: `Booked: ${shown(title)}, ${spanInWords(zone, span)} (${zone.name}). eventId: ${id}`,
    variables: { eventId: id, eventStart: isoIn(zone, span.startMs) },
  }
}

/** Titles are untrusted text. */
const shown = (title: string): string =>
  JSON.stringify(plainText(title).replace(/\s+/g, ' ').slice(0, 200).toWellFormed())

export async function cancelEvent(session: CalendarSession, args: Json): Promise<Outcome> {
  for (let tries = 0; tries < 2; tries++) {
    const found = await meant(session, args)
    if ('ok' in found) return found
    if (found.madeBy?.owner !== session.madeBy.owner)
      return refused('That event was not made by this tool, and may not be cancelled by it.')
    if (found.endMs < session.nowMs) return refused('That event is over already.')
    if ((await session.calendar.remove(found)) !== 'changed')
      return { ok: true, text: `Cancelled: ${shown(found.title)}, ${spanInWords(session.zone, found)}.` }
  }
  return refused('The event is being changed by somebody else just now: try again later.')
}

async function meant({ calendar, zone, madeBy }: CalendarSession, args: Json): Promise<Entry | Outcome> {
  const [id, start, title] = [args.eventId, args.start, args.title].map((value) => String(value ?? '').trim())
  if (id) {
    const found = /^ramal[0-9a-f]{26}$/.test(id) ? await calendar.find(id) : null
    if (found) return found
    return { ok: true, text: 'There is no such event in the calendar: it was cancelled before, or never made.' }
  }
  if (!start) return refused('Missing: eventId, or start and title')
  const moment = readMoment(start, zone)
  if (typeof moment === 'string') return refused(`start: ${moment}`)
  if (moment.isDay) return refused('start needs a time of day, such as 2026-03-10T14:30')
  const { entries } = await calendar.read(moment.ms, moment.ms + MINUTE_MS)
  const own = entries.filter((entry) => entry.startMs === moment.ms && entry.madeBy?.owner === madeBy.owner)
  const named = own.filter(
    (entry) =>
      !title ||
      foldSpaces(entry.title).includes(foldSpaces(title)) ||
      foldSpaces(title).includes(foldSpaces(entry.title)),
  )
  const [first] = named
  if (!first)
    return refused(
      `No event that was made here begins on ${spoken(zone, moment.ms)}${title ? ' under that title' : ''}.`,
    )
  return named.length === 1 ? first : refused('Several events begin then: the title or the eventId is needed.')
}

export async function listEvents(
  { calendar, zone, settings, madeBy, nowMs }: CalendarSession,
  args: Json,
): Promise<Outcome> {
  const span = windowOf(args, zone, nowMs)
  if (typeof span === 'string') return refused(span)
  const { entries, unread } = await calendar.read(span.startMs, span.endMs)
  const lines = entries.slice(0, MAX_LISTED).map((entry) => {
    const isOwn = entry.madeBy?.owner === madeBy.owner
    const when = entry.isAllDay ? `all day, ${spanInWords(zone, entry)}` : spanInWords(zone, entry)
    const title = isOwn || settings.showDetails ? shown(entry.title) : entry.isFree ? 'a note' : 'busy'
    return `${when}: ${title}${isOwn ? ` (eventId ${entry.id})` : ''}`
  })
  const more = entries.length - lines.length
  return told([
    lines.length === 0
      ? `No events from ${spanInWords(zone, span)} (${zone.name}).`
      : `Events (times of ${zone.name}):`,
    ...lines,
    ...(more > 0 ? [`and ${more} more: ask for a narrower time to see them.`] : []),
    ...unreadNote(unread),
  ])
}
