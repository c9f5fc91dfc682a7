// Stored responses of idempotent requests. A request in progress holds a short lease that its process renews: after a
// crash, the key is free some seconds later, unless the request had already written (`write-once.ts`).

import { newId } from '../base/ids.ts'
import { DAY_MS, now, nowMs, toIso } from '../base/time/clock.ts'
import type { Db } from './database.ts'
import { dbTime } from './time.ts'
import { type HeldKey, holdingKey } from './write-once.ts'

type Entry = { keyId: string; idempotencyKey: string }

/** Long enough for a busy process, or one waiting for its database, to renew in time. */
export const LEASE_MS = 10_000
export const RENEW_MS = 2000
const RENEWED_AT_ONCE = 500

export function idempotencyStore(db: Db) {
  const held = new Set<string>()

  return {
    async begin(entry: Entry, fingerprint: string) {
      const holder = newId('hld')
      if (await take(db, entry, fingerprint, holder)) {
        held.add(holder)
        return { state: 'new' as const, holder }
      }
      const row = await db
        .selectFrom('idempotency')
        .selectAll()
        .where('keyId', '=', entry.keyId)
        .where('idempotencyKey', '=', entry.idempotencyKey)
        .executeTakeFirst()
      if (!row) return { state: 'running' as const, freeInMs: 0 } // just abandoned
      if (row.fingerprint !== fingerprint) return { state: 'mismatch' as const }
      if (row.answerSealed === null) {
        const freeInMs = Math.min(LEASE_MS, Date.parse(row.lockedUntil) - nowMs())
        return row.statusCode !== null && freeInMs <= 0
          ? { state: 'lost' as const }
          : { state: 'running' as const, freeInMs }
      }
      return { state: 'done' as const, statusCode: row.statusCode ?? 200, answerSealed: row.answerSealed }
    },
    run: holdingKey,
    async finish({ holder, ...entry }: HeldKey, statusCode: number, answerSealed: string) {
      held.delete(holder)
      await db
        .updateTable('idempotency')
        .set({ statusCode, answerSealed })
        .where('keyId', '=', entry.keyId)
        .where('idempotencyKey', '=', entry.idempotencyKey)
        .where('holder', '=', holder)
        .execute()
    },
    async abandon({ holder, ...entry }: HeldKey) {
      held.delete(holder)
      await db
        .deleteFrom('idempotency')
        .where('keyId', '=', entry.keyId)
        .where('idempotencyKey', '=', entry.idempotencyKey)
        .where('holder', '=', holder)
        .execute()
    },
    /** Called every RENEW_MS for requests in progress. */
    async renew() {
      const holders = [...held]
      for (let i = 0; i < holders.length; i += RENEWED_AT_ONCE)
        await db
          .updateTable('idempotency')
          .set({ lockedUntil: dbTime(db, LEASE_MS) })
          .where('holder', 'in', holders.slice(i, i + RENEWED_AT_ONCE))
          .where('answerSealed', 'is', null)
          .execute()
    },
    async removeOld() {
      await db
        .deleteFrom('idempotency')
        .where('createdAt', '<', toIso(nowMs() - DAY_MS))
        .execute()
    },
  }
}

/** True if the key was free, a day old, or left by a crashed process. */
async function take(db: Db, entry: Entry, fingerprint: string, holder: string): Promise<boolean> {
  const fresh = {
    ...entry,
    fingerprint,
    statusCode: null,
    answerSealed: null,
    createdAt: now(),
    lockedUntil: dbTime(db, LEASE_MS),
    holder,
  }
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
              where('idempotency.lockedUntil', '<', dbTime(db)),
              where('idempotency.fingerprint', '=', fingerprint),
            ]),
          ]),
        ),
    )
    .returning('keyId')
    .executeTakeFirst()
  return taken !== undefined
}
