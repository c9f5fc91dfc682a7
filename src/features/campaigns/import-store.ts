// A campaign's imports, one at a time, and the result of each row. Not a `leasedQueue`: the list arrives with a request
// to this process, so no other process could continue it; the lease only detects a crash.

import { appError, found } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import { columnKey } from '../../base/text/table-cells.ts'
import { now } from '../../base/time/clock.ts'
import { audit } from '../../db/audit.ts'
import type { CampaignImportRow, CampaignRow } from '../../db/campaign-rows.ts'
import type { Db, Trx } from '../../db/database.ts'
import { lockRow } from '../../db/lock-row.ts'
import { eventWriter, type WriteEvent } from '../../db/outbox.ts'
import type { PageRequest } from '../../db/owned.ts'
import { dbTime } from '../../db/time.ts'
import { markWritten } from '../../db/write-once.ts'
import type { ContactImport, ImportedRow, ImportedRowQuery } from './contact-schema.ts'

export const LEASE_MS = 60_000
/** In all lists of a campaign together. */
export const MAX_ROWS = 200_000
export const MAX_COLUMNS = 100
const MAX_LISTED = 500
const CRASHED =
  'The process that read this list ended before it was done. Rows that were stored are kept: import the list again, duplicates are merged'

export type NewImport = { columns: readonly string[]; phoneColumn: string }
/** `places`: for each column of the list, its index among the campaign's columns. */
export type OpenImport = { row: CampaignImportRow; campaign: CampaignRow; places: number[] }

export function importStore(db: Db) {
  const writeEvent = eventWriter(db)

  return {
    requireOpen: (campaign: CampaignRow) => requireOpen(db, campaign),

    /** Opens an import, and adds the list's columns that the campaign does not have yet. */
    open: (userId: string, campaignId: string, list: NewImport): Promise<OpenImport> =>
      db.inTransaction((trx) => openImport(trx, { userId, campaignId, ...list })),

    /** No-op if the import has already ended. A null `error` means it was read to its end. */
    finish: ({ userId, id }: CampaignImportRow, error: string | null): Promise<void> =>
      db.inTransaction(async (trx) => {
        const stored = await trx
          .updateTable('campaignImports')
          .set({ status: error === null ? 'completed' : 'failed', error, endedAt: now() })
          .where('userId', '=', userId)
          .where('id', '=', id)
          .where('status', '=', 'running')
          .returningAll()
          .executeTakeFirst()
        if (stored) await ended(writeEvent, trx, stored)
      }),

    /** Marks imports whose process crashed, on any node. */
    expire: (): Promise<number> =>
      db.inTransaction(async (trx) => {
        const expired = await trx
          .updateTable('campaignImports')
          .set({ status: 'failed', error: CRASHED, endedAt: now() })
          .where('status', '=', 'running')
          .where('leaseUntil', '<', dbTime(trx))
          .returningAll()
          .execute()
        for (const row of expired) await ended(writeEvent, trx, row)
        return expired.length
      }),

    async list(userId: string, campaignId: string): Promise<ContactImport[]> {
      const rows = await db
        .selectFrom('campaignImports')
        .selectAll()
        .where('userId', '=', userId)
        .where('campaignId', '=', campaignId)
        .orderBy('id', 'desc')
        .limit(MAX_LISTED)
        .execute()
      return rows.map(toImport)
    },

    get: async (userId: string, campaignId: string, importId: string): Promise<ContactImport> =>
      toImport(await oneOf(db, userId, campaignId, importId)),

    rows: (
      ofImport: { userId: string; campaignId: string; importId: string },
      query: ImportedRowQuery,
      page: PageRequest,
    ) => importedRows(db, ofImport, query, page),
  }
}

const oneOf = async (db: Db, userId: string, campaignId: string, importId: string): Promise<CampaignImportRow> => {
  const row = await db
    .selectFrom('campaignImports')
    .selectAll()
    .where('userId', '=', userId)
    .where('campaignId', '=', campaignId)
    .where('id', '=', importId)
    .executeTakeFirst()
  return found('Campaign import', row)
}

async function ended(writeEvent: WriteEvent, trx: Trx, row: CampaignImportRow): Promise<void> {
  const { userId, campaignId, id, status, error, rows, accepted, merged, rejected, suppressed } = row
  await writeEvent(trx, {
    userId,
    type: 'campaign.import.completed',
    data: { campaignId, import: { id, status, error, rows, accepted, merged, rejected, suppressed } },
  })
}

async function runningIn(on: Db | Trx, { id }: CampaignRow): Promise<boolean> {
  const running = await on
    .selectFrom('campaignImports')
    .select('id')
    .where('campaignId', '=', id)
    .where('status', '=', 'running')
    .executeTakeFirst()
  return running !== undefined
}

