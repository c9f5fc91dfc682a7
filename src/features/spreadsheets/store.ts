// Spreadsheets. This file and row-store.ts are the only ones that write their tables.
import { setImmediate as breathe } from 'node:timers/promises'
import { appError, found } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import { type Cell, checkedColumns, type Table } from '../../base/text/table-cells.ts'
import { now, nowAfter } from '../../base/time/clock.ts'
import { requireVersion, type Target, withVersion } from '../../base/versions.ts'
import { audit, audited } from '../../db/audit.ts'
import type { Db, Trx } from '../../db/database.ts'
import { ownedPage, ownedRow } from '../../db/owned.ts'
import type { SpreadsheetRow } from '../../db/tables.ts'
import { cellsAfter } from './row-search-store.ts'
import { lockedSheet, newRow, sheetRows } from './row-store.ts'
import type { NewSpreadsheet, Spreadsheet } from './schema.ts'

export type SpreadsheetStore = ReturnType<typeof spreadsheetStore>

const ROWS_PER_BATCH = 500
/** Limit for an XLSX export, which is held in memory as a whole. */
const MAX_XLSX_LETTERS = 64 * 1_048_576

export function spreadsheetStore(db: Db) {
  const row = ownedRow(db, 'spreadsheets')

  return {
    ...sheetRows(db),
    page: ownedPage(db, 'spreadsheets'),

    async get(userId: string, id: string): Promise<Spreadsheet> {
      return toSpreadsheet(found('Spreadsheet', await row(userId, id)))
    },

    async create(userId: string, { name, columns }: NewSpreadsheet): Promise<Spreadsheet> {
      const createdAt = now()
      const made: SpreadsheetRow = {
        id: newId('sht'),
        userId,
        name,
        columns: JSON.stringify(checkedColumns(columns)),
        rowCount: 0,
        lastNumber: 0,
        version: 1,
        createdAt,
        updatedAt: createdAt,
      }
      await audited(
        db,
        (on) => on.insertInto('spreadsheets').values(made).execute(),
        () => ({ kind: 'spreadsheet', after: made }),
      )
      return toSpreadsheet(made)
    },

    rename: (userId: string, { id, ifMatch }: Target, name: string | undefined): Promise<Spreadsheet> =>
      db.inTransaction(async (trx) => {
        const before = await lockedSheet(trx, userId, id)
        requireVersion(before.rowVersion, ifMatch)
        if (name === undefined) return toSpreadsheet(before)
        const rowVersion = (before.rowVersion ?? 1) + 1
        const after = { ...before, name, updatedAt: nowAfter(before.updatedAt), rowVersion }
        await trx.updateTable('spreadsheets').set(after).where('userId', '=', userId).where('id', '=', id).execute()
        await audit(trx, { kind: 'spreadsheet', before, after })
        return toSpreadsheet(after)
      }),

    remove: (userId: string, { id, ifMatch }: Target): Promise<Spreadsheet> =>
      db.inTransaction(async (trx) => {
        const before = await lockedSheet(trx, userId, id)
        requireVersion(before.rowVersion, ifMatch)
        await trx.deleteFrom('spreadsheets').where('userId', '=', userId).where('id', '=', id).execute()
        await audit(trx, { kind: 'spreadsheet', before })
        return toSpreadsheet(before)
      }),

    /** Replaces all rows or none. Numbering continues, so that an old number never refers to a new row. */
    replace: (userId: string, id: string, table: Table): Promise<Spreadsheet> =>
      db.inTransaction((trx) => replaceRows(trx, userId, id, table)),

    pages: (userId: string, id: string) => cellPages(db, userId, id),

    /** The same pages, limited in size, for a file that is built as a whole. */
    async *boundedPages(userId: string, id: string): AsyncGenerator<Cell[][]> {
      let letters = 0
      for await (const page of cellPages(db, userId, id)) {
        letters += JSON.stringify(page).length
        if (letters > MAX_XLSX_LETTERS) throw appError('sheet_too_large_xlsx')
        yield page
      }
    },
  }
}

async function replaceRows(trx: Trx, userId: string, id: string, table: Table): Promise<Spreadsheet> {
  const before = await lockedSheet(trx, userId, id)
  const updatedAt = nowAfter(before.updatedAt)
  await trx.deleteFrom('spreadsheetRows').where('spreadsheetId', '=', id).execute()
  for (let at = 0; at < table.rows.length; at += ROWS_PER_BATCH) {
    const batch = table.rows.slice(at, at + ROWS_PER_BATCH)
    const made = batch.map((cells, i) => newRow(id, before.lastNumber + at + i + 1, cells, updatedAt))
    await trx.insertInto('spreadsheetRows').values(made).execute()
    await breathe()
  }
  const after: SpreadsheetRow = {
    ...before,
    columns: JSON.stringify(table.columns),
    rowCount: table.rows.length,
    lastNumber: before.lastNumber + table.rows.length,
    version: before.version + 1,
    updatedAt,
  }
  await trx.updateTable('spreadsheets').set(after).where('userId', '=', userId).where('id', '=', id).execute()
  await audit(trx, { kind: 'spreadsheet', action: 'replaced', before, after })
  return toSpreadsheet(after)
}

/**
 * The cells of all rows, in batches. Fails if the rows were replaced meanwhile, rather than mixing old and new ones.
 */
async function* cellPages(db: Db, userId: string, id: string): AsyncGenerator<Cell[][]> {
  const row = ownedRow(db, 'spreadsheets')
  const versionNow = async () => found('Spreadsheet', await row(userId, id)).version
  const version = await versionNow()
  for (let after = 0; ; await breathe()) {
    const page = await cellsAfter(db, userId, id, after, ROWS_PER_BATCH)
    if ((await versionNow()) !== version) throw appError('sheet_rows_replaced')
    if (page.length > 0) yield page.map(({ cells }) => JSON.parse(cells))
    if (page.length < ROWS_PER_BATCH) return
    after = page.at(-1)?.number ?? after
  }
}

export function toSpreadsheet(row: SpreadsheetRow): Spreadsheet {
  const { id, name, columns, rowCount, createdAt, updatedAt } = row
  return withVersion({ id, name, columns: JSON.parse(columns), rowCount, createdAt, updatedAt }, row.rowVersion)
}
