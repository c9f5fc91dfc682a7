// RETENTION_DAYS: what is older goes, a little at a time so that nobody waits for it.
import { DAY_MS, nowMs, toIso } from '../base/clock.ts'
import type { Db } from './database.ts'
import { liveStatuses } from './tables.ts'

const BATCH = 500

/** Short-lived whatever RETENTION_DAYS says. */
const EVENT_DAYS = 7
const DELIVERY_DAYS = 30

export function retention(db: Db, days: number | null, removeRecordings: (fileNames: string[]) => Promise<void>) {
  return async (): Promise<void> => {
    const daysAgo = (count: number) => toIso(nowMs() - count * DAY_MS)
    while ((await removeOld(db, 'events', daysAgo(EVENT_DAYS))) === BATCH);
    while ((await removeOld(db, 'webhookDeliveries', daysAgo(DELIVERY_DAYS))) === BATCH);
    if (days === null) return
    const limit = daysAgo(days)
    while ((await removeCalls(db, limit, removeRecordings)) === BATCH);
    while ((await removeConversations(db, limit)) === BATCH);
    while ((await removeOld(db, 'rehearsals', limit)) === BATCH);
    while ((await removeOld(db, 'deviceTexts', limit)) === BATCH);
  }
}

async function removeCalls(db: Db, limit: string, removeRecordings: (fileNames: string[]) => Promise<void>) {
  const old = db
    .selectFrom('calls')
    .select('id')
    .where('startedAt', '<', limit)
    .where('status', 'not in', liveStatuses)
    .limit(BATCH)
  const removed = await db.deleteFrom('calls').where('id', 'in', old).returning('recording').execute()
  await removeRecordings(removed.flatMap((call) => call.recording ?? []))
  return removed.length
}

async function removeConversations(db: Db, limit: string) {
  const live = db.selectFrom('calls').select('conversationId').where('conversationId', 'is not', null)
  const old = db
    .selectFrom('conversations')
    .select('id')
    .where('startedAt', '<', limit)
    .where('id', 'not in', live)
    .limit(BATCH)
  return (await db.deleteFrom('conversations').where('id', 'in', old).returning('id').execute()).length
}

async function removeOld(db: Db, table: 'rehearsals' | 'deviceTexts' | 'events' | 'webhookDeliveries', limit: string) {
  const old = db.selectFrom(table).select('id').where('createdAt', '<', limit).limit(BATCH)
  return (await db.deleteFrom(table).where('id', 'in', old).returning('id').execute()).length
}
