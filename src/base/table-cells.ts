// Tables of cells: types, limits, and the rules for column names.
import { AppError } from './errors.ts'
import { foldSpaces } from './text.ts'

/** A date is text as in ISO 8601: 2026-03-01 or 2026-03-01T14:30:00, without a time zone. */
export type Cell = string | number | boolean | null
/** Each row has as many cells as there are columns. */
export type Table = { columns: string[]; rows: Cell[][] }

export const MAX_COLUMNS = 200
export const MAX_ROWS = 100_000
export const MAX_CELL = 5000
/** Characters in all cells of a row together. */
export const MAX_ROW = 50_000
export const MAX_COLUMN_NAME = 255

const invalid = (message: string) => new AppError('invalid', message)

/** Columns that differ only in case or accents are the same: the difference cannot be heard. */
export const columnKey = (name: string): string => foldSpaces(name)

/** The names, trimmed. */
export function checkedColumns(names: readonly string[]): string[] {
  if (names.length === 0) throw invalid('A spreadsheet has at least one column')
  if (names.length > MAX_COLUMNS) throw invalid(`A spreadsheet has at most ${MAX_COLUMNS} columns`)
  const seen = new Set<string>()
  return names.map((given) => {
    const name = given.trim()
    if (name === '') throw invalid('The name of a column must not be empty')
    if (name.length > MAX_COLUMN_NAME) throw invalid(`The name of a column has at most ${MAX_COLUMN_NAME} characters`)
    if (name === '__proto__') throw invalid('A column must not be called __proto__')
    if (/\p{Cc}/u.test(name) || !name.isWellFormed())
      throw invalid('The name of a column holds a character that cannot be stored')
    const key = columnKey(name)
    if (seen.has(key)) throw invalid(`Two columns are called ${name}`)
    seen.add(key)
    return name
  })
}

const plainNumber = /^-?(0|[1-9]\d{0,8})(\.\d{1,9})?$/

/** Text becomes a number only if the number prints as the same text: 007, 1,50 and the eleven digits of a document stay text. */
export const cellOfText = (text: string): Cell =>
  plainNumber.test(text) && String(Number(text)) === text ? Number(text) : text

/** `where` names the cell in an error. */
export function checkedCell(cell: Cell, where: string): Cell {
  if (typeof cell === 'number' && !Number.isFinite(cell)) throw invalid(`${where} is not a number`)
  if (typeof cell !== 'string') return cell
  if (cell.length > MAX_CELL) throw invalid(`${where} has more than ${MAX_CELL} characters`)
  if (cell.includes('\0') || !cell.isWellFormed()) throw invalid(`${where} holds a character that cannot be stored`)
  return cell === '' ? null : cell
}

export function checkedRow(cells: readonly Cell[], columns: readonly string[], where: string): Cell[] {
  const row = columns.map((name, i) => checkedCell(cells[i] ?? null, `${where}${name}`))
  const letters = row.reduce((sum: number, cell) => sum + (typeof cell === 'string' ? cell.length : 8), 0)
  if (letters > MAX_ROW) throw invalid(`${where === '' ? 'The row' : where.trim()} has more than ${MAX_ROW} characters`)
  return row
}
