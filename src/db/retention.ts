// RETENTION_DAYS: removes older calls, conversations, call-back requests, rehearsals, texts and ended campaigns, in batches.
import { sql } from 'kysely'
import { liveStatuses } from '../base/domain/call-statuses.ts'
import { DAY_MS, nowMs, toIso } from '../base/time/clock.ts'
import { inBatches } from './batches.ts'
import { removeOldCampaigns } from './campaign-erasure.ts'
import type { Db } from './database.ts'
import { forUpdate } from './lock-row.ts'
import { removableColumns, removeConversationData } from './removal.ts'

const hasNoCall = sql<boolean>`not exists (select 1 from calls where ${sql.ref('calls.conversationId')} = conversations.id)`

/** Applied regardless of RETENTION_DAYS. */
const EVENT_DAYS = 7
const DELIVERY_DAYS = 30

export function retention(db: Db, days: number | null, node: string, signal?: AbortSignal) {
  const removeOld = (
    table: 'rehearsals' | 'callbacks' | 'deviceTexts' | 'events' | 'webhookDeliveries',
    limit: string,
  ) =>
    inBatches(async (count) => {
      const old = db.selectFrom(table).select('id').where('createdAt', '<', limit).limit(count)
      return (await db.deleteFrom(table).where('id', 'in', old).returning('id').execute()).length
    }, signal)

  const removeCalls = (limit: string) =>
    inBatches(
      (count) =>
        db.inTransaction(async (trx) => {
          const old = trx
            .selectFrom('calls')
            .select('id')
            .where('startedAt', '<', limit)
            .where('status', 'not in', liveStatuses)
            .orderBy('id')
            .limit(count)
          const calls = trx.selectFrom('calls').select(removableColumns).where('id', 'in', old)
          const rows = await forUpdate(trx, calls).execute()
          await removeConversationData(trx, node, rows)
          return rows.length
        }),
      signal,
    )

  const removeConversations = (limit: string) =>
    inBatches(
      (count) =>
        db.inTransaction(async (trx) => {
          const old = await trx
            .selectFrom('conversations')
            .select('id')
            .where('startedAt', '<', limit)
            .where(hasNoCall)
            .orderBy('id')
            .limit(count)
            .execute()
          await removeConversationData(
            trx,
            node,
            [],
            old.map(({ id }) => id),
          )
          return old.length
        }),
      signal,
    )

  return async (): Promise<void> => {
    const daysAgo = (count: number) => toIso(nowMs() - count * DAY_MS)
    await removeOld('events', daysAgo(EVENT_DAYS))
    await removeOld('webhookDeliveries', daysAgo(DELIVERY_DAYS))
    if (days === null) return
    const limit = daysAgo(days)
    await removeCalls(limit)
    await removeConversations(limit)
    await removeOldCampaigns(db, limit)
    await removeOld('callbacks', limit)
    await removeOld('rehearsals', limit)
    await removeOld('deviceTexts', limit)
  }
}
