// Spreadsheet operations: append a row, find rows, update one. Column names match without case and accents.
import { type Cell, cellOfText, columnKey, MAX_CELL } from '../../base/text/table-cells.ts'
import { comparableText } from '../../base/text/text.ts'
import { functionNames } from '../function-names.ts'
import type { Json, Outcome, Run } from '../ports.ts'
import { ProviderError } from '../provider-error.ts'
import type { Row, Sheet, Values } from './spreadsheet-provider.ts'

export type SheetSettings = {
  /** Columns that the model sees and fills; null: all. */
  columns: readonly string[] | null
  /** Columns that a new row may fill, from the owner's own parameters; null: all. */
  fields: ReadonlySet<string> | null
  keyColumn: string | null
  searchColumns: readonly string[] | null
  maxResults: number
}

const MAX_MATCHES = 20
/** Characters of one cell shown to the model. */
const MAX_SHOWN = 500
const MAX_SOUGHT = 500

/** The existing columns that the owner makes visible. */
export function visibleColumns(there: readonly string[], settings: SheetSettings): string[] {
  if (settings.columns === null) return [...there]
  const wanted = new Set(settings.columns.map(columnKey))
  return there.filter((name) => wanted.has(columnKey(name)))
}

/** Field names that every model accepts. */
const fieldNames = (columns: readonly string[]): string[] =>
  functionNames(columns.map((name, i) => ({ name, instead: `column_${i + 1}` })))

/** A field per column; null while the columns are unknown: then any name is accepted and checked at run time. */
export function columnFields(columns: readonly string[] | null): Json {
  const text = { type: 'string', maxLength: MAX_CELL }
  if (!columns) return { type: 'object', description: 'By the names of the columns', additionalProperties: text }
  const names = fieldNames(columns)
  const properties = columns.map((column, i) => [names[i], { ...text, description: `Column: ${column}` }])
  return { type: 'object', properties: Object.fromEntries(properties) }
}

async function seen(sheet: Sheet, settings: SheetSettings): Promise<string[]> {
  const columns = visibleColumns(await sheet.columns(), settings)
  if (columns.length === 0) throw new ProviderError('None of the columns that are configured is in the spreadsheet')
  return columns
}

function columnOf(name: string, columns: readonly string[]): string {
  if (columns.includes(name)) return name
  const fields = fieldNames(columns).map((field) => field.toLowerCase())
  const at = fields.indexOf(name.toLowerCase())
  const found = at === -1 ? columns.find((column) => columnKey(column) === columnKey(name)) : columns[at]
  if (found === undefined)
    throw new ProviderError(
      `There is no column ${name.slice(0, 100)}. The columns are: ${columns.join(', ').slice(0, 700)}`,
    )
  return found
}

function valuesFor(given: unknown, columns: readonly string[]): Values {
  const fields = typeof given === 'object' && given !== null ? Object.entries(given) : []
  const named = fields.map(([name, value]) => [columnOf(name, columns), cellOf(value, name)] as const)
  if (named.length === 0)
    throw new ProviderError(`No values are given. The columns are: ${columns.join(', ').slice(0, 700)}`)
  return Object.fromEntries(named)
}

function cellOf(value: unknown, name: string): Cell {
  if (typeof value === 'string') {
    const text = value.toWellFormed().replaceAll('\0', '').trim()
    if (text.length > MAX_CELL) throw new ProviderError(`${name.slice(0, 100)} is too long`)
    return text === '' ? null : cellOfText(text)
  }
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value
  throw new ProviderError(`${name.slice(0, 100)} must be a text or a number`)
}

export async function appendRow(sheet: Sheet, settings: SheetSettings, { id, args }: Run): Promise<Outcome> {
  const columns = await seen(sheet, settings)
  const { number } = await sheet.append(valuesFor(args, fillable(columns, settings)), id)
  return { ok: true, text: number === null ? 'The row was added.' : `The row was added, as row ${number}.` }
}

