// How a row is found by what is in it: a text beside its cells, in which the database looks for whole values, or parts of one.
import type { Cell } from '../../base/table-cells.ts'
import { comparableText, matchOf } from '../../base/text.ts'

// Around every value, after the number of its column. `loose` leaves no such character in a value.
const IS = '\u001e'
const NEXT = '\u001f'
/** Longer ones are looked for by their beginning. */
const MAX_SOUGHT = 500

export const searchTextOf = (cells: readonly Cell[]): string =>
  NEXT + cells.map((cell, i) => `${i}${IS}${comparableText(cell)}${NEXT}`).join('')

export const soughtOf = (value: string | number | boolean): string => comparableText(value).slice(0, MAX_SOUGHT)

const literally = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** For LIKE, with \ as its escape: rows in which the whole value stands, in one of these columns or in any. */
export const wholePatterns = (sought: string, columns: readonly number[] | null): string[] =>
  columns === null
    ? [`%${IS}${literally(sought)}${NEXT}%`]
    : columns.map((i) => `%${NEXT}${i}${IS}${literally(sought)}${NEXT}%`)

/** Rows in which it may stand; whether it does, `holdsPart` tells. */
export const partPattern = (sought: string): string => `%${literally(sought)}%`

const valuesOf = (searchText: string, columns: readonly number[] | null): string[] =>
  searchText.split(NEXT).flatMap((part) => {
    const at = part.indexOf(IS)
    return at !== -1 && (columns === null || columns.includes(Number(part.slice(0, at)))) ? [part.slice(at + 1)] : []
  })

/** It stands in a value of any column: also in the middle of a word, as somebody types who looks for it. */
export const holds = (searchText: string, sought: string): boolean =>
  valuesOf(searchText, null).some((value) => value.includes(sought))

/** It stands within a value of these columns, and is the whole of none. */
export function holdsPart(searchText: string, sought: string, columns: readonly number[] | null): boolean {
  const found = valuesOf(searchText, columns).map((value) => matchOf(value, sought))
  return found.includes('part') && !found.includes('whole')
}
