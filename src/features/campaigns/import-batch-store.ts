// Stores one batch of imported rows in one transaction: contacts, merged duplicates, and the result of each row.
import type { RowResult } from '../../base/domain/campaigns.ts'
import { appError } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import { now, nowMs } from '../../base/time/clock.ts'
import type { CampaignContactRow, CampaignListRow } from '../../db/campaign-rows.ts'
import type { Db, Trx } from '../../db/database.ts'
import { increment } from '../../db/increment.ts'
import { lockRow } from '../../db/lock-row.ts'
import { dbTime } from '../../db/time.ts'
import { isOver, LEASE_MS, MAX_ROWS, type OpenImport } from './import-store.ts'

export type ReadRow = {
  /** Line in the file; null if there is no file. */
  line: number | null
  /** In the order of the campaign's columns. */
  cells: string[]
  variables: Record<string, string>
} & ({ number: string; hash: string } | { rejected: string })

/** Finds the suppressed numbers among these, by their hashes. */
export type FindSuppressed = (
  userId: string,
  hashes: readonly string[],
  on: Trx,
) => Promise<ReadonlyMap<string, { reason: string }>>

type Known = Pick<CampaignContactRow, 'id' | 'phoneNumber' | 'variables'>
type Outcome = { result: RowResult; reason: string | null; contactId: string | null }

/** Of all variables together, as JSON; a call accepts no more. */
export const MAX_VARIABLES_BYTES = 32_000
/** SQLite inserts in this thread: this many rows take a few milliseconds. */
const ROWS_AT_ONCE = 50

/** False if the import has ended meanwhile; then nothing was stored. */
export const storeBatch = (
  db: Db,
  findSuppressed: FindSuppressed,
  { row: { id: importId, userId, campaignId }, rows }: OpenImport & { rows: readonly ReadRow[] },
): Promise<boolean> =>
  db.inTransaction(async (trx) => {
    const campaign = await lockRow(trx, 'campaigns', { userId, id: campaignId })
    const current = await lockRow(trx, 'campaignImports', { userId, id: importId })
    if (!campaign || current?.status !== 'running') return false
    if (isOver(campaign)) throw appError('campaign_status', { status: campaign.status })
    const number = current.firstNumber + current.rows
    if (number + rows.length - 1 > MAX_ROWS) throw appError('campaign_contact_limit', { limit: MAX_ROWS })

    const hashes = [...new Set(rows.flatMap((row) => ('hash' in row ? [row.hash] : [])))]
    const known = await knownContacts(trx, campaignId, hashes)
    const suppressed = await findSuppressed(
      userId,
      hashes.filter((hash) => !known.has(hash)),
      trx,
    )
    const startAt: string | null | undefined = JSON.parse(campaign.schedule).startAt
    const dueAt = new Date(Math.max(nowMs(), startAt ? Date.parse(startAt) : 0)).toISOString()
    const { contacts, filled, outcomes } = sorted(rows, { userId, campaignId, known, suppressed, dueAt })
    const listRows = rows.map(
      ({ line, cells }, i): CampaignListRow => ({
        campaignId,
        number: number + i,
        importId,
        userId,
        cells: JSON.stringify(cells),
        line,
        ...(outcomes[i] as Outcome),
      }),
    )
    for (const some of slices(contacts)) await trx.insertInto('campaignContacts').values(some).execute()
    for (const [id, variables] of filled)
      await trx
        .updateTable('campaignContacts')
        .set({ variables, updatedAt: now() })
        .where('userId', '=', userId)
        .where('id', '=', id)
        .execute()
    for (const some of slices(listRows)) await trx.insertInto('campaignListRows').values(some).execute()
    const count = (result: RowResult) => increment(result, outcomes.filter((one) => one.result === result).length)
    await trx
      .updateTable('campaignImports')
      .set({
        rows: increment('rows', rows.length),
        leaseUntil: dbTime(trx, LEASE_MS),
        accepted: count('accepted'),
        merged: count('merged'),
        rejected: count('rejected'),
        suppressed: count('suppressed'),
      })
      .where('userId', '=', userId)
      .where('id', '=', importId)
      .execute()
    return true
  })

async function knownContacts(trx: Trx, campaignId: string, hashes: readonly string[]): Promise<Map<string, Known>> {
  if (hashes.length === 0) return new Map()
  const contacts = await trx
    .selectFrom('campaignContacts')
    .select(['id', 'numberHash', 'phoneNumber', 'variables'])
    .where('campaignId', '=', campaignId)
    .where('numberHash', 'in', hashes)
    .execute()
  return new Map(contacts.map(({ numberHash, ...contact }) => [numberHash, contact]))
}

type Ground = {
  userId: string
  campaignId: string
  known: Map<string, Known>
  suppressed: ReadonlyMap<string, { reason: string }>
  dueAt: string
}

/** Sorts rows into new contacts, rows that complete an earlier one, and the result of each. */
function sorted(rows: readonly ReadRow[], { userId, campaignId, known, suppressed, dueAt }: Ground) {
  const createdAt = now()
  const contacts = new Map<string, CampaignContactRow>()
  const filled = new Map<string, string>()
  const outcomes = rows.map((row): Outcome => {
    if ('rejected' in row) return { result: 'rejected', reason: row.rejected, contactId: null }
    const first: Known | undefined = contacts.get(row.hash) ?? known.get(row.hash)
    if (first) {
      const variables = completed(first, row.variables)
      if (variables !== null) {
        first.variables = variables
        if (known.has(row.hash)) filled.set(first.id, variables)
      }
      return { result: 'merged', reason: null, contactId: first.id }
    }
    const listed = suppressed.get(row.hash)
    const contact: CampaignContactRow = {
      id: newId('cct'),
      userId,
      campaignId,
      phoneNumber: row.number,
      numberHash: row.hash,
      variables: JSON.stringify(row.variables),
      status: listed ? 'suppressed' : 'waiting',
      outcome: listed ? 'suppressed' : null,
      tries: 0,
      dueAt: listed ? null : dueAt,
      dueReason: null,
      hasVoicemail: 0,
      createdAt,
      updatedAt: createdAt,
    }
    contacts.set(row.hash, contact)
    return listed
      ? { result: 'suppressed', reason: listed.reason, contactId: contact.id }
      : { result: 'accepted', reason: null, contactId: contact.id }
  })
  return { contacts: [...contacts.values()], filled, outcomes }
}

/**
 * Keeps the first row's variables and fills empty ones. Null if there is nothing to fill, or if the number was
 * forgotten.
 */
function completed({ phoneNumber, variables }: Known, more: Record<string, string>): string | null {
  if (phoneNumber === '') return null
  const before: Record<string, string> = JSON.parse(variables)
  const added = Object.entries(more).filter(([name]) => !Object.hasOwn(before, name))
  const text = JSON.stringify({ ...before, ...Object.fromEntries(added) })
  return added.length === 0 || Buffer.byteLength(text) > MAX_VARIABLES_BYTES ? null : text
}

function* slices<T>(rows: readonly T[]): Generator<T[]> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) yield rows.slice(at, at + ROWS_AT_ONCE)
}
