// From the key in a header to what it may do. A key is remembered for LEASE_MS, and a revocation is acknowledged only
// after that time where other processes share the database: so an acknowledged revocation holds everywhere, with no messages
// between processes. The last use of a key is written behind, and read through.
import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicMs, nowMs, toIso } from '../../base/clock.ts'
import { LruCache } from '../../base/lru-cache.ts'
import type { Db } from '../../db/database.ts'
import { prepared } from '../../db/prepared.ts'
import { type ApiKeyRow, fromJson, type Role } from '../../db/tables.ts'
import type { KeyGrant } from '../../http/auth.ts'
import { hasBadChecksum, MIN_LENGTH } from './secret.ts'

export const LEASE_MS = 250

type Remembered = { grant: KeyGrant; until: number }
type Looked = ApiKeyRow & { role: Role }

export type KeyFinder = ReturnType<typeof keyFinder>

export function keyFinder(db: Db, shared: boolean) {
  const remembered = new LruCache<string, Remembered>(10_000)
  const lastUses = new Map<string, number>()
  let written = new Map<string, number>()
  let givenHashes: Promise<ReadonlySet<string>> | undefined
  const withRole = () =>
    db
      .selectFrom('apiKeys')
      .innerJoin('users', 'users.id', 'apiKeys.userId')
      .selectAll('apiKeys')
      .select('users.role as role')
  const byHash = prepared<{ hash: string }, Looked>(db, (slot) => withRole().where('apiKeys.hash', '=', slot('hash')))
  const byId = prepared<{ id: string }, Looked>(db, (slot) => withRole().where('apiKeys.id', '=', slot('id')))

  async function look(keyHash: string): Promise<KeyGrant | undefined> {
    const asked = monotonicMs() // the lease runs from before the look: a revocation in between is not missed
    const [row] = await byHash({ hash: keyHash })
    if (!row) return undefined
    const grant = toGrant(row)
    remembered.set(keyHash, { grant, until: asked + LEASE_MS })
    return grant
  }

  /** What only looks like one of our keys may still be one that the operator gave. There are few of those: read once. */
  async function lookAmongGiven(keyHash: string): Promise<KeyGrant | undefined> {
    givenHashes ??= db
      .selectFrom('apiKeys')
      .select('hash')
      .where('isBootstrap', '=', 1)
      .execute()
      .then((rows) => new Set(rows.map((row) => row.hash)))
    try {
      return (await givenHashes).has(keyHash) ? look(keyHash) : undefined
    } catch (error) {
      givenHashes = undefined
      throw error
    }
  }

  return {
    find(secret: string): KeyGrant | undefined | Promise<KeyGrant | undefined> {
      if (secret.length < MIN_LENGTH) return undefined
      const keyHash = hash('sha256', secret)
      const entry = remembered.get(keyHash)
      if (entry && entry.until > monotonicMs()) return entry.grant
      return hasBadChecksum(secret) ? lookAmongGiven(keyHash) : look(keyHash)
    },

    async findById(id: string): Promise<KeyGrant | undefined> {
      const [row] = await byId({ id })
      return row && toGrant(row)
    },

    /** Which of these are good still. */
    async validIds(ids: readonly string[]): Promise<string[]> {
      const rows = await db
        .selectFrom('apiKeys')
        .select('id')
        .where('id', 'in', ids)
        .where('isActive', '=', 1)
        .where((where) => where.or([where('expiresAt', 'is', null), where('expiresAt', '>', toIso(nowMs()))]))
        .execute()
      return rows.map(({ id }) => id)
    },

    async invalidate(keyHash: string): Promise<void> {
      remembered.delete(keyHash)
      if (shared) await sleep(LEASE_MS + 50)
      remembered.delete(keyHash) // a look that was under way may have brought it back
    },

    recordUse(grant: KeyGrant): void {
      lastUses.set(grant.id, nowMs())
    },

    lastUsedAt: (row: { id: string; lastUsedAt: string | null }): string | null => {
      const usedMs = lastUses.get(row.id)
      return usedMs === undefined ? row.lastUsedAt : toIso(usedMs)
    },

    /** Writes what was used since the last time. It is forgotten here only a round later: a list may hold rows from before. */
    async flushUses(): Promise<void> {
      for (const [id, usedMs] of written) if (lastUses.get(id) === usedMs) lastUses.delete(id)
      written = new Map()
      if (lastUses.size === 0) return
      const uses = new Map(lastUses)
      await db.inTransaction(async (trx) => {
        for (const [id, usedMs] of uses) {
          const lastUsedAt = toIso(usedMs)
          await trx
            .updateTable('apiKeys')
            .set({ lastUsedAt })
            .where('id', '=', id)
            .where((where) => where.or([where('lastUsedAt', 'is', null), where('lastUsedAt', '<', lastUsedAt)]))
            .execute()
        }
      })
      written = uses
    },
  }
}

function toGrant(row: Looked): KeyGrant {
  const scopes = fromJson<string[]>(row.scopes)
  return {
    id: row.id,
    userId: row.userId,
    role: row.role,
    scopes: scopes && new Set(scopes),
    rateLimit: row.rateLimit,
    expiresAtMs: row.expiresAt === null ? null : Date.parse(row.expiresAt),
    isActive: row.isActive === 1,
    policy: `"default";q=${row.rateLimit};w=60`,
  }
}
