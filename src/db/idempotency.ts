// Where the answers to idempotent requests are kept.
import { DAY_MS, now, nowMs, toIso } from '../base/clock.ts'
import type { Db } from './database.ts'

type Entry = { keyId: string; idempotencyKey: string }

const LOCK_MS = 60_000 // a first request that takes longer died with its process: the next one may try

export function idempotencyStore(db: Db) {
  return {
    async begin(entry: Entry, fingerprint: string) {
      const fresh = {
        ...entry,
        fingerprint,
        statusCode: null,
        answerSealed: null,
        createdAt: now(),
        lockedUntil: toIso(nowMs() + LOCK_MS),
      }
      // Ours if nobody has it, or if who had it died or is a day old.
      const taken = await db
        .insertInto('idempotency')
        .values(fresh)
        .onConflict((c) =>
          c
            .columns(['keyId', 'idempotencyKey'])
            .doUpdateSet(fresh)
            .where((where) =>
              where.or([
                where('idempotency.createdAt', '<', toIso(nowMs() - DAY_MS)),
                where.and([
                  where('idempotency.statusCode', 'is', null),
                  where('idempotency.lockedUntil', '<', now()),
                  where('idempotency.fingerprint', '=', fingerprint),
                ]),
              ]),
            ),
        )
        .returning('keyId')
        .executeTakeFirst()
      if (taken) return { state: 'new' as const }
      const row = await byEntry(entry).selectAll().executeTakeFirst()
      if (!row) return { state: 'running' as const } // abandoned this very moment
      if (row.fingerprint !== fingerprint) return { state: 'mismatch' as const }
      if (row.statusCode === null || row.answerSealed === null) return { state: 'running' as const }
      return { state: 'done' as const, statusCode: row.statusCode, answerSealed: row.answerSealed }
    },
    async finish(entry: Entry, statusCode: number, answerSealed: string) {
      await db
        .updateTable('idempotency')
        .set({ statusCode, answerSealed })
        .where('keyId', '=', entry.keyId)
        .where('idempotencyKey', '=', entry.idempotencyKey)
        .execute()
    },
    async abandon(entry: Entry) {
      await db
        .deleteFrom('idempotency')
        .where('keyId', '=', entry.keyId)
        .where('idempotencyKey', '=', entry.idempotencyKey)
        .execute()
    },
    async removeOld() {
      await db
        .deleteFrom('idempotency')
        .where('createdAt', '<', toIso(nowMs() - DAY_MS))
        .execute()
    },
  }

  function byEntry(entry: Entry) {
    return db
      .selectFrom('idempotency')
      .where('keyId', '=', entry.keyId)
      .where('idempotencyKey', '=', entry.idempotencyKey)
  }
}
