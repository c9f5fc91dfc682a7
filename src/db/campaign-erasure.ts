// Erases personal data of campaigns: removed ones in batches, those past their retention, and the contacts of a number.
// Attempts keep their number's keyed hash for as long as a frequency rule may look back, so that deleting a campaign
// does not lead to more calls to anyone.
import { sql } from 'kysely'
import { DAY_MS, now, nowMs, toIso } from '../base/time/clock.ts'
import { inBatches } from './batches.ts'
import type { Db, Trx } from './database.ts'
import { inChunks } from './removal.ts'

/** The longest span of a frequency rule, see rule-packs/pack.ts. */
const HISTORY_MS = 31 * DAY_MS
const blank = { phoneNumber: '', variables: '{}' }

/** Erases everything that belongs to removed campaigns. Runs again until nothing is left. */
export async function eraseRemovedCampaigns(db: Db, signal?: AbortSignal): Promise<void> {
  const removed = await db
    .selectFrom('campaigns')
    .select(['id', 'removedAt'])
    .where('removedAt', 'is not', null)
    .execute()
  for (const { id, removedAt } of removed) {
    await eraseContents(db, id, signal)
    if (signal?.aborted) return
    const recent = db.selectFrom('campaignAttempts').select('id').where('campaignId', '=', id)
    const kept = await recent
      .where('createdAt', '>', toIso(nowMs() - HISTORY_MS))
      .limit(1)
      .executeTakeFirst()
    // Contacts that were never called are gone by now: what is left is small, or old.
    if (!kept || (removedAt ?? '') < toIso(nowMs() - HISTORY_MS)) await deleteCampaign(db, id, signal)
  }
}

/** Erases the list, contacts without an attempt, and numbers and variables of the others. */
async function eraseContents(db: Db, campaignId: string, signal?: AbortSignal): Promise<void> {
  await deleteListRows(db, sql<boolean>`${sql.ref('campaignId')} = ${campaignId}`, signal)
  await db.deleteFrom('campaignImports').where('campaignId', '=', campaignId).execute()
  await inBatches(
    (limit) =>
      db.inTransaction(async (trx) => {
        const some = trx.selectFrom('campaignContacts').select('id').where('campaignId', '=', campaignId)
        const ids = (await some.where('phoneNumber', '!=', '').limit(limit).execute()).map(({ id }) => id)
        for (const chunk of inChunks(ids)) {
          const called = trx.selectFrom('campaignAttempts').select('contactId').where('contactId', 'in', chunk)
          const contacts = trx.updateTable('campaignContacts').where('id', 'in', chunk)
          await trx.updateTable('campaignAttempts').set({ phoneNumber: '' }).where('contactId', 'in', chunk).execute()
          await contacts
            .set({ ...blank, updatedAt: now() })
            .where('id', 'in', called)
            .execute()
          await trx.deleteFrom('campaignContacts').where('id', 'in', chunk).where('phoneNumber', '!=', '').execute()
        }
        return ids.length
      }),
    signal,
  )
}

/** In batches, because a cascade over 100,000 contacts would block other writers. */
async function deleteCampaign(db: Db, id: string, signal?: AbortSignal): Promise<void> {
  for (const table of ['campaignAttempts', 'campaignContacts'] as const)
    await inBatches(async (limit) => {
      const some = db.selectFrom(table).select('id').where('campaignId', '=', id).limit(limit)
      return (await db.deleteFrom(table).where('id', 'in', some).returning('id').execute()).length
    }, signal)
  if (!signal?.aborted)
    await db.deleteFrom('campaigns').where('id', '=', id).where('removedAt', 'is not', null).execute()
}

export const deleteListRows = (db: Db, isMeant: ReturnType<typeof sql<boolean>>, signal?: AbortSignal) =>
  inBatches(async (limit) => {
    const key = sql`${sql.ref('campaignId')}, ${sql.ref('number')}`
    const some = sql`select ${key} from ${sql.table('campaignListRows')} where ${isMeant} limit ${limit}`
    const { rows } =
      await sql`delete from ${sql.table('campaignListRows')} where (${key}) in (${some}) returning 1`.execute(db)
    return rows.length
  }, signal)

/** Hides campaigns that ended before `limit`; they are then erased like removed ones. */
export async function removeOldCampaigns(db: Db, limit: string): Promise<void> {
  await db
    .updateTable('campaigns')
    .set({ removedAt: now() })
    .where('status', 'in', ['completed', 'canceled'])
    .where('endedAt', '<', limit)
    .where('removedAt', 'is', null)
    .execute()
}

/** Contacts with this number, in all campaigns of the user, that are not being called now. */
export const contactsOfNumber = (db: Db, userId: string, number: string): Promise<{ id: string }[]> =>
  db
    .selectFrom('campaignContacts')
    .select('id')
    .where('userId', '=', userId)
    .where('phoneNumber', '=', number)
    .where('status', '!=', 'calling')
    .execute()

/**
 * Erases the number, the variables and the cells of the list. The hash stays, so that the same campaign does not import
 * and call the number again; a contact that was still to be called is canceled.
 */
export async function forgetContacts(trx: Trx, userId: string, ids: readonly string[]): Promise<void> {
  for (const some of inChunks(ids)) {
    const own = trx.updateTable('campaignContacts').where('userId', '=', userId).where('id', 'in', some)
    await own
      .where('status', 'in', ['waiting', 'in_doubt'])
      .set({ status: 'canceled', dueAt: null, dueReason: null })
      .execute()
    await own
      .set({ ...blank, dueReason: null, updatedAt: now() })
      .where('status', '!=', 'calling')
      .execute()
    await trx
      .updateTable('campaignAttempts')
      .set({ phoneNumber: '' })
      .where('userId', '=', userId)
      .where('contactId', 'in', some)
      .execute()
    await trx
      .updateTable('campaignListRows')
      .set({ cells: '[]' })
      .where('userId', '=', userId)
      .where('contactId', 'in', some)
      .execute()
  }
}
