// Google Sheets provider (REST API v4). The first row of the range names the columns; values are written RAW, so that
// no text becomes a formula.

import type { HttpResponse } from '../../base/outside/http-port.ts'
import { columnKey } from '../../base/text/table-cells.ts'
import { comparableText, matchOf } from '../../base/text/text.ts'
import { monotonicMs } from '../../base/time/clock.ts'
import type { HttpTools } from '../api-request.ts'
import { excerptOf, jsonOf } from '../http/response.ts'
import { send } from '../http/send-request.ts'
import type { ToolRecord } from '../ports.ts'
import { ProviderError } from '../provider-error.ts'
import { type Grid, headRange, normalRange, quoted, rangeStart, rowRange } from './a1-ranges.ts'
import type { Row, Search, Sheet, Values } from './spreadsheet-provider.ts'

export const GOOGLE_SHEETS_URL = 'https://sheets.googleapis.com'
export const GOOGLE_SHEETS_SCOPE = 'https://www.googleapis.com/auth/spreadsheets'

const MAX_BYTES = 10_485_760

type Asked = { path: string; method: 'GET' | 'POST' | 'PUT'; body?: object; query?: Record<string, string> }
/** The JSON of the response; throws ProviderError. */
export type SendSheetsRequest = (baseUrl: string, asked: Asked) => Promise<Record<string, unknown>>

export type SpreadsheetRange = { baseUrl: string; spreadsheetId: string; range: string | null; idColumn: string | null }

