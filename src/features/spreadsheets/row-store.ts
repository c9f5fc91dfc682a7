// Adds, changes and removes rows of a spreadsheet; a repeated tool call takes effect once.
import { appError, found, notFound } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import { type Cell, checkedRow, MAX_ROWS } from '../../base/text/table-cells.ts'
import { nowAfter } from '../../base/time/clock.ts'
import { audit } from '../../db/audit.ts'
import type { Db, Trx } from '../../db/database.ts'
import { lockRow } from '../../db/lock-row.ts'
import type { SheetRowRow, SpreadsheetRow } from '../../db/tables.ts'
import { rowReads, toSheetRow } from './row-search-store.ts'
import type { SheetRow } from './schema.ts'
import { searchTextOf } from './search.ts'

type Values = Readonly<Record<string, Cell>>
/** A row, by id or by number. */
export type Which = { id: string } | { number: number }
export function sheetRows(db: Db) {
  return {
    ...rowReads(db),

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
        if (by === null) await audit(trx, { kind: 'spreadsheet', action: 'row_added', userId, id })
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
        if (by === null) await audit(trx, { kind: 'spreadsheet', action: 'row_changed', userId, id })
        return toSheetRow({ ...before, ...change, columns: sheet.columns })
      }),

    removeRow: (userId: string, id: string, rowId: string): Promise<SheetRow> =>
      db.inTransaction(async (trx) => {
        const sheet = await lockedSheet(trx, userId, id)
        const row = await oneRow(trx, id, { id: rowId })
        await trx.deleteFrom('spreadsheetRows').where('id', '=', row.id).execute()
        await touch(trx, { ...sheet, rowCount: sheet.rowCount - 1, updatedAt: nowAfter(sheet.updatedAt) })
        await audit(trx, { kind: 'spreadsheet', action: 'row_removed', userId, id })
        return toSheetRow({ ...row, columns: sheet.columns })
      }),
  }
}

/** Locks the spreadsheet's row; call it before changing it or its rows. */
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
