// The calendar provider interface, and its HTTP client: all requests share one deadline.

import type { HttpRequest, HttpResponse } from '../../base/outside/http-port.ts'
import { monotonicMs } from '../../base/time/clock.ts'
import type { HttpTools } from '../api-request.ts'
import { send, statusFailure } from '../http/send-request.ts'
import type { ToolRecord } from '../ports.ts'
import { ProviderError } from '../provider-error.ts'

export type Maker = { owner: string; tool: string }
export type Entry = {
  id: string
  startMs: number
  endMs: number
  isAllDay: boolean
  /** Transparent: does not block time. */
  isFree: boolean
  title: string
  /** The creator, if it was one of our tools. */
  madeBy: Maker | null
  /** URL and version of the entry. */
  url: string
  etag: string | null
}
export type NewEntry = Pick<Entry, 'id' | 'startMs' | 'endMs' | 'title'> & { description: string; madeBy: Maker }
/** `unread`: how many entries could not be read. */
export type Reading = { entries: Entry[]; unread: number }

/** Throws ProviderError. */
export interface CalendarProvider {
  /** Entries that overlap this range; recurring entries once per occurrence. */
  read(fromMs: number, toMs: number): Promise<Reading>
  /** `there`: an entry with this id already exists. */
  add(entry: NewEntry): Promise<'made' | 'there'>
  /** Null if it does not exist or was canceled. */
  find(id: string): Promise<Entry | null>
  remove(entry: Entry): Promise<'removed' | 'gone' | 'changed'>
}

export type CalendarRequest = HttpRequest & { hasEffect?: boolean }
export type CalendarResponse = HttpResponse & {
  /** The error that this response means. */
  refusal(): ProviderError
}
export type SendCalendarRequest = (asked: CalendarRequest) => Promise<CalendarResponse>

export const isGone = ({ status }: CalendarResponse): boolean => status === 404 || status === 410

/** `takenStatus`: what the server answers when an entry with this id exists. */
export function additionOf(answer: CalendarResponse, takenStatus: number): 'made' | 'there' {
  if (answer.status === takenStatus) return 'there'
  if (answer.status < 200 || answer.status > 299) throw answer.refusal()
  return 'made'
}

export function removalOf(answer: CalendarResponse): 'removed' | 'gone' | 'changed' {
  if (isGone(answer)) return 'gone'
  if (answer.status === 412) return 'changed'
  if (answer.status < 200 || answer.status > 299) throw answer.refusal()
  return 'removed'
}

const RETRY_MS = 300
const MAX_BYTES = 4 * 1_048_576

const words: Readonly<Record<number, string>> = {
  401: 'The calendar does not accept the login.',
  403: 'The calendar does not allow this.',
  404: 'There is no such calendar.',
  429: 'The calendar was asked too often: try again later.',
}

/** Every calendar request may be retried: entries are created under their own ids. */
export function calendarClient(
  tools: HttpTools,
  tool: ToolRecord,
  limitMs: number,
  signal: AbortSignal,
): SendCalendarRequest {
  const endMs = monotonicMs() + limitMs
  return async ({ hasEffect = false, ...request }) => {
    const rules = {
      timeoutMs: Math.max(1, endMs - monotonicMs()),
      maxRetries: 1,
      baseDelayMs: RETRY_MS,
      isExponential: true,
      isRepeatable: true,
      hasEffect,
    }
    const headers = { ...tool.headers, ...request.headers }
    const sent = await send(tools, tool, { maxBytes: MAX_BYTES, ...request, headers }, rules, signal)
    if (sent.failure) throw new ProviderError(sent.failure.error, sent.failure.isDoubtful)
    const { answer, mask } = sent
    return {
      ...answer,
      refusal() {
        const failure = statusFailure(answer, mask, hasEffect)
        const why = failure?.error ?? `The server answered with status ${answer.status}, which was not expected`
        return new ProviderError([words[answer.status], why].filter(Boolean).join(' '), failure?.isDoubtful)
      },
    }
  }
}
