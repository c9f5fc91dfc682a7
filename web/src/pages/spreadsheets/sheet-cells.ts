// Spreadsheet cells: parsing, formatting, column widths, file types. Pure.
import type { SheetRow } from '../../../../client/paths.ts'

export type Cell = string | number | boolean | null
export type Values = SheetRow['values']

export const MAX_BYTES = 5 * 1024 * 1024
export const accepted = '.csv,.xlsx'
const byEnding = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const

export function fileTypeOf(fileName: string): string | undefined {
  const ending = fileName.toLowerCase().split('.').at(-1) ?? ''
  return Object.hasOwn(byEnding, ending) ? byEnding[ending as keyof typeof byEnding] : undefined
}

/** "pedidos.2026.csv" becomes "pedidos.2026". */
export const sheetName = (fileName: string): string => (fileName.replace(/\.[^.]+$/, '') || fileName).slice(0, 255)

export const cellText = (cell: Cell | undefined): string => (cell === null || cell === undefined ? '' : String(cell))

const plainNumber = /^-?(0|[1-9]\d{0,8})(\.\d{1,9})?$/

/** Parses like the server's CSV reader: a number only if it round-trips exactly. Booleans stay booleans. */
export function parseCell(text: string, before: Cell | undefined): Cell {
  const bare = text.trim()
  if (bare === '') return null
  if (typeof before === 'boolean' && (bare === 'true' || bare === 'false')) return bare === 'true'
  return plainNumber.test(bare) && String(Number(bare)) === bare ? Number(bare) : text
}

export type Draft = Readonly<Record<string, string>>

export const draftOf = (columns: readonly string[], values: Values | null): Draft =>
  Object.fromEntries(columns.map((name) => [name, cellText(values?.[name])]))

export function changesOf(columns: readonly string[], values: Values | null, draft: Draft): Values {
  const changed = columns.filter((name) => (draft[name] ?? '') !== cellText(values?.[name]))
  return Object.fromEntries(changed.map((name) => [name, parseCell(draft[name] ?? '', values?.[name])]))
}

const LETTER_PX = 8.6
const [MIN_PX, MAX_PX, AROUND_PX] = [88, 320, 28]
const LOOKED_AT = 60

export type ColumnLayout = { width: number; isFigures: boolean }

/** Column widths from the name and the first rows; shared by all rows, so that cells line up. */
export function columnLayouts(columns: readonly string[], rows: readonly { values: Values }[]): ColumnLayout[] {
  const first = rows.slice(0, LOOKED_AT)
  return columns.map((name) => {
    const cells = first.map(({ values }) => values[name] ?? null).filter((cell) => cell !== null)
    const letters = Math.max(name.length, ...cells.map((cell) => cellText(cell).length))
    const width = Math.round(Math.min(MAX_PX, Math.max(MIN_PX, letters * LETTER_PX + AROUND_PX)))
    return { width, isFigures: cells.length > 0 && cells.every((cell) => typeof cell === 'number') }
  })
}

/** Distributes spare width proportionally. */
export function fitWidths(looks: readonly ColumnLayout[], room: number): number[] {
  const needed = looks.reduce((sum, { width }) => sum + width, 0)
  const growth = Math.max(1, room / needed)
  return looks.map(({ width }) => Math.floor(width * growth))
}
