// Google Sheets' public REST API, version 4, limited to values, together with its token server. Cells are stored as
// displayed.
import type { ServerResponse } from 'node:http'
import { googleTokenServer } from './google-tokens.ts'
import { type Asked, type Routes, startVendor } from './server.ts'

export const BOOK = '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms'
const MAX_COLUMNS = 26
const MAX_ROWS = 1000

/** A formula would be evaluated: it is marked, so that a test can detect it. */
export type Cell = string | number | boolean | { formula: string } | undefined
/** Null leaves the cell unchanged. */
type Line = (Cell | null)[]
type Area = { title: string; top: number; left: number; bottom: number; right: number }

const statuses: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
}

export async function startGoogleSheets() {
  const tokens = googleTokenServer()
  /** Faults apply to writes only. */
  const spared = { reads: false }
  const sheets = new Map<string, Cell[][]>([
    ['Clientes', []],
    ["D'Ávila & cia", []],
  ])

  const routes: Routes = {
    isAllowed: () => true,
    async http(asked, response, server) {
      const url = new URL(asked.url, 'http://x')
      if (asked.method === 'POST' && url.pathname === '/token') {
        tokens.answer(asked, response, `http://${asked.headers.host}`)
        return true
      }
      const [, id, range, verb] =
        /^\/v4\/spreadsheets\/([^/:]+)(?:\/values\/([^/]+?)(:append)?)?$/.exec(url.pathname) ?? []
      if (id === undefined) return false
      const fault = spared.reads && asked.method === 'GET' ? null : server.nextFault()
      if (fault === 'silent') return true
      if (fault === 'reset-at-once') return Boolean(response.destroy())
      if (fault === 'wrong') return Boolean(response.writeHead(200, { 'content-type': 'text/html' }).end('<html>proxy'))
      if (fault === 'empty') return send(response, { range: 7, values: 'x' })
      if (fault === 'throttled') return refuse(response, 429, "Quota exceeded for quota metric 'Read requests'")
      if (fault === 'broken') return refuse(response, 500, 'Internal error encountered.')
      const scope = fault === 'unauthorized' ? null : tokens.scopeOf(asked)
      if (scope === null)
        return refuse(response, 401, `Invalid authentication credentials ${asked.headers.authorization}`)
      if (!/auth\/(spreadsheets|drive)\b/.test(scope))
        return refuse(response, 403, 'Request had insufficient authentication scopes.')
      if (id === 'private') return refuse(response, 403, 'The caller does not have permission')
      if (id !== BOOK) return refuse(response, 404, 'Requested entity was not found.')
      if (fault === 'reset') {
        // The request is executed, but the response is lost.
        answer(asked, { writeHead: () => ({ end() {} }) } as unknown as ServerResponse, url, range, verb)
        return Boolean(response.destroy())
      }
      return answer(asked, response, url, range, verb)
    },
  }

  function answer(asked: Asked, response: ServerResponse, url: URL, range?: string, verb?: string): boolean {
    if (range === undefined) return asked.method === 'GET' ? send(response, book(url)) : refuse(response, 400, 'Method')
    const named = decodeURIComponent(range)
    const area = areaOf(named, [...sheets.keys()])
    if (!area) return refuse(response, 400, `Unable to parse range: ${named}`)
    if (area.bottom > MAX_ROWS || area.right > MAX_COLUMNS)
      return refuse(
        response,
        400,
        `Range (${nameOf(area)}) exceeds grid limits. Max rows: ${MAX_ROWS}, max columns: ${MAX_COLUMNS}`,
      )
    const cells = sheets.get(area.title) ?? []
    if (asked.method === 'GET')
      return send(response, { range: nameOf(area), majorDimension: 'ROWS', ...shown(cells, area) })
    const option = url.searchParams.get('valueInputOption')
    if (option !== 'RAW' && option !== 'USER_ENTERED')
      return refuse(response, 400, "'valueInputOption' is required but not specified")
    const { values } = JSON.parse(Buffer.from(asked.body, 'latin1').toString('utf8')) as { values: unknown[][] }
    const lines = values.map((line) => line.map((value) => entered(value, option)))
    if (asked.method === 'PUT') return update(response, cells, area, lines)
    if (asked.method !== 'POST' || verb !== ':append') return refuse(response, 400, 'Method')
    return append(response, cells, area, lines, url.searchParams.get('insertDataOption') ?? 'OVERWRITE')
  }

  const book = (url: URL) => {
    const properties = [...sheets.keys()].map((title, index) => ({
      properties: {
        sheetId: index,
        title,
        index,
        sheetType: 'GRID',
        gridProperties: { rowCount: MAX_ROWS, columnCount: MAX_COLUMNS },
      },
    }))
    return url.searchParams.get('fields') ? { sheets: properties } : { spreadsheetId: BOOK, sheets: properties }
  }

  function update(response: ServerResponse, cells: Cell[][], area: Area, lines: Line[]): boolean {
    const width = Math.max(...lines.map((line) => line.length))
    if (area.left + width - 1 > area.right || area.top + lines.length - 1 > area.bottom)
      return refuse(response, 400, `Requested writing within range [${nameOf(area)}], but tried writing outside of it`)
    write(cells, area.top, area.left, lines)
    return send(response, updated(area, area.top, area.left, lines))
  }

  /** Appends after the last row of the table that touches the range: a table ends at an empty row. */
  function append(response: ServerResponse, cells: Cell[][], area: Area, lines: Line[], insert: string): boolean {
    let last = area.top - 1
    while (cells[last]?.some((cell) => cell !== undefined)) last++
    if (insert === 'INSERT_ROWS') cells.splice(last, 0, ...lines.map(() => []))
    write(cells, last + 1, area.left, lines)
    const updates = updated(area, last + 1, area.left, lines)
    return send(response, { spreadsheetId: BOOK, tableRange: nameOf({ ...area, bottom: last }), updates })
  }

  const vendor = await startVendor(routes)
  return { ...vendor, tokens, spared, cells: (title = 'Clientes') => sheets.get(title) as Cell[][] }
}

