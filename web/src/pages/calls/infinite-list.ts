// A list of many thousand records, newest first: what was read page by page, kept fresh at its top. Pure.

type Dated = { id: string; startedAt: string }

/** The fresh first page over what was read before: changed rows are replaced, new ones stand on top, removed ones go. */
export function mergeFirstPage<T extends Dated>(rows: readonly T[], fresh: readonly T[] | undefined): T[] {
  const last = fresh?.at(-1)
  if (!fresh) return [...rows]
  if (!last) return [] // there are none any more
  const known = new Set(fresh.map(({ id }) => id))
  const older = rows.filter((row) => !known.has(row.id) && isOlder(row, last))
  return [...fresh, ...older]
}

/** As the API sorts: by time, then by id. */
const isOlder = (a: Dated, b: Dated) => a.startedAt < b.startedAt || (a.startedAt === b.startedAt && a.id < b.id)

/** The row that a key leads to; null where the key means nothing here. */
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
