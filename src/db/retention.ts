// RETENTION_DAYS: removes older calls, conversations, call-back requests, rehearsals, texts and ended campaigns, in
// batches.
import { sql } from 'kysely'
import { liveStatuses } from '../base/domain/call-statuses.ts'
import { DAY_MS, nowMs, toIso } from '../base/time/clock.ts'
import { inBatches } from './batches.ts'
import { removeOldCampaigns } from './campaign-erasure.ts'
import type { Db } from './database.ts'
import { batchRemovals } from './removal.ts'

const hasNoCall = sql<boolean>`not exists (select 1 from calls where ${sql.ref('calls.conversationId')} = conversations.id)`

/** Applies regardless of RETENTION_DAYS. */
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

  const removals = batchRemovals(db, node, signal)
  const removeCalls = (limit: string) =>
    removals.calls((trx) =>
      trx
        .selectFrom('calls')
        .select('id')
        .where('startedAt', '<', limit)
        .where('status', 'not in', liveStatuses)
        .orderBy('id'),
    )
  const removeConversations = (limit: string) =>
    removals.conversations((trx) =>
      trx.selectFrom('conversations').select('id').where('startedAt', '<', limit).where(hasNoCall).orderBy('id'),
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
