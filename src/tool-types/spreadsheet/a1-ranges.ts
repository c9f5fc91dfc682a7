// A1 notation: the start of a range, its header row, and one of its rows.

/** The start of a table; `Grid` adds its column names and rows. `sheet` is as written in a range, with its quotes. */
export type Start = { sheet: string; firstColumn: number; firstRow: number }
export type Grid = Start & { columns: string[]; rows: unknown[][] }

const corner = /^\$?([A-Z]{1,3})?\$?(\d{1,7})?$/i

/** `'Meus clientes'!B3:F9` starts in column 2 of row 3. Null if it is not a range. */
export function rangeStart(range: string): Start | null {
  const { sheet, cells } = partsOf(range)
  const match = corner.exec(cells.split(':')[0] ?? '')
  if (!match || (match[1] === undefined && match[2] === undefined)) return null
  return { sheet, firstColumn: match[1] ? columnNumber(match[1]) : 1, firstRow: Number(match[2] ?? 1) }
}

export const quoted = (title: string): string => `'${title.replaceAll("'", "''")}'`

/** In the form Google accepts for any sheet name: `Meus clientes` is a sheet, `A:F` are cells of the first sheet. */
export function normalRange(range: string): string {
  const { sheet, cells } = partsOf(range.trim())
  if (sheet !== '') return cells === '' ? sheet : `${isQuoted(sheet) ? sheet : quoted(sheet)}!${cells}`
  const [from = '', to] = cells.split(':')
  const [start, end] = [corner.exec(from), corner.exec(to ?? from)]
  const isCells = start && end && (to !== undefined || Boolean(start[1] && start[2]))
  return isCells ? cells : quoted(cells)
}

const isQuoted = (sheet: string) => sheet.startsWith("'") && sheet.endsWith("'")

/** The first row of a normalized range; for a whole sheet, row 1. */
export function headRange(range: string): string {
  const { sheet, cells } = partsOf(range)
  if (cells === '') return `${sheet}!1:1`
  const [from = '', to] = cells.split(':')
  const [start, end] = [corner.exec(from), corner.exec(to ?? from)]
  const row = start?.[2] ?? '1'
  const head = start?.[1] && end?.[1] ? `${start[1]}${row}:${end[1]}${row}` : `${row}:${row}`
  return sheet === '' ? head : `${sheet}!${head}`
}

/** The table's cells in one row of the sheet. */
export function rowRange({ sheet, firstColumn, columns }: Start & { columns: readonly string[] }, row: number): string {
  const cells = `${columnLetters(firstColumn)}${row}:${columnLetters(firstColumn + columns.length - 1)}${row}`
  return sheet === '' ? cells : `${sheet}!${cells}`
}

function partsOf(range: string): { sheet: string; cells: string } {
  const at = range.lastIndexOf('!')
  if (at !== -1) return { sheet: range.slice(0, at), cells: range.slice(at + 1) }
  return range.startsWith("'") ? { sheet: range, cells: '' } : { sheet: '', cells: range }
}

function columnNumber(letters: string): number {
  return [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
}

export function columnLetters(number: number): string {
  const letter = String.fromCharCode(65 + ((number - 1) % 26))
  return number <= 26 ? letter : columnLetters(Math.floor((number - 1) / 26)) + letter
}
