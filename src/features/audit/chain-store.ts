// Chains audit rows in batches, and removes old batches. Rows get their sequence only here: a transaction that commits
// late is part of a later batch. One node at a time does this; a second one would find the rows locked and chained.
import { newId } from '../../base/ids.ts'
import type { Log } from '../../base/process/log.ts'
import { DAY_MS, now, nowMs, toIso } from '../../base/time/clock.ts'
import type { AuditBatchRow } from '../../db/audit-rows.ts'
import type { Db } from '../../db/database.ts'
import { isPostgres } from '../../db/dialect.ts'
import { acquireLeases, releaseLeases } from '../../db/leases.ts'
import { lockRow } from '../../db/lock-row.ts'
import { eventWriter } from '../../db/outbox.ts'
import { chained, GENESIS } from './chain.ts'

const LEASE = 'audit chain'
const LEASE_MS = 120_000
const BATCH = 200
/** Organizations at a time. */
const MANY = 500

export function auditChain(db: Db, log: Log, auditDays: number) {
  const holder = newId('chn')
  const writeEvent = eventWriter(db)

  /** Returns how many rows were chained. */
  const chainSome = (userId: string): Promise<number> =>
    db.inTransaction(async (trx) => {
      if (!(await lockRow(trx, 'users', { id: userId }))) return 0
      const last = await trx
        .selectFrom('auditBatches')
        .selectAll()
        .where('userId', '=', userId)
        .orderBy('lastSequence', 'desc')
        .limit(1)
        .executeTakeFirst()
      const waiting = trx.selectFrom('auditRows').selectAll().where('userId', '=', userId).where('sequence', 'is', null)
      const rows = await waiting.orderBy('createdAt').orderBy('id').limit(BATCH).execute()
      if (rows.length === 0) return 0
      const before = last?.lastSequence ?? 0
      const links = chained(rows, { sequence: before, hash: last?.headHash ?? GENESIS })
      // Every row exists: this updates them all in one statement.
      await trx
        .insertInto('auditRows')
        .values(links)
        .onConflict((c) =>
          c.column('id').doUpdateSet((e) => ({ sequence: e.ref('excluded.sequence'), hash: e.ref('excluded.hash') })),
        )
        .execute()
      const [sequence, hash] = [before + rows.length, links.at(-1)?.hash as string]
      const batch = { userId, firstSequence: before + 1, lastSequence: sequence, headHash: hash }
      await trx
        .insertInto('auditBatches')
        .values({ ...batch, createdAt: now(), removedAt: null })
        .execute()
      await writeEvent(trx, { userId, type: 'audit.chained', data: { organizationId: userId, sequence, hash } })
      trx.afterCommit(() => log.info({ organizationId: userId, sequence, hash }, 'audit log chained'))
      return rows.length
    })

  return {
    async chain(signal?: AbortSignal): Promise<void> {
      const lease = { names: [LEASE], holder, isAlone: !isPostgres(db) }
      if ((await acquireLeases(db, lease, LEASE_MS)).length === 0) return
      try {
        const waiting = db.selectFrom('auditRows').select('userId').distinct().where('sequence', 'is', null)
        for (const { userId } of await waiting.limit(MANY).execute())
          while (!signal?.aborted && (await chainSome(userId)) === BATCH) await acquireLeases(db, lease, LEASE_MS)
      } finally {
        await releaseLeases(db, lease)
      }
    },

    /** Removes the rows of batches that are older than the setting; their hashes stay. */
    async removeOld(signal?: AbortSignal): Promise<void> {
      const limit = toIso(nowMs() - auditDays * DAY_MS)
      const old = db
        .selectFrom('auditBatches')
        .selectAll()
        .where('removedAt', 'is', null)
        .where('createdAt', '<', limit)
      const some = () => old.orderBy('createdAt').orderBy('lastSequence').limit(MANY).execute()
      for (let batches = await some(); batches.length > 0; batches = await some())
        for (const batch of batches) {
          if (signal?.aborted) return
          await removeBatch(db, batch)
        }
    },
  }
}

const removeBatch = (db: Db, { userId, firstSequence, lastSequence }: AuditBatchRow): Promise<void> =>
  db.inTransaction(async (trx) => {
    const rows = trx.deleteFrom('auditRows').where('userId', '=', userId)
    await rows.where('sequence', '>=', firstSequence).where('sequence', '<=', lastSequence).execute()
    const batch = trx.updateTable('auditBatches').set({ removedAt: now() }).where('userId', '=', userId)
    await batch.where('lastSequence', '=', lastSequence).execute()
  })
