// What a list shows, and where its rows come from.
import type { ReactNode } from 'react'
import type { MenuEntry } from '../action-menu.tsx'
import type { CsvValue } from './csv.ts'

export type ListColumn<T> = {
  key: string
  name: string
  /** Plain elements: a long list draws many of them. */
  cell: (row: T) => ReactNode
  /** Left out: the column is not exported. */
  csv?: (row: T) => CsvValue
  /** The exported times are local: the head of the column names the time zone. */
  isTime?: boolean
  /** `by`: the API's name. */
  sort?: { by: string; first: 'asc' | 'desc' }
  /** A track of the grid: `minmax(0, 2fr)`, `6rem`. */
  width: string
  isEnd?: boolean
  /** The name is for screen readers only. */
  isQuiet?: boolean
  /** Hidden until it is chosen. */
  isExtra?: boolean
  /** Shown from this width of the list on, in pixels. */
  from?: number
}

/** The two lines of a row on a phone. */
export type ListCard = { title: ReactNode; aside?: ReactNode; line?: ReactNode; end?: ReactNode }

export type Rows<T> = {
  rows: readonly T[] | undefined
  error: unknown
  refetch: () => unknown
  hasMore: boolean
  /** The rows are those of the previous filters. */
  isStale: boolean
  more: () => void
  /** Everything that the filters match, page by page. */
  all: (signal: AbortSignal) => AsyncGenerator<readonly T[]>
}

export type BulkAction<T> = {
  label: string
  icon?: ReactNode
  isDangerous?: boolean
  run: (rows: readonly T[]) => unknown
}

export type ListView<T> = {
  /** For the exported file and the stored choice of columns. */
  name: string
  label: string
  columns: readonly ListColumn<T>[]
  card: (row: T) => ListCard
  nameOf: (row: T) => string
  openAt?: (row: T) => string
  /** Instead of `openAt`. */
  onOpen?: (row: T) => void
  menu?: (row: T) => readonly MenuEntry[]
  bulk?: readonly BulkAction<T>[]
}
