// Looks up API keys and caches them for a lease (base/concurrency/grant-lease.ts). Last-use times are written in the
// background.
import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { dropEverywhere, LEASE_MS } from '../../base/concurrency/grant-lease.ts'
import { LruCache } from '../../base/lru-cache.ts'
import { monotonicMs, nowMs, toIso } from '../../base/time/clock.ts'
import type { Db } from '../../db/database.ts'
import { prepared, preparedChange } from '../../db/prepared.ts'
import { type ApiKeyRow, fromJson, type Role } from '../../db/tables.ts'
import type { KeyGrant } from '../../http/auth.ts'
import type { RightsNow, Using } from '../../http/stream-revocation.ts'
import { type Membership, rightsOf } from '../organizations/rows.ts'
import { hasBadChecksum, MIN_LENGTH } from './secret.ts'

const WRITTEN_AT_ONCE = 100

type CachedGrant = { grant: KeyGrant; until: number }
type KeyWithRole = ApiKeyRow & {
  personId: string
  platformRole: Role | null
  userDisabledAt: string | null | undefined
} & { [K in 'role' | 'mayListen' | 'mayExport']: Membership[K] | null }

/** The person who made the key. */
export const maker = sql<string>`coalesce(${sql.ref('apiKeys.createdBy')}, ${sql.ref('apiKeys.userId')})`

export type KeyFinder = ReturnType<typeof keyFinder>

export function keyFinder(db: Db, shared: boolean) {
  const cache = new LruCache<string, CachedGrant>(10_000)
  let bootstrapHashes: Promise<ReadonlySet<string>> | undefined
  const withRole = () =>
    withMaker(db)
      .selectAll('apiKeys')
      .select([maker.as('personId'), 'users.role as platformRole', 'users.disabledAt as userDisabledAt'])
      .select(['members.role', 'members.mayListen', 'members.mayExport'])
  const byHash = prepared<{ hash: string }, KeyWithRole>(db, (slot) =>
    withRole().where('apiKeys.hash', '=', slot('hash')),
  )
  const byId = prepared<{ id: string }, KeyWithRole>(db, (slot) => withRole().where('apiKeys.id', '=', slot('id')))

  async function load(keyHash: string): Promise<KeyGrant | undefined> {
    const startedMs = monotonicMs() // the lease starts before the read, so that a revocation in between is not missed
    const [row] = await byHash({ hash: keyHash })
    if (!row) return undefined
    const grant = toGrant(row)
    cache.set(keyHash, { grant, until: startedMs + LEASE_MS })
    return grant
  }

  /**
   * A key with a wrong checksum may still be a bootstrap key, which may have any form. There are few of them: their
   * hashes are read once.
   */
  async function findBootstrapKey(keyHash: string): Promise<KeyGrant | undefined> {
    bootstrapHashes ??= db
      .selectFrom('apiKeys')
      .select('hash')
      .where('isBootstrap', '=', 1)
      .execute()
      .then((rows) => new Set(rows.map((row) => row.hash)))
    try {
      return (await bootstrapHashes).has(keyHash) ? load(keyHash) : undefined
    } catch (error) {
      bootstrapHashes = undefined
      throw error
    }
  }

  return {
    ...lastUsesOf(db),

    find(secret: string): KeyGrant | undefined | Promise<KeyGrant | undefined> {
      if (secret.length < MIN_LENGTH) return undefined
      const keyHash = hash('sha256', secret)
      const entry = cache.get(keyHash)
      if (entry && entry.until > monotonicMs()) return entry.grant
      return hasBadChecksum(secret) ? findBootstrapKey(keyHash) : load(keyHash)
    },

    async findById(id: string): Promise<KeyGrant | undefined> {
      const [row] = await byId({ id })
      return row && toGrant(row)
    },

    rightsNow: (asked: readonly Using[]) => rightsNow(db, asked),

    /** Resolves when no process has the key cached any longer. */
    invalidate: (keyHash: string): Promise<void> => dropEverywhere(() => cache.delete(keyHash), shared),

    /** Resolves when no process has keys of this organization, or made by this person, cached any longer. */
    invalidateUser(userId: string): Promise<void> {
      const drop = () => {
        for (const entry of cache.values())
          if (entry.grant.userId === userId || entry.grant.personId === userId) entry.until = 0
      }
      return dropEverywhere(drop, shared)
    },
  }
}

