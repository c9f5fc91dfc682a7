// Reads the rows of a spreadsheet: in pages, by the tool call that changed them, and by search.
import { setImmediate as breathe } from 'node:timers/promises'
import { sql } from 'kysely'
import { appError, found } from '../../base/errors/errors.ts'
import type { Cell } from '../../base/text/table-cells.ts'
import type { Db } from '../../db/database.ts'
import type { PageRequest } from '../../db/owned.ts'
import type { SheetRowRow } from '../../db/tables.ts'
import type { SheetRow } from './schema.ts'
import { holds, holdsPart, partPattern, soughtOf, wholePatterns } from './search.ts'

/** With the column names at the time it was read. */
export type NamedRow = SheetRowRow & { columns: string }
export type Search = { value: string | number | boolean; columns: readonly string[] | null; limit: number }

export type WholeSearch = { values: readonly string[]; column: string }

/** Rows of at most 50,000 characters each. */
const ROWS_PER_SLICE = 250

export function rowReads(db: Db) {
  return {
    columnsOf: (userId: string, id: string) => columnsOf(db, userId, id),

    /** In order; with `q`, only rows that contain it. */
    async rowsPage(userId: string, id: string, { limit, after }: PageRequest, q?: string): Promise<NamedRow[]> {
      const first = numberOf(after?.at)
      const sought = q === undefined ? '' : soughtOf(q)
      if (sought === '') return namedRows(db, userId, id).where('number', '>', first).limit(limit).execute()
      const held: NamedRow[] = []
      for await (const row of rowsLike(db, userId, id, [partPattern(sought)], first)) {
        if (holds(row.searchText, sought)) held.push(row)
        if (held.length >= limit) break
      }
      return held
    },

    /** The row that this tool call has already changed; null if none. */
    async rowChangedBy(userId: string, id: string, by: string): Promise<SheetRow | null> {
      const row = await namedRows(db, userId, id).where('changedBy', '=', by).executeTakeFirst()
      return row ? toSheetRow(row) : null
    },

    /** The first row whose cell in this column equals one of these values; null if there is no such row or column. */
    async rowWith(userId: string, id: string, { values, column }: WholeSearch): Promise<SheetRow | null> {
      const place = (await columnsOf(db, userId, id)).indexOf(column)
      const sought = values.map(soughtOf).filter((value) => value !== '')
      if (place === -1 || sought.length === 0) return null
      const patterns = sought.flatMap((value) => wholePatterns(value, [place]))
      for await (const row of rowsLike(db, userId, id, patterns, 0)) return toSheetRow(row)
      return null
    },

    /** Rows with an equal value first, then rows that contain it; one more than the limit if there are more. */
    async findRows(userId: string, id: string, { value, columns, limit }: Search): Promise<SheetRow[]> {
      const names = await columnsOf(db, userId, id)
      const named = columns?.map((name) => names.indexOf(name)).filter((place) => place !== -1)
      const places = named && named.length < names.length ? named : null
      const sought = soughtOf(value)
      if (sought === '' || places?.length === 0) return []
      const rows: NamedRow[] = []
      for await (const row of rowsLike(db, userId, id, wholePatterns(sought, places), 0))
        if (rows.push(row) > limit) return rows.map(toSheetRow)
      for await (const row of rowsLike(db, userId, id, [partPattern(sought)], 0))
        if (holdsPart(row.searchText, sought, places) && rows.push(row) > limit) break
      return rows.map(toSheetRow)
    },
  }
}

const ownRows = (db: Db, userId: string, id: string) =>
  db
    .selectFrom('spreadsheetRows')
    .innerJoin('spreadsheets', 'spreadsheets.id', 'spreadsheetRows.spreadsheetId')
    .where('spreadsheets.userId', '=', userId)
    .where('spreadsheets.id', '=', id)
    .orderBy('spreadsheetRows.number')

const namedRows = (db: Db, userId: string, id: string) =>
  ownRows(db, userId, id).selectAll('spreadsheetRows').select('spreadsheets.columns')

export const cellsAfter = (db: Db, userId: string, id: string, number: number, limit: number) =>
  ownRows(db, userId, id).select(['number', 'cells']).where('number', '>', number).limit(limit).execute()

async function columnsOf(db: Db, userId: string, id: string): Promise<string[]> {
  const sheet = await db
    .selectFrom('spreadsheets')
    .select('columns')
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return JSON.parse(found('Spreadsheet', sheet).columns)
}

/**
 * Rows after a row number, in order, whose search text matches one of these patterns. Reads one slice at a time: SQLite
 * scans it in the main thread, and other work runs between slices.
 */
async function* rowsLike(db: Db, userId: string, id: string, patterns: readonly string[], after: number) {
  for (let first = after; ; await breathe()) {
    const numbers = ownRows(db, userId, id).select('number').where('number', '>', first)
    const end = await numbers
      .offset(ROWS_PER_SLICE - 1)
      .limit(1)
      .executeTakeFirst()
    const slice = namedRows(db, userId, id)
      .where('number', '>', first)
      .where((row) => row.or(patterns.map((pattern) => sql<boolean>`"searchText" like ${pattern} escape '\\'`)))
    yield* await (end ? slice.where('number', '<=', end.number) : slice).execute()
    if (!end) return
    first = end.number
  }
}

/** Cursors come from the client: one without a number was not issued by this server. */
function numberOf(at: string | undefined): number {
  const number = Number(at ?? 0)
  if (!Number.isSafeInteger(number) || number < 0 || number > 2 ** 31 - 1) throw appError('cursor_invalid')
  return number
}

export function toSheetRow({ id, number, cells, columns, createdAt, updatedAt }: NamedRow): SheetRow {
  const read: Cell[] = JSON.parse(cells)
  const names: string[] = JSON.parse(columns)
  return {
    id,
    number,
    values: Object.fromEntries(names.map((name, i) => [name, read[i] ?? null])),
    createdAt,
    updatedAt,
  }
}
