// Reads and writes XLSX, in a process that a file may crash. Numbers, booleans and dates keep their types.
import { unzipSync, zipSync } from 'fflate'
import { readSheet } from 'read-excel-file/universal'
import writeExcelFile, { type SheetData } from 'write-excel-file/node'
import { type AppError, appError } from '../base/errors/errors.ts'
import type { Cell } from '../base/text/table-cells.ts'
import { checkZip } from './zip-sizes.ts'

/** All entries together, unpacked. */
const MAX_UNPACKED_BYTES = 64 * 1_048_576

/** The first sheet. */
export async function readXlsx(bytes: Uint8Array, maxBytes = MAX_UNPACKED_BYTES): Promise<Cell[][]> {
  checkZip(bytes, maxBytes)
  const rows = await Promise.try(() => readSheet(unpacked(bytes).buffer, { trim: false })).catch((error: Error) => {
    throw refusalOf(error)
  })
  return rows.map((row) => row.map((value) => cellOf(value)))
}

/** The same archive without compression: the reader unpacks large entries in threads, which its sandbox forbids. */
const unpacked = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => zipSync(unzipSync(bytes), { level: 0 })

function refusalOf(cause: Error): AppError {
  const [, row, column, fault] = /row (\d+), col (\d+): (\w+)/.exec(cause.message) ?? []
  if (row === undefined || column === undefined) return appError('sheet_xlsx_invalid', {}, { cause })
  const code = fault === 'VALUE_MISSING' ? 'sheet_xlsx_cell_empty' : 'sheet_xlsx_cell_unreadable'
  return appError(code, { row, column }, { cause })
}

function cellOf(value: unknown): Cell {
  if (value instanceof Date) return dateText(value)
  if (typeof value === 'number' || typeof value === 'boolean') return value
  return value === null || value === undefined ? null : String(value).replaceAll(/_x000[dD]_\n?/g, '\n')
}

/** Days count from the end of 1899: a value before 1900 is a time of day. */
function dateText(date: Date): string {
  const seconds = new Date(Math.round(date.getTime() / 1000) * 1000)
  const [day = '', time = ''] = seconds.toISOString().replace('.000Z', '').split('T')
  if (seconds.getUTCFullYear() < 1900) return time
  return time === '00:00:00' ? day : `${day}T${time}`
}

const isoDate = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d))?)?$/

/** Null if the text is not a date, or one that a spreadsheet cannot represent. */
function dateOf(text: string): { date: Date; hasTime: boolean } | null {
  const match = isoDate.exec(text)
  if (!match || Number(match[1]) < 1900) return null
  const hasTime = match[4] !== undefined
  const date = new Date(`${text.length === 16 ? `${text}:00` : text}${hasTime ? 'Z' : 'T00:00:00Z'}`)
  if (Number.isNaN(date.getTime())) return null
  return date.getUTCDate() === Number(match[3]) ? { date, hasTime } : null // 31 February would be March
}

// Characters that XML 1.0 cannot contain.
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose
const unwritable = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g
const plain = (text: string) => text.toWellFormed().replace(unwritable, '')

type Written = SheetData[number][number]

function writtenCell(cell: Cell): Written {
  if (cell === null) return null
  if (typeof cell === 'number') return { value: cell, type: Number }
  if (typeof cell === 'boolean') return { value: cell, type: Boolean }
  const day = dateOf(cell)
  if (day) return { value: day.date, type: Date, format: day.hasTime ? 'yyyy-mm-dd hh:mm:ss' : 'yyyy-mm-dd' }
  return { value: plain(cell), type: String } // stored as text even if it looks like a formula
}

export async function writeXlsx(columns: readonly string[], rows: readonly (readonly Cell[])[]): Promise<Buffer> {
  const head: Written[] = columns.map((name) => ({ value: plain(name), type: String, fontWeight: 'bold' }))
  const data = [head, ...rows.map((row) => row.map(writtenCell))]
  return writeExcelFile(data, { sheet: 'Rows', stickyRowsCount: 1 }).toBuffer()
}