function fillable(columns: readonly string[], { fields }: SheetSettings): readonly string[] {
  if (fields === null) return columns
  const meant = new Set([...fields].map(columnKey))
  const names = fieldNames(columns)
  return columns.filter((column, i) => meant.has(columnKey(column)) || fields.has(names[i] ?? ''))
}

export async function findRow(sheet: Sheet, settings: SheetSettings, { args }: Run): Promise<Outcome> {
  const columns = await seen(sheet, settings)
  const value = String(args.value ?? '').slice(0, MAX_SOUGHT)
  if (comparableText(value) === '') throw new ProviderError('Missing: value')
  const searched = searchedColumns(columns, settings)
  const places = typeof args.column === 'string' && args.column !== '' ? [columnOf(args.column, searched)] : searched
  const found = await sheet.find({ value, columns: places, limit: settings.maxResults })
  if (found.length === 0) return { ok: true, text: 'No row matches.' }
  const rows = found.slice(0, settings.maxResults).map((row) => shown(row, columns))
  const more = found.length > rows.length ? { note: 'There are more: ask for something more exact.' } : {}
  return { ok: true, text: JSON.stringify({ rows, ...more }) }
}

/** Columns that may be searched; a column that is only visible must not be a way to find someone's row. */
export function searchedColumns(columns: readonly string[], { searchColumns }: SheetSettings): string[] {
  return searchColumns === null ? [...columns] : searchColumns.map((name) => columnOf(name, columns))
}

export async function updateRow(sheet: Sheet, settings: SheetSettings, run: Run): Promise<Outcome> {
  const columns = await seen(sheet, settings)
  const values = valuesFor(run.args.values, columns)
  const done = await sheet.changedBy(run.id)
  const row = done ?? (await sheet.update(await numberMeant(sheet, settings, columns, run.args), values, run.id))
  return { ok: true, text: JSON.stringify({ changed: shown(row, columns) }) }
}

/** Exactly one row: if several match, none is changed until the model says which. */
async function numberMeant(sheet: Sheet, settings: SheetSettings, columns: string[], args: Json): Promise<number> {
  const { row, key } = args
  const isNumbered = typeof row === 'number' && Number.isSafeInteger(row) && row > 0
  const sought = comparableText(typeof key === 'string' || typeof key === 'number' ? key : '')
  if (sought === '') {
    if (settings.keyColumn)
      throw new ProviderError(`Missing: key, the value of the row in the column ${settings.keyColumn}`)
    if (isNumbered) return row
    throw new ProviderError('Missing: row, the number of a row that was found, or key, the value that names it')
  }
  const column = settings.keyColumn ? columnOf(settings.keyColumn, await sheet.columns()) : (columns[0] as string)
  const near = await sheet.find({ value: String(key).slice(0, MAX_SOUGHT), columns: [column], limit: MAX_MATCHES })
  const matches = near.filter(({ values }) => comparableText(values[column] ?? null) === sought)
  if (isNumbered) {
    if (matches.some(({ number }) => number === row)) return row
    throw new ProviderError(`Row ${row} does not have that value in the column ${column}`)
  }
  const [first, ...others] = matches
  if (!first) throw new ProviderError(`No row has that value in the column ${column}`)
  if (others.length > 0) {
    const rows = JSON.stringify(matches.map((match) => shown(match, columns))).slice(0, 700)
    throw new ProviderError(`Several rows have that value in the column ${column}. Say which, by its row: ${rows}`)
  }
  return first.number
}

function shown({ number, values }: Row, columns: readonly string[]): Json {
  const cells = columns.flatMap((name) => {
    const cell = values[name] ?? null
    const short =
      typeof cell === 'string' && cell.length > MAX_SHOWN ? `${cell.slice(0, MAX_SHOWN).toWellFormed()}…` : cell
    return short === null ? [] : [[name, short] as const]
  })
  return { row: number, ...Object.fromEntries(cells) }
}
