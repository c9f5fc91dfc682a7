// Results of a campaign next to each imported row, read in pages: CSV is streamed, XLSX is built in a sandboxed
// process.
import { setImmediate as breathe } from 'node:timers/promises'
import { appError } from '../../base/errors/errors.ts'
import { type Cell, columnKey } from '../../base/text/table-cells.ts'
import { csvHead, csvLines } from '../../csv-xlsx/csv.ts'
import type { SpreadsheetFiles } from '../../csv-xlsx/sheet-files.ts'
import type { CampaignAttemptRow, CampaignRow } from '../../db/campaign-rows.ts'
import type { Db } from '../../db/database.ts'
import type { ContactParts } from './contact-routes.ts'
import type { CampaignStore } from './store.ts'

const PAGE = 250
/** Maximum characters of an XLSX file, which is held in memory as a whole. */
const MAX_XLSX_LENGTH = 64 * 1_048_576

const ownColumns = [
  ...['import_result', 'import_reason', 'phone_number', 'status', 'outcome', 'tries', 'last_attempt_at'],
  ...['talk_seconds', 'answered_by', 'call_id', 'success', 'summary'],
] as const
type OwnColumn = (typeof ownColumns)[number]

type ResultParts = { campaigns: Pick<CampaignStore, 'row'>; files: Pick<SpreadsheetFiles, 'writeXlsx'> }

export function campaignResults(db: Db, { campaigns, files }: ResultParts): ContactParts['results'] {
  return async (userId, campaignId, format) => {
    const campaign = await campaigns.row(userId, campaignId)
    const columns = headOf(JSON.parse(campaign.columns))
    if (format === 'csv') return { name: campaign.name, body: csv(db, campaign, columns) }
    const file = await files.writeXlsx(userId, columns, bounded(db, campaign))
    return { name: campaign.name, body: once(file) }
  }
}

async function* csv(db: Db, campaign: CampaignRow, columns: readonly string[]): AsyncGenerator<string> {
  yield csvHead(columns)
  for await (const rows of pages(db, campaign)) yield csvLines(rows)
}

async function* bounded(db: Db, campaign: CampaignRow): AsyncGenerator<Cell[][]> {
  let length = 0
  for await (const rows of pages(db, campaign)) {
    length += JSON.stringify(rows).length
    if (length > MAX_XLSX_LENGTH) throw appError('sheet_too_large_xlsx')
    yield rows
  }
}

const rowsAfter = (db: Db, { userId, id }: CampaignRow, number: number) =>
  db
    .selectFrom('campaignListRows')
    .leftJoin('campaignContacts', 'campaignContacts.id', 'campaignListRows.contactId')
    .select(['number', 'cells', 'result', 'reason', 'contactId', 'phoneNumber', 'status', 'outcome', 'tries'])
    .where('campaignListRows.userId', '=', userId)
    .where('campaignListRows.campaignId', '=', id)
    .where('number', '>', number)
    .orderBy('number')
    .limit(PAGE)
    .execute()

async function lastAttempts(db: Db, contactIds: readonly string[]): Promise<Map<string, CampaignAttemptRow>> {
  if (contactIds.length === 0) return new Map()
  const attempts = await db
    .selectFrom('campaignAttempts')
    .selectAll()
    .where('contactId', 'in', contactIds)
    .orderBy('contactId')
    .orderBy('tryNumber')
    .execute()
  return new Map(attempts.map((attempt) => [attempt.contactId, attempt]))
}

async function callsOf(db: Db, userId: string, attempts: Iterable<CampaignAttemptRow>) {
  const ids = [...attempts].flatMap(({ callId }) => callId ?? [])
  if (ids.length === 0) return new Map<string, { answeredBy: string | null; analysis: string | null }>()
  const calls = await db
    .selectFrom('calls')
    .leftJoin('conversations', 'conversations.id', 'calls.conversationId')
    .select(['calls.id', 'calls.answeredBy', 'conversations.analysis'])
    .where('calls.userId', '=', userId)
    .where('calls.id', 'in', ids)
    .execute()
  return new Map(calls.map(({ id, ...call }) => [id, call]))
}

async function* pages(db: Db, campaign: CampaignRow): AsyncGenerator<Cell[][]> {
  const columns: string[] = JSON.parse(campaign.columns)
  for (let number = 0; ; await breathe()) {
    const rows = await rowsAfter(db, campaign, number)
    const attempts = await lastAttempts(db, [...new Set(rows.flatMap(({ contactId }) => contactId ?? []))])
    const calls = await callsOf(db, campaign.userId, attempts.values())
    if (rows.length > 0)
      yield rows.map((row) => {
        const texts: string[] = JSON.parse(row.cells)
        const attempt = attempts.get(row.contactId ?? '')
        const call = calls.get(attempt?.callId ?? '')
        const analysis = call?.analysis ? JSON.parse(call.analysis) : null
        const own: Record<OwnColumn, Cell> = {
          import_result: row.result,
          import_reason: row.reason,
          phone_number: row.phoneNumber,
          status: row.status,
          outcome: row.outcome,
          tries: row.tries,
          last_attempt_at: attempt?.dialedAt ?? attempt?.createdAt ?? null,
          talk_seconds: attempt?.talkSeconds ?? null,
          answered_by: call?.answeredBy ?? null,
          call_id: attempt?.callId ?? null,
          success: analysis?.success ?? null,
          summary: analysis?.summary ?? null,
        }
        return [...columns.map((_, i) => texts[i] ?? ''), ...ownColumns.map((name) => own[name])]
      })
    if (rows.length < PAGE) return
    number = rows.at(-1)?.number ?? number
  }
}

async function* once(file: Buffer): AsyncGenerator<Buffer> {
  yield file
}

/** A list may contain a column of the same name. */
function headOf(columns: readonly string[]): string[] {
  const taken = new Set(columns.map(columnKey))
  return [...columns, ...ownColumns.map((name) => (taken.has(columnKey(name)) ? `${name}_2` : name))]
}
