// The only place that deletes calls and conversations: in one transaction, with a queue entry per recording, which
// makes the node that has the file delete it (features/recordings/removal-queue.ts). Turns, SIP messages, replays,
// messages, tool calls, call-back requests and events are deleted by foreign key.
import { type SelectQueryBuilder, sql } from 'kysely'
import { now, toIso } from '../base/time/clock.ts'
import { inBatches } from './batches.ts'
import type { CallbackRow } from './callback-rows.ts'
import type { Db, Trx } from './database.ts'
import { forUpdate } from './lock-row.ts'
import type { CallRow, DeviceTextRow, Tables } from './tables.ts'

/** The columns that removing a call needs. */
type RemovableCall = Pick<CallRow, 'id' | 'userId' | 'conversationId' | 'recording' | 'recordingNode'>
const removableColumns = ['id', 'userId', 'conversationId', 'recording', 'recordingNode'] as const

/** Leaves out rows of an agent that is being removed. `column` contains the agent's id. */
export const agentNotRemoved = (column = 'agentId') =>
  sql<boolean>`coalesce(${sql.ref(column)}, '') not in (select id from agents where ${sql.ref('removedAt')} is not null)`

/** An event about a text is written right after it. */
const TEXT_EVENT_MS = 60_000

/**
 * Removes calls with their conversations, and conversations without a call. `node`: the disk for recordings whose row
 * does not name one.
 */
export async function removeConversationData(
  trx: Trx,
  node: string,
  calls: readonly RemovableCall[],
  conversationIds: readonly string[] = [],
): Promise<void> {
  const talks = [...conversationIds, ...calls.flatMap(({ conversationId }) => conversationId ?? [])]
  const callIds = calls.map(({ id }) => id)
  for (const some of inChunks(talks)) {
    // Locked before anything is deleted, so that a transaction about to write an event for it can finish.
    await forUpdate(trx, trx.selectFrom('conversations').select('id').where('id', 'in', some)).execute()
    const texts = await trx.selectFrom('deviceTexts').selectAll().where('conversationId', 'in', some).execute()
    for (const [userId, own] of Map.groupBy(texts, (text) => text.userId)) await removeTexts(trx, userId, own)
  }
  for (const some of inChunks([...callIds, ...talks]))
    await trx.deleteFrom('webhookDeliveries').where('orderKey', 'in', some).execute()
  await queueRecordings(trx, node, calls)
  for (const some of inChunks(callIds)) await trx.deleteFrom('calls').where('id', 'in', some).execute()
  for (const some of inChunks(talks)) await trx.deleteFrom('conversations').where('id', 'in', some).execute()
}

/** Removes calls and conversations in batches; `some` selects the ids of the next batch. */
export function batchRemovals(db: Db, node: string, signal?: AbortSignal) {
  type Ids<T extends 'calls' | 'conversations'> = SelectQueryBuilder<Tables, T, { id: string }>
  const inTransactions = (work: (trx: Trx, limit: number) => Promise<number>) =>
    inBatches((limit) => db.inTransaction((trx) => work(trx, limit)), signal)
  return {
    calls: (some: (trx: Trx) => Ids<'calls'>) =>
      inTransactions(async (trx, limit) => {
        const calls = trx.selectFrom('calls').select(removableColumns).where('id', 'in', some(trx).limit(limit))
        const rows = await forUpdate(trx, calls).execute() // calls before conversations, as everywhere else
        await removeConversationData(trx, node, rows)
        return rows.length
      }),
    conversations: (some: (trx: Trx) => Ids<'conversations'>) =>
      inTransactions(async (trx, limit) => {
        const rows = await some(trx).limit(limit).execute()
        const ids = rows.map(({ id }) => id)
        await removeConversationData(trx, node, [], ids)
        return ids.length
      }),
  }
}

async function queueRecordings(trx: Trx, node: string, calls: readonly RemovableCall[]): Promise<void> {
  const at = now()
  const rows = calls.flatMap(({ recording, recordingNode }) =>
    recording === null
      ? []
      : [{ node: recordingNode ?? node, file: recording, tries: 0, dueAt: at, error: null, createdAt: at }],
  )
  for (const some of inChunks(rows))
    await trx
      .insertInto('recordingRemovals')
      .values(some)
      .onConflict((c) => c.columns(['node', 'file']).doNothing())
      .execute()
}

/** Removes texts with their events, which refer to the text only in their data. */
export async function removeTexts(trx: Trx, userId: string, texts: readonly DeviceTextRow[]): Promise<void> {
  if (texts.length === 0) return
  const ids = new Set(texts.map(({ id }) => id))
  const times = texts.map(({ createdAt }) => Date.parse(createdAt))
  const received = await trx
    .selectFrom('events')
    .select(['id', 'data'])
    .where('userId', '=', userId)
    .where('type', '=', 'device.text_received')
    .where('createdAt', '>=', toIso(Math.min(...times)))
    .where('createdAt', '<=', toIso(Math.max(...times) + TEXT_EVENT_MS))
    .execute()
  const events = received.filter(({ data }) => ids.has(JSON.parse(data).text?.id)).map(({ id }) => id)
  await removeEvents(trx, userId, events)
  for (const some of inChunks([...ids]))
    await trx.deleteFrom('deviceTexts').where('userId', '=', userId).where('id', 'in', some).execute()
}

/** Removes call-back requests with their events, which repeat what was said. */
export async function removeCallbacks(
  trx: Trx,
  userId: string,
  rows: readonly Pick<CallbackRow, 'id' | 'conversationId'>[],
): Promise<void> {
  const ids = new Set(rows.map(({ id }) => id))
  const talks = rows.flatMap(({ conversationId }) => conversationId ?? [])
  for (const some of inChunks(talks)) {
    const told = await trx
      .selectFrom('events')
      .select(['id', 'data'])
      .where('userId', '=', userId)
      .where('type', 'in', ['callback.requested', 'callback.updated'])
      .where('conversationId', 'in', some)
      .execute()
    const events = told.filter(({ data }) => ids.has(JSON.parse(data).callback?.id)).map(({ id }) => id)
    await removeEvents(trx, userId, events)
  }
  for (const some of inChunks([...ids]))
    await trx.deleteFrom('callbacks').where('userId', '=', userId).where('id', 'in', some).execute()
}

export async function removeEvents(trx: Trx, userId: string, ids: readonly string[]): Promise<void> {
  for (const some of inChunks(ids)) {
    await trx.deleteFrom('webhookDeliveries').where('userId', '=', userId).where('eventId', 'in', some).execute()
    await trx.deleteFrom('events').where('userId', '=', userId).where('id', 'in', some).execute()
  }
}

const SLICE = 500
export const inChunks = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / SLICE) }, (_, i) => all.slice(i * SLICE, (i + 1) * SLICE))
