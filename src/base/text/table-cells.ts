// Tables of cells: types, limits, and the rules for column names.
import { appError } from '../errors/errors.ts'
import { foldSpaces } from './text.ts'

/** Dates are ISO 8601 text: 2026-03-01 or 2026-03-01T14:30:00, without a time zone. */
export type Cell = string | number | boolean | null
/** Each row has as many cells as there are columns. */
export type Table = { columns: string[]; rows: Cell[][] }

export const MAX_COLUMNS = 200
export const MAX_ROWS = 100_000
export const MAX_CELL = 5000
/** Characters in all cells of a row together. */
export const MAX_ROW = 50_000
export const MAX_COLUMN_NAME = 255

/** Columns that differ only in case or accents are the same, because the difference cannot be heard. */
export const columnKey = (name: string): string => foldSpaces(name)

/** The names, trimmed. */
export function checkedColumns(names: readonly string[]): string[] {
  if (names.length === 0) throw appError('sheet_no_columns')
  if (names.length > MAX_COLUMNS) throw appError('sheet_columns_limit', { limit: MAX_COLUMNS })
  const seen = new Set<string>()
  return names.map((given) => {
    const name = given.trim()
    if (name === '') throw appError('sheet_column_empty')
    if (name.length > MAX_COLUMN_NAME) throw appError('sheet_column_too_long', { limit: MAX_COLUMN_NAME })
    if (name === '__proto__') throw appError('sheet_column_proto')
    if (/\p{Cc}/u.test(name) || !name.isWellFormed()) throw appError('sheet_column_character')
    const key = columnKey(name)
    if (seen.has(key)) throw appError('sheet_column_twice', { column: name })
    seen.add(key)
    return name
  })
}

const plainNumber = /^-?(0|[1-9]\d{0,8})(\.\d{1,9})?$/

/**
 * Text becomes a number only if the number prints as the same text: 007, 1,50 and the eleven digits of a document stay
 * text.
 */
export const cellOfText = (text: string): Cell =>
  plainNumber.test(text) && String(Number(text)) === text ? Number(text) : text

/** `where` names the cell in an error. */
function checkedCell(cell: Cell, where: string): Cell {
  if (typeof cell === 'number' && !Number.isFinite(cell)) throw appError('sheet_cell_number', { cell: where })
  if (typeof cell !== 'string') return cell
  if (cell.length > MAX_CELL) throw appError('sheet_cell_too_long', { cell: where, limit: MAX_CELL })
  if (cell.includes('\0') || !cell.isWellFormed()) throw appError('sheet_cell_character', { cell: where })
  return cell === '' ? null : cell
}

export function checkedRow(cells: readonly Cell[], columns: readonly string[], where: string): Cell[] {
  const row = columns.map((name, i) => checkedCell(cells[i] ?? null, `${where}${name}`))
  const letters = row.reduce((sum: number, cell) => sum + (typeof cell === 'string' ? cell.length : 8), 0)
  if (letters > MAX_ROW)
    throw appError('sheet_cell_too_long', { cell: where === '' ? 'The row' : where.trim(), limit: MAX_ROW })
  return row
}
