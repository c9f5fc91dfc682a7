// The rows of a spreadsheet: add, change, remove and find; a repeated tool call takes effect once.
import { setImmediate as breathe } from 'node:timers/promises'
import { sql } from 'kysely'
import { appError, found, notFound } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import { type Cell, checkedRow, MAX_ROWS } from '../../base/text/table-cells.ts'
import { nowAfter } from '../../base/time/clock.ts'
import type { Db, Trx } from '../../db/database.ts'
import { lockRow } from '../../db/lock-row.ts'
import type { PageRequest } from '../../db/owned.ts'
import type { SheetRowRow, SpreadsheetRow } from '../../db/tables.ts'
import type { SheetRow } from './schema.ts'
import { holds, holdsPart, partPattern, searchTextOf, soughtOf, wholePatterns } from './search.ts'

type Values = Readonly<Record<string, Cell>>
/** A row by its id, or by its number. */
export type Which = { id: string } | { number: number }
/** With the column names at the time it was read. */
export type NamedRow = SheetRowRow & { columns: string }
export type Search = { value: string | number | boolean; columns: readonly string[] | null; limit: number }

export type WholeSearch = { values: readonly string[]; column: string }

/** Rows of at most 50,000 characters each. */
const SLICE = 250

export function sheetRows(db: Db) {
  const from = (userId: string, id: string) =>
    db
      .selectFrom('spreadsheetRows')
      .innerJoin('spreadsheets', 'spreadsheets.id', 'spreadsheetRows.spreadsheetId')
      .where('spreadsheets.userId', '=', userId)
      .where('spreadsheets.id', '=', id)
      .orderBy('spreadsheetRows.number')
  const columnsOf = async (userId: string, id: string): Promise<string[]> => {
    const sheet = await db
      .selectFrom('spreadsheets')
      .select('columns')
      .where('userId', '=', userId)
      .where('id', '=', id)
      .executeTakeFirst()
    return JSON.parse(found('Spreadsheet', sheet).columns)
  }

  /**
   * Rows whose search text matches one of these patterns, after a row number and in order, one slice of the spreadsheet at a time:
   * SQLite scans a slice on the main thread, and other work runs between two slices.
   */
  async function* rowsLike(userId: string, id: string, patterns: readonly string[], after: number) {
    for (let first = after; ; await breathe()) {
      const numbers = from(userId, id).select('number').where('number', '>', first)
      const end = await numbers
        .offset(SLICE - 1)
        .limit(1)
        .executeTakeFirst()
      const slice = from(userId, id)
        .selectAll('spreadsheetRows')
        .select('spreadsheets.columns')
        .where('number', '>', first)
        .where((row) => row.or(patterns.map((pattern) => sql<boolean>`"searchText" like ${pattern} escape '\\'`)))
      yield* await (end ? slice.where('number', '<=', end.number) : slice).execute()
      if (!end) return
      first = end.number
    }
  }

  return {
    columnsOf,

    /** In order; with `q` only rows that contain it. */
    async rowsPage(userId: string, id: string, { limit, after }: PageRequest, q?: string): Promise<NamedRow[]> {
      const first = numberOf(after?.at)
      const sought = q === undefined ? '' : soughtOf(q)
      if (sought === '')
        return from(userId, id)
          .selectAll('spreadsheetRows')
          .select('spreadsheets.columns')
          .where('number', '>', first)
          .limit(limit)
          .execute()
      const held: NamedRow[] = []
      for await (const row of rowsLike(userId, id, [partPattern(sought)], first)) {
        if (holds(row.searchText, sought)) held.push(row)
        if (held.length >= limit) break
      }
      return held
    },

    cellsAfter: (userId: string, id: string, number: number, limit: number) =>
      from(userId, id).select(['number', 'cells']).where('number', '>', number).limit(limit).execute(),

    /** `by` is the tool call that adds the row: a repeated call returns the row it added. */
    addRow: (userId: string, id: string, values: Values, by: string | null = null): Promise<SheetRow> =>
      db.inTransaction(async (trx) => {
        const sheet = await lockedSheet(trx, userId, id)
        const known =
          by === null
            ? undefined
            : await trx
                .selectFrom('spreadsheetRows')
                .selectAll()
                .where('spreadsheetId', '=', id)
                .where('addedBy', '=', by)
                .executeTakeFirst()
        if (known) return toSheetRow({ ...known, columns: sheet.columns })
        if (sheet.rowCount >= MAX_ROWS) throw appError('sheet_full', { limit: MAX_ROWS })
        const updatedAt = nowAfter(sheet.updatedAt)
        const row = newRow(id, sheet.lastNumber + 1, withValues(sheet, null, values), updatedAt, by)
        await trx.insertInto('spreadsheetRows').values(row).execute()
        await touch(trx, { ...sheet, rowCount: sheet.rowCount + 1, lastNumber: row.number, updatedAt })
        return toSheetRow({ ...row, columns: sheet.columns })
      }),

    changeRow: (
      userId: string,
      id: string,
      which: Which,
      values: Values,
      by: string | null = null,
    ): Promise<SheetRow> =>
      db.inTransaction(async (trx) => {
        const sheet = await lockedSheet(trx, userId, id)
        const before = await oneRow(trx, id, which)
        const updatedAt = nowAfter(before.updatedAt)
        const cells = withValues(sheet, JSON.parse(before.cells), values)
        const changedBy = by ?? before.changedBy
        const change = { cells: JSON.stringify(cells), searchText: searchTextOf(cells), changedBy, updatedAt }
        await trx.updateTable('spreadsheetRows').set(change).where('id', '=', before.id).execute()
        await touch(trx, { ...sheet, updatedAt: nowAfter(sheet.updatedAt) })
        return toSheetRow({ ...before, ...change, columns: sheet.columns })
      }),

    /** The row that this tool call has already changed; null: none. */
    async rowChangedBy(userId: string, id: string, by: string): Promise<SheetRow | null> {
      const row = await from(userId, id)
        .selectAll('spreadsheetRows')
        .select('spreadsheets.columns')
        .where('changedBy', '=', by)
        .executeTakeFirst()
      return row ? toSheetRow(row) : null
    },

    removeRow: (userId: string, id: string, rowId: string): Promise<SheetRow> =>
      db.inTransaction(async (trx) => {
        const sheet = await lockedSheet(trx, userId, id)
        const row = await oneRow(trx, id, { id: rowId })
        await trx.deleteFrom('spreadsheetRows').where('id', '=', row.id).execute()
        await touch(trx, { ...sheet, rowCount: sheet.rowCount - 1, updatedAt: nowAfter(sheet.updatedAt) })
        return toSheetRow({ ...row, columns: sheet.columns })
      }),

    /** The first row with one of these whole values in the column; null: none, or there is no such column. */
    async rowWith(userId: string, id: string, { values, column }: WholeSearch): Promise<SheetRow | null> {
      const place = (await columnsOf(userId, id)).indexOf(column)
      const sought = values.map(soughtOf).filter((value) => value !== '')
      if (place === -1 || sought.length === 0) return null
      const patterns = sought.flatMap((value) => wholePatterns(value, [place]))
      for await (const row of rowsLike(userId, id, patterns, 0)) return toSheetRow(row)
      return null
    },

    /** Rows with the whole value first, then rows that contain it; one more than the limit if there are more. */
    async findRows(userId: string, id: string, { value, columns, limit }: Search): Promise<SheetRow[]> {
      const names = await columnsOf(userId, id)
      const named = columns?.map((name) => names.indexOf(name)).filter((place) => place !== -1)
      const places = named && named.length < names.length ? named : null
      const sought = soughtOf(value)
      if (sought === '' || places?.length === 0) return []
      const rows: NamedRow[] = []
      for await (const row of rowsLike(userId, id, wholePatterns(sought, places), 0))
        if (rows.push(row) > limit) return rows.map(toSheetRow)
      for await (const row of rowsLike(userId, id, [partPattern(sought)], 0))
        if (holdsPart(row.searchText, sought, places) && rows.push(row) > limit) break
      return rows.map(toSheetRow)
    },
  }
}

