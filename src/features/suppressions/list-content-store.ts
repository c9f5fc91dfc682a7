// Replaces the entries of an imported list: they are written in batches under a new version, to which the list then
// switches in one step. Readers see either the old or the new entries. A crashed import leaves entries of a version
// that was never published; the sweep deletes those and the entries of previous versions.

import { appError } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import { now, nowAfter } from '../../base/time/clock.ts'
import { audit } from '../../db/audit.ts'
import { inBatches } from '../../db/batches.ts'
import type { SuppressionListRow, SuppressionRow } from '../../db/campaign-rows.ts'
import type { Db, Trx } from '../../db/database.ts'
import { forUpdate } from '../../db/lock-row.ts'
import { dbTime } from '../../db/time.ts'
import { lockedList, REMOVED } from './list-store.ts'

/** Renewed by each batch. When it expires, the import counts as crashed. */
const LEASE_MS = 60_000

/** An import in progress: the version under which its entries are written. */
export type ListImport = { userId: string; listId: string; version: number }
export type ListEntry = { phoneNumber: string; numberHash: string }
export type ListContent = ReturnType<typeof listContent>

export function listContent(db: Db) {
  return {
    begin: (userId: string, listId: string): Promise<ListImport> =>
      db.inTransaction(async (trx) => {
        const { lastVersion } = await lockedList(trx, userId, listId)
        const version = lastVersion + 1
        const begun = await change(trx, { userId, listId, version })
          .set({ lastVersion: version, importUntil: dbTime(trx, LEASE_MS) })
          .where((e) => e.or([e('importUntil', 'is', null), e('importUntil', '<=', dbTime(trx))]))
          .returning('id')
          .executeTakeFirst()
        if (!begun) throw appError('suppression_list_importing')
        return { userId, listId, version }
      }),

    /** Returns how many entries were new. */
    add: (draft: ListImport, entries: readonly ListEntry[]): Promise<number> =>
      db.inTransaction(async (trx) => {
        await locked(trx, draft)
        await change(trx, draft)
          .set({ importUntil: dbTime(trx, LEASE_MS) })
          .execute()
        if (entries.length === 0) return 0
        const added = await trx
          .insertInto('suppressions')
          .values(rowsOf(draft, entries))
          .onConflict((c) => c.columns(['listId', 'listVersion', 'numberHash']).doNothing())
          .returning('id')
          .execute()
        return added.length
      }),

    /** From now on the new entries apply, and only they. */
    publish: (draft: ListImport, entryCount: number): Promise<SuppressionListRow> =>
      db.inTransaction(async (trx) => {
        const before = await locked(trx, draft)
        const updatedAt = nowAfter(before.updatedAt)
        const after = await change(trx, draft)
          .set({
            version: draft.version,
            entryCount,
            importedAt: updatedAt,
            updatedAt,
            rowVersion: (before.rowVersion ?? 1) + 1,
            importUntil: dbTime(trx),
          })
          .returningAll()
          .executeTakeFirstOrThrow()
        await audit(trx, { kind: 'suppressionList', action: 'replaced', before, after })
        return after
      }),

    /** The list stays as it was, and another import can start at once. */
    abandon: (draft: ListImport): Promise<unknown> =>
      db.inTransaction((trx) =>
        change(trx, draft)
          .set({ importUntil: dbTime(trx) })
          .where('lastVersion', '=', draft.version)
          .execute(),
      ),

    /** Deletes what imports and removed lists left behind. */
    async sweep(signal?: AbortSignal): Promise<void> {
      const lists = await db
        .selectFrom('suppressionLists')
        .select('id')
        .where('importUntil', '<=', dbTime(db))
        .limit(1000)
        .execute()
      for (const { id } of lists) if (!signal?.aborted) await sweepList(db, id, signal)
    },
  }
}

function rowsOf({ userId, listId, version: listVersion }: ListImport, entries: readonly ListEntry[]): SuppressionRow[] {
  const createdAt = now()
  return entries.map(
    ({ phoneNumber, numberHash }): SuppressionRow => ({
      id: newId('sup'),
      userId,
      listId,
      listVersion,
      phoneNumber,
      numberHash,
      reason: 'imported',
      note: null,
      campaignId: null,
      callId: null,
      createdAt,
    }),
  )
}

/** Throws if the import lost its lease to the sweep or to another import. */
async function locked(trx: Trx, { userId, listId, version }: ListImport): Promise<SuppressionListRow> {
  const list = await lockedList(trx, userId, listId)
  if (list.lastVersion !== version) throw appError('suppression_list_importing')
  return list
}

const change = (trx: Trx, { userId, listId }: ListImport) =>
  trx.updateTable('suppressionLists').where('userId', '=', userId).where('id', '=', listId)

/** Deletes the rows of versions `from` to `to`, inclusive. */
const removeVersions = (db: Db, listId: string, { from, to }: { from: number; to: number }, signal?: AbortSignal) =>
  inBatches(async (limit) => {
    const some = db
      .selectFrom('suppressions')
      .select('id')
      .where('listId', '=', listId)
      .where('listVersion', '>=', from)
      .where('listVersion', '<=', to)
      .limit(limit)
    return (await db.deleteFrom('suppressions').where('id', 'in', some).returning('id').execute()).length
  }, signal)

/** Takes the list away from a stalled import, so that it cannot continue while its entries are deleted. */
const fence = (db: Db, id: string): Promise<SuppressionListRow | undefined> =>
  db.inTransaction(async (trx) => {
    const over = trx.selectFrom('suppressionLists').selectAll().where('id', '=', id)
    const list = await forUpdate(trx, over.where('importUntil', '<=', dbTime(trx))).executeTakeFirst()
    if (!list) return undefined
    const lastVersion = list.lastVersion + 1
    await trx.updateTable('suppressionLists').set({ lastVersion }).where('id', '=', id).execute()
    return { ...list, lastVersion }
  })

async function sweepList(db: Db, id: string, signal?: AbortSignal): Promise<void> {
  const list = await fence(db, id)
  if (!list) return
  await removeVersions(db, id, { from: 0, to: list.version - 1 }, signal)
  await removeVersions(db, id, { from: list.version + 1, to: list.lastVersion }, signal)
  if (signal?.aborted) return
  if (list.version === REMOVED) await db.deleteFrom('suppressionLists').where('id', '=', id).execute()
  else
    await db
      .updateTable('suppressionLists')
      .set({ importUntil: null })
      .where('id', '=', id)
      .where('lastVersion', '=', list.lastVersion) // no other import has started meanwhile
      .execute()
}
