// Merges a long list, newest first, with its fresh first page; keyboard navigation. Pure.

/** Updates changed rows, adds new ones and drops deleted ones. */
export function mergeFirstPage<T extends { id: string }>(
  rows: readonly T[],
  fresh: readonly T[] | undefined,
  timeOf: (row: T) => string,
): T[] {
  /** The API's order: by time, then by id. */
  const isOlder = (a: T, b: T) => timeOf(a) < timeOf(b) || (timeOf(a) === timeOf(b) && a.id < b.id)
  const last = fresh?.at(-1)
  if (!fresh) return [...rows]
  if (!last) return [] // the list is empty now
  const known = new Set(fresh.map(({ id }) => id))
  const older = rows.filter((row) => !known.has(row.id) && isOlder(row, last))
  return [...fresh, ...older]
}

/** The index of the row that a key moves to; null for other keys. */
export function rowAfterKey(key: string, at: number, count: number, page: number): number | null {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: count - 1,
  }
  const to = steps[key]
  return to === undefined || count === 0 ? null : Math.min(count - 1, Math.max(0, to))
}
