// Types of a list: what it shows, and where its rows come from.
import type { ReactNode } from 'react'
import type { MenuEntry } from '../action-menu.tsx'
import type { CsvValue } from './csv.ts'

export type ListColumn<T> = {
  key: string
  name: string
  /** Use plain elements: a long list renders many of them. */
  cell: (row: T) => ReactNode
  /** If omitted, the column is not exported. */
  csv?: (row: T) => CsvValue
  /** Times are exported in local time, so the column header names the time zone. */
  isTime?: boolean
  /** `by` is the API's field name. */
  sort?: { by: string; first: 'asc' | 'desc' }
  /** A CSS grid track: `minmax(0, 2fr)`, `6rem`. */
  width: string
  isEnd?: boolean
  /** Hides the column name visually; screen readers still read it. */
  isQuiet?: boolean
  /** Hidden by default; the user can turn it on. */
  isExtra?: boolean
  /** Minimum width of the list, in pixels, at which the column is shown. */
  from?: number
}

/** The two lines of a card, the form a row takes on a phone. */
export type ListCard = { title: ReactNode; aside?: ReactNode; line?: ReactNode; end?: ReactNode }

export type Rows<T> = {
  rows: readonly T[] | undefined
  error: unknown
  refetch: () => unknown
  hasMore: boolean
  /** The rows still are those of the previous filters. */
  isStale: boolean
  more: () => void
  /** All rows that match the filters, page by page. */
  all: (signal: AbortSignal) => AsyncGenerator<readonly T[]>
}

export type BulkAction<T> = {
  label: string
  icon?: ReactNode
  isDangerous?: boolean
  run: (rows: readonly T[]) => unknown
}

export type ListView<T> = {
  /** Used for the exported file's name and for storing the choice of columns. */
  name: string
  label: string
  columns: readonly ListColumn<T>[]
  card: (row: T) => ListCard
  nameOf: (row: T) => string
  openAt?: (row: T) => string
  /** Used instead of `openAt`. */
  onOpen?: (row: T) => void
  menu?: (row: T) => readonly MenuEntry[]
  bulk?: readonly BulkAction<T>[]
}