export const withMaker = (db: Db) =>
  db
    .selectFrom('apiKeys')
    .leftJoin('users', (join) => join.on('users.id', '=', maker))
    .leftJoin('members', (join) =>
      join.onRef('members.organizationId', '=', 'apiKeys.userId').on('members.personId', '=', maker),
    )

async function rightsNow(db: Db, asked: readonly Using[]): ReturnType<RightsNow> {
  const ids = asked.map(({ id }) => id)
  const rows = await withMaker(db)
    .select(['apiKeys.id', 'members.role', 'members.mayListen', 'members.mayExport'])
    .where('apiKeys.id', 'in', ids)
    .where('isActive', '=', 1)
    .where('users.disabledAt', 'is', null)
    .where((where) => where.or([where('expiresAt', 'is', null), where('expiresAt', '>', toIso(nowMs()))]))
    .execute()
  const rights = new Map(rows.map((row) => [row.id, rightsOf(row).may]))
  return asked.map(({ id }) => rights.get(id))
}

/** When keys were last used: held in memory and written in the background. */
function lastUsesOf(db: Db) {
  const lastUses = new Map<string, number>()
  let written = new Map<string, number>()
  const writeUse = preparedChange<{ id: string; lastUsedAt: string }, unknown>((slot) =>
    db
      .updateTable('apiKeys')
      .set({ lastUsedAt: slot('lastUsedAt') })
      .where('id', '=', slot('id'))
      .where((where) => where.or([where('lastUsedAt', 'is', null), where('lastUsedAt', '<', slot('lastUsedAt'))])),
  )
  return {
    recordUse(grant: KeyGrant): void {
      lastUses.set(grant.id, nowMs())
    },

    /** The later of the stored use, which may come from another process, and the one this process has yet to store. */
    lastUsedAt: ({ id, lastUsedAt }: { id: string; lastUsedAt: string | null }): string | null => {
      const usedMs = lastUses.get(id)
      if (usedMs === undefined) return lastUsedAt
      const usedAt = toIso(usedMs)
      return lastUsedAt !== null && lastUsedAt > usedAt ? lastUsedAt : usedAt
    },

    /**
     * Writes the last uses. They stay in memory for one more round, because a list may hold rows read before the write.
     */
    async flushUses(): Promise<void> {
      for (const [id, usedMs] of written) if (lastUses.get(id) === usedMs) lastUses.delete(id)
      written = new Map()
      if (lastUses.size === 0) return
      const uses = new Map(lastUses)
      // In chunks: this runs every second, and other requests must not wait for all of it.
      const all = [...uses]
      for (let from = 0; from < all.length; from += WRITTEN_AT_ONCE)
        await db.inTransaction(async (trx) => {
          for (const [id, usedMs] of all.slice(from, from + WRITTEN_AT_ONCE))
            await writeUse(trx, { id, lastUsedAt: toIso(usedMs) })
        })
      written = uses
    },
  }
}

function toGrant(row: KeyWithRole): KeyGrant {
  const scopes = fromJson<string[]>(row.scopes)
  return {
    id: row.id,
    userId: row.userId,
    personId: row.personId,
    role: row.platformRole ?? 'member',
    ...rightsOf(row),
    scopes: scopes && new Set(scopes),
    rateLimit: row.rateLimit,
    expiresAtMs: row.expiresAt === null ? null : Date.parse(row.expiresAt),
    isActive: row.isActive === 1,
    ...(row.userDisabledAt ? { isUserDisabled: true } : {}),
    policy: `"default";q=${row.rateLimit};w=60`,
  }
}