/** All requests of a run share its timeout. */
export function googleSheetsClient(
  tools: HttpTools,
  tool: ToolRecord,
  timeoutMs: number,
  signal: AbortSignal,
): SendSheetsRequest {
  const endMs = monotonicMs() + timeoutMs
  return async (baseUrl, { path, method, body, query = {} }) => {
    const search = new URLSearchParams(query).toString()
    const request = {
      url: `${baseUrl.replace(/\/$/, '')}/v4/spreadsheets/${path}${search === '' ? '' : `?${search}`}`,
      method,
      headers: { accept: 'application/json', ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
      maxBytes: MAX_BYTES,
    }
    const rules = {
      timeoutMs: Math.max(1, endMs - monotonicMs()),
      maxRetries: 2,
      baseDelayMs: 300,
      isExponential: true,
      isRepeatable: method !== 'POST', // Google has no idempotency keys
      hasEffect: method !== 'GET',
    }
    const { answer, failure, mask } = await send(tools, tool, request, rules, signal)
    if (failure) throw new ProviderError(failure.error, failure.isDoubtful)
    if (answer.status !== 200) throw refusalOf(answer, tool, mask, method)
    const value = jsonOf(answer)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
    throw new ProviderError('The server did not answer as Google Sheets does', method !== 'GET')
  }
}

function refusalOf(
  answer: HttpResponse,
  tool: ToolRecord,
  mask: (text: string) => string,
  method: string,
): ProviderError {
  const { status } = answer
  const told = jsonOf(answer) as { error?: { message?: unknown } } | undefined
  const message = told?.error?.message
  const why = mask(typeof message === 'string' ? message.slice(0, 300) : excerptOf(answer))
  const email = tool.authorization?.clientEmail
  if (status === 401) return new ProviderError('Google does not accept the authorization of this tool')
  if (status === 403) {
    const hint = typeof email === 'string' ? `; is the spreadsheet shared with ${email}?` : ''
    return new ProviderError(`Google refuses: ${why}${hint}`)
  }
  if (status === 404) return new ProviderError('Google knows no spreadsheet with this id')
  if (status === 429) return new ProviderError('Google was asked too often: try again later')
  // A server error leaves the outcome unknown.
  return new ProviderError(`Google answered with status ${status}: ${why}`, method === 'POST' && status >= 500)
}

export function googleSheet(
  ask: SendSheetsRequest,
  { baseUrl, spreadsheetId, range, idColumn }: SpreadsheetRange,
): Sheet {
  // Users paste the URL from the browser.
  const id = /\/d\/([\w-]+)/.exec(spreadsheetId)?.[1] ?? spreadsheetId
  const values = (range: string) => `${encodeURIComponent(id)}/values/${encodeURIComponent(range)}`
  let place: Promise<string> | undefined
  let head: Promise<Grid> | undefined
  let grid: Promise<Grid> | undefined

  const wholeRange = () => {
    place ??= range ? Promise.resolve(normalRange(range)) : firstSheet(ask, baseUrl, id)
    return place
  }

  const read = async (range: string): Promise<Grid> =>
    gridIn(await ask(baseUrl, { path: values(range), method: 'GET', query: { majorDimension: 'ROWS' } }))

  const headOf = () => {
    head ??= wholeRange().then((range) => read(headRange(range)))
    return head
  }
  const gridOf = () => {
    grid ??= wholeRange().then(read)
    return grid
  }

  /** The row that this run already added, if the owner has configured an id column. */
  async function addedBy(runId: string): Promise<Row | null> {
    if (idColumn === null) return null
    const read = await gridOf()
    const column = named(read.columns, idColumn)
    if (column === undefined) throw new ProviderError(`There is no column ${idColumn}, which config.idColumn names`)
    const at = read.rows.findIndex((_, i) => rowAt(read, i).values[column] === runId)
    return at === -1 ? null : rowAt(read, at)
  }

  return {
    columns: async () => (await headOf()).columns.filter((name) => name !== ''),
    find: async (search) => matching(await gridOf(), search),
    changedBy: async () => null, // repeating the same update is harmless

    async append(given, runId) {
      const known = await addedBy(runId)
      if (known) return { number: known.number }
      const top = await headOf()
      const id = idColumn === null ? undefined : named(top.columns, idColumn)
      const told = await ask(baseUrl, {
        path: `${values(rowRange(top, top.firstRow))}:append`,
        method: 'POST',
        query: { valueInputOption: 'RAW', insertDataOption: 'INSERT_ROWS' },
        body: { majorDimension: 'ROWS', values: [lineOf(top, id ? { ...given, [id]: runId } : given)] },
      })
      const range = (told.updates as { updatedRange?: unknown } | undefined)?.updatedRange
      if (typeof range !== 'string') throw new ProviderError('The server did not answer as Google Sheets does', true)
      return { number: rangeStart(range)?.firstRow ?? null }
    },

    async update(number, given) {
      const read = await gridOf()
      const at = number - read.firstRow - 1
      if (at < 0 || at >= read.rows.length) throw new ProviderError(`There is no row ${number}`)
      await ask(baseUrl, {
        path: values(rowRange(read, number)),
        method: 'PUT',
        query: { valueInputOption: 'RAW' },
        body: { majorDimension: 'ROWS', values: [lineOf(read, given)] },
      })
      const before = rowAt(read, at)
      return { number, values: { ...before.values, ...given } }
    },
  }
}

async function firstSheet(ask: SendSheetsRequest, baseUrl: string, id: string): Promise<string> {
  const query = { fields: 'sheets.properties(title,index)' }
  const told = await ask(baseUrl, { path: encodeURIComponent(id), method: 'GET', query })
  const [first] = (Array.isArray(told.sheets) ? told.sheets : []) as { properties?: { title?: unknown } }[]
  if (typeof first?.properties?.title !== 'string') throw new ProviderError('The spreadsheet has no sheet')
  return quoted(first.properties.title)
}

function gridIn(told: Record<string, unknown>): Grid {
  const rows = (Array.isArray(told.values) ? told.values : []) as unknown[][]
  const start = typeof told.range === 'string' ? rangeStart(told.range) : null
  if (!start || !rows.every(Array.isArray)) throw new ProviderError('The server did not answer as Google Sheets does')
  const names = (rows[0] ?? []).map((name) => String(name ?? '').trim())
  // Of two columns with the same name, the first is used.
  const keys = names.map(columnKey)
  const columns = names.map((name, i) => (keys.indexOf(columnKey(name)) === i ? name : ''))
  if (!columns.some((name) => name !== '')) throw new ProviderError('The first row of the range names no columns')
  return { ...start, columns, rows: rows.slice(1) }
}

/** Exact matches first; one more than the limit if there are more. */
function matching(grid: Grid, { value, columns, limit }: Search): Row[] {
  const sought = comparableText(value)
  const ranked = grid.rows.flatMap((_, i) => {
    const row = rowAt(grid, i)
    const found = columns.map((name) => matchOf(comparableText(row.values[name] ?? null), sought))
    return found.includes('whole') ? [{ row, rank: 0 }] : found.includes('part') ? [{ row, rank: 1 }] : []
  })
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, limit + 1)
    .map(({ row }) => row)
}

const named = (columns: readonly string[], name: string) => columns.find((each) => columnKey(each) === columnKey(name))

/** Google keeps a cell for null and clears it for ''. */
const lineOf = ({ columns }: Grid, values: Values) =>
  columns.map((name) => (name !== '' && Object.hasOwn(values, name) ? (values[name] ?? '') : null))

function rowAt({ columns, rows, firstRow }: Grid, i: number): Row {
  const cells = columns.flatMap((name, at) => {
    const cell = rows[i]?.[at]
    const isCell = typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'boolean'
    return name === '' ? [] : [[name, isCell && cell !== '' ? cell : null] as const]
  })
  return { number: firstRow + 1 + i, values: Object.fromEntries(cells) }
}
