// Call filters: read from the page's address, sent to the API. Pure.
import type { Call } from '../../../../client/paths.ts'

export const statuses = [
  'initiating',
  'ringing',
  'in_progress',
  'transferring',
  'completed',
  'failed',
  'busy',
  'no_answer',
  'canceled',
] as const satisfies readonly Call['status'][]
export const directions = ['inbound', 'outbound'] as const

export type CallFilters = {
  agentId: string | null
  status: Call['status'] | null
  direction: Call['direction'] | null
  /** Local dates, inclusive: 2026-01-31 */
  from: string | null
  to: string | null
  q: string
}

export const noFilters: CallFilters = { agentId: null, status: null, direction: null, from: null, to: null, q: '' }

const MAX_TEXT = 255
const oneOf = <T extends string>(all: readonly T[], text: string | null): T | null =>
  all.find((one) => one === text) ?? null

const isDay = (text: string | null): text is string =>
  text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`))

/** Ignores unknown or invalid parameters. */
export function filtersOf(params: URLSearchParams): CallFilters {
  const from = params.get('from')
  const to = params.get('to')
  return {
    agentId: params.get('agentId') || null,
    status: oneOf(statuses, params.get('status')),
    direction: oneOf(directions, params.get('direction')),
    from: isDay(from) ? from : null,
    to: isDay(to) ? to : null,
    q: (params.get('q') ?? '').slice(0, MAX_TEXT),
  }
}

export function searchParamsOf(filters: CallFilters): URLSearchParams {
  const set = Object.entries(filters).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return new URLSearchParams(set)
}

/** Local midnight of a date, `later` days after it. */
export function dayStart(day: string, later = 0): string {
  const [year = 1970, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + later).toISOString()
}

export type CallQuery = {
  agentId?: string
  status?: Call['status']
  direction?: Call['direction']
  from?: string
  to?: string
  q?: string
}

export function queryOf({ agentId, status, direction, from, to, q }: CallFilters): CallQuery {
  return {
    ...(agentId ? { agentId } : {}),
    ...(status ? { status } : {}),
    ...(direction ? { direction } : {}),
    ...(from ? { from: dayStart(from) } : {}),
    ...(to ? { to: dayStart(to, 1) } : {}),
    ...(q.trim() ? { q: q.trim() } : {}),
  }
}

export const isFiltered = (filters: CallFilters): boolean => Object.values(filters).some(Boolean)