function entered(value: unknown, option: string): Cell | null {
  if (option === 'USER_ENTERED' && typeof value === 'string' && /^[=+]/.test(value)) return { formula: value }
  return value as Cell
}

function write(cells: Cell[][], top: number, left: number, lines: Line[]): void {
  for (const [i, line] of lines.entries()) {
    const row = cells[top - 1 + i] ?? []
    cells[top - 1 + i] = row
    while (row.length < left - 1 + line.length) row.push(undefined)
    for (const [j, cell] of line.entries()) if (cell !== null) row[left - 1 + j] = cell === '' ? undefined : cell
  }
  for (let i = 0; i < cells.length; i++) cells[i] ??= []
}

function updated(area: Area, top: number, left: number, lines: Line[]) {
  const width = Math.max(...lines.map((line) => line.length))
  return {
    spreadsheetId: BOOK,
    updatedRange: nameOf({ ...area, top, left, bottom: top + lines.length - 1, right: left + width - 1 }),
    updatedRows: lines.length,
    updatedColumns: width,
    updatedCells: lines.flat().filter((cell) => cell !== null).length,
  }
}

/** Omits trailing empty cells of a row and trailing empty rows. */
function shown(cells: Cell[][], { top, left, bottom, right }: Area): { values?: string[][] } {
  const text = (cell: Cell) =>
    cell === undefined
      ? ''
      : typeof cell === 'boolean'
        ? String(cell).toUpperCase()
        : typeof cell === 'object'
          ? '#ERROR!'
          : String(cell)
  const values = cells.slice(top - 1, bottom).map((row) => {
    const texts = Array.from(row.slice(left - 1, right), text)
    while (texts.at(-1) === '') texts.pop()
    return texts
  })
  while (values.at(-1)?.length === 0) values.pop()
  return values.length === 0 ? {} : { values }
}

const letters = (n: number): string =>
  n <= 26 ? String.fromCharCode(64 + n) : `${letters(Math.floor((n - 1) / 26))}${letters(((n - 1) % 26) + 1)}`
const columnOf = (text: string) => [...text].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)

function nameOf({ title, top, left, bottom, right }: Area): string {
  const sheet = /^\w+$/.test(title) ? title : `'${title.replaceAll("'", "''")}'`
  const [from, to] = [`${letters(left)}${top}`, `${letters(right)}${bottom}`]
  return `${sheet}!${from === to ? from : `${from}:${to}`}`
}

/** Accepts `Sheet`, `'Some sheet'!A:F`, `A1:B2`, `Sheet!1:1`. */
function areaOf(range: string, titles: readonly string[]): Area | null {
  const match = /^(?:('(?:[^']|'')+'|[^'!]+)!)?([A-Z]*)(\d*)(?::([A-Z]*)(\d*))?$/.exec(range)
  const whole = { top: 1, left: 1, bottom: MAX_ROWS, right: MAX_COLUMNS }
  const unquoted = (text: string) => (text.startsWith("'") ? text.slice(1, -1).replaceAll("''", "'") : text)
  if (titles.includes(unquoted(range))) return { title: unquoted(range), ...whole }
  if (!match) return null
  const title = match[1] === undefined ? (titles[0] ?? '') : unquoted(match[1])
  const [, , fromColumn = '', fromRow = '', toColumn, toRow] = match
  if (!titles.includes(title) || `${fromColumn}${fromRow}` === '') return null
  const isOne = toColumn === undefined && toRow === undefined
  const right = isOne ? fromColumn : toColumn
  const bottom = isOne ? fromRow : toRow
  return {
    title,
    top: Number(fromRow || 1),
    left: fromColumn ? columnOf(fromColumn) : 1,
    bottom: bottom ? Number(bottom) : MAX_ROWS,
    right: right ? columnOf(right) : MAX_COLUMNS,
  }
}

function send(response: ServerResponse, value: object, status = 200): true {
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' }).end(JSON.stringify(value))
  return true
}

const refuse = (response: ServerResponse, code: number, message: string): true =>
  send(response, { error: { code, message, status: statuses[code] ?? 'UNKNOWN' } }, code)