/** Throws if no list can be imported now. */
async function requireOpen(on: Db | Trx, campaign: CampaignRow): Promise<void> {
  if (isOver(campaign)) throw appError('campaign_status', { status: campaign.status })
  if (await runningIn(on, campaign)) throw appError('campaign_import_running')
}

async function openImport(
  trx: Trx,
  { userId, campaignId, columns, phoneColumn }: NewImport & { userId: string; campaignId: string },
): Promise<OpenImport> {
  const before = found('Campaign', await lockRow(trx, 'campaigns', { userId, id: campaignId }))
  await requireOpen(trx, before)
  const { last } = await trx
    .selectFrom('campaignListRows')
    .select(({ fn }) => fn.max('number').as('last'))
    .where('campaignId', '=', campaignId)
    .executeTakeFirstOrThrow()
  const firstNumber = Number(last ?? 0) + 1
  if (firstNumber > MAX_ROWS) throw appError('campaign_contact_limit', { limit: MAX_ROWS })
  const { all, places } = joinColumns(JSON.parse(before.columns), columns)
  const campaign = { ...before, columns: JSON.stringify(all), phoneColumn: before.phoneColumn ?? phoneColumn }
  await trx
    .updateTable('campaigns')
    .set({ columns: campaign.columns, phoneColumn: campaign.phoneColumn })
    .where('userId', '=', userId)
    .where('id', '=', campaignId)
    .execute()
  await markWritten(trx)
  const row = await trx
    .insertInto('campaignImports')
    .values({
      id: newId('imp'),
      userId,
      campaignId,
      status: 'running',
      error: null,
      firstNumber,
      rows: 0,
      accepted: 0,
      merged: 0,
      rejected: 0,
      suppressed: 0,
      createdAt: now(),
      endedAt: null,
      leaseUntil: dbTime(trx, LEASE_MS),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await audit(trx, { kind: 'campaign', action: 'contacts_imported', userId, id: campaignId })
  return { row, campaign, places }
}

/** In order. Rows of an import are numbered consecutively. */
async function importedRows(
  db: Db,
  { userId, campaignId, importId }: { userId: string; campaignId: string; importId: string },
  { result }: ImportedRowQuery,
  { limit, after }: PageRequest,
): Promise<(ImportedRow & { id: string })[]> {
  const { firstNumber, rows } = await oneOf(db, userId, campaignId, importId)
  const query = db
    .selectFrom('campaignListRows')
    .innerJoin('campaigns', 'campaigns.id', 'campaignListRows.campaignId')
    .select(['number', 'line', 'cells', 'result', 'reason', 'contactId', 'campaigns.columns'])
    .where('campaignListRows.userId', '=', userId)
    .where('campaignListRows.campaignId', '=', campaignId)
    .where('number', '>=', firstNumber + numberOf(after?.at))
    .where('number', '<', firstNumber + rows)
    .orderBy('number')
    .limit(limit)
  const page = await (result ? query.where('importId', '=', importId).where('result', '=', result) : query).execute()
  return page.map(({ columns, cells, number, line = null, ...row }) => ({
    ...row,
    line,
    id: String(number),
    number: number - firstNumber + 1,
    cells: cellsOf(columns, cells),
  }))
}

export const isOver = ({ status }: CampaignRow): boolean => status === 'completed' || status === 'canceled'

/** Columns that differ only in case or accents are the same. */
function joinColumns(known: readonly string[], columns: readonly string[]): { all: string[]; places: number[] } {
  const all = [...known]
  const byKey = new Map(all.map((name, i) => [columnKey(name), i]))
  const places = columns.map((name) => {
    const key = columnKey(name)
    const place = byKey.get(key) ?? all.push(name) - 1
    byKey.set(key, place)
    return place
  })
  if (all.length > MAX_COLUMNS) throw appError('campaign_columns_limit', { limit: MAX_COLUMNS })
  return { all, places }
}

function cellsOf(columns: string, cells: string): Record<string, string> {
  const names: string[] = JSON.parse(columns)
  const texts: string[] = JSON.parse(cells)
  return Object.fromEntries(names.slice(0, texts.length).map((name, i) => [name, texts[i] ?? '']))
}

/** Cursors come from the client: one without a number was not issued by this server. */
function numberOf(at: string | undefined): number {
  const number = Number(at ?? 0)
  if (!Number.isSafeInteger(number) || number < 0 || number > MAX_ROWS) throw appError('cursor_invalid')
  return number
}

function toImport(row: CampaignImportRow): ContactImport {
  const { userId, leaseUntil, firstNumber, ...record } = row
  return record
}