/** Lock the spreadsheet's row before changing it or its rows. */
export async function lockedSheet(trx: Trx, userId: string, id: string): Promise<SpreadsheetRow> {
  return found('Spreadsheet', await lockRow(trx, 'spreadsheets', { userId, id }))
}

export function newRow(
  spreadsheetId: string,
  number: number,
  cells: readonly Cell[],
  at: string,
  addedBy: string | null = null,
): SheetRowRow {
  return {
    id: newId('row'),
    spreadsheetId,
    number,
    cells: JSON.stringify(cells),
    searchText: searchTextOf(cells),
    addedBy,
    changedBy: null,
    createdAt: at,
    updatedAt: at,
  }
}

/** The cells with these values applied. */
function withValues(sheet: SpreadsheetRow, cells: readonly Cell[] | null, values: Values): Cell[] {
  const columns: string[] = JSON.parse(sheet.columns)
  const unknown = Object.keys(values).filter((name) => !columns.includes(name))
  if (unknown.length > 0) {
    const told = unknown.slice(0, 5).join(', ').slice(0, 300)
    throw appError('sheet_no_column', { column: told, columns: columns.join(', ').slice(0, 1000) })
  }
  const merged = columns.map((name, i) => (Object.hasOwn(values, name) ? (values[name] ?? null) : (cells?.[i] ?? null)))
  return checkedRow(merged, columns, '')
}

async function touch(trx: Trx, { id, userId, rowCount, lastNumber, updatedAt }: SpreadsheetRow): Promise<void> {
  await trx
    .updateTable('spreadsheets')
    .set({ rowCount, lastNumber, updatedAt })
    .where('userId', '=', userId)
    .where('id', '=', id)
    .execute()
}

async function oneRow(trx: Trx, spreadsheetId: string, which: Which): Promise<SheetRowRow> {
  const row = await trx
    .selectFrom('spreadsheetRows')
    .selectAll()
    .where('spreadsheetId', '=', spreadsheetId)
    .where('id' in which ? 'id' : 'number', '=', 'id' in which ? which.id : which.number)
    .executeTakeFirst()
  if (!row) throw notFound('Row')
  return row
}

/** A cursor is client text: it must contain a number, or the server did not issue it. */
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
