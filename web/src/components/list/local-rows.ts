// A short list that is fully loaded: searched, filtered and sorted in the browser. Pure.
import type { ListAddress } from './list-address.ts'

export type LocalRules<T> = {
  /** The searchable texts of a row. */
  textsOf: (row: T) => readonly (string | null | undefined)[]
  /** The value by which rows are filtered or sorted. */
  valueOf: (row: T, key: string) => string | number | boolean | null | undefined
}

const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

export function localRows<T>(rows: readonly T[], { q, sort, values }: ListAddress, rules: LocalRules<T>): T[] {
  const words = fold(q).split(/\s+/).filter(Boolean)
  const wanted = Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1]))
  const matching = rows.filter((row) => {
    if (!wanted.every(([key, value]) => String(rules.valueOf(row, key) ?? '') === value)) return false
    if (words.length === 0) return true
    const text = fold(rules.textsOf(row).filter(Boolean).join('\n'))
    return words.every((word) => text.includes(word))
  })
  if (!sort) return matching
  const by = sort.replace(/^-/, '')
  const sign = sort.startsWith('-') ? -1 : 1
  return matching.toSorted((a, b) => sign * compare(rules.valueOf(a, by), rules.valueOf(b, by)))
}

/** Null and undefined sort first. */
function compare(a: unknown, b: unknown): number {
  if (a === b) return 0
  if (a === null || a === undefined) return -1
  if (b === null || b === undefined) return 1
  if (typeof a === 'string' && typeof b === 'string') return a.localeCompare(b, undefined, { numeric: true })
  return Number(a) - Number(b)
}
