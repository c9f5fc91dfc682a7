// Row search: a text stored next to the cells, in which the database searches for whole values or parts of them.
import type { Cell } from '../../base/text/table-cells.ts'
import { comparableText, matchOf } from '../../base/text/text.ts'

// Delimiters: IS after the column number, NEXT around every entry. `comparableText` leaves neither in a value.
const IS = '\u001e'
const NEXT = '\u001f'
/** Of a longer search value, only this many first characters are used. */
const MAX_SOUGHT = 500

export const searchTextOf = (cells: readonly Cell[]): string =>
  NEXT + cells.map((cell, i) => `${i}${IS}${comparableText(cell)}${NEXT}`).join('')

export const soughtOf = (value: string | number | boolean): string => comparableText(value).slice(0, MAX_SOUGHT)

const literally = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** Patterns for LIKE, with \ as its escape: rows with the whole value, in one of these columns or in any. */
export const wholePatterns = (sought: string, columns: readonly number[] | null): string[] =>
  columns === null
    ? [`%${IS}${literally(sought)}${NEXT}%`]
    : columns.map((i) => `%${NEXT}${i}${IS}${literally(sought)}${NEXT}%`)

/** Rows that may contain the text; `holdsPart` decides. */
export const partPattern = (sought: string): string => `%${literally(sought)}%`

const valuesOf = (searchText: string, columns: readonly number[] | null): string[] =>
  searchText.split(NEXT).flatMap((part) => {
    const at = part.indexOf(IS)
    return at !== -1 && (columns === null || columns.includes(Number(part.slice(0, at)))) ? [part.slice(at + 1)] : []
  })

/** Whether any column contains the text, even inside a word, as in a search box. */
export const holds = (searchText: string, sought: string): boolean =>
  valuesOf(searchText, null).some((value) => value.includes(sought))

/** Whether a value in these columns contains the text without any being equal to it. */
export function holdsPart(searchText: string, sought: string, columns: readonly number[] | null): boolean {
  const found = valuesOf(searchText, columns).map((value) => matchOf(value, sought))
  return found.includes('part') && !found.includes('whole')
}
