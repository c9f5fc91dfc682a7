// From the key in a header to what it may do. A key is remembered for LEASE_MS, and a revocation is acknowledged only
// after that time where other processes share the database: so an acknowledged revocation holds everywhere, with no messages
// between processes. The last use of a key is written behind, and read through.
import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicMs, now } from '../../base/clock.ts'
import { Recent } from '../../base/recent.ts'
import type { Db } from '../../db/database.ts'
import { prepared } from '../../db/prepared.ts'
import { type ApiKeyRow, fromJson } from '../../db/tables.ts'
import type { KeyGrant } from '../../http/auth.ts'
import { mayBeKey } from './secret.ts'

export const LEASE_MS = 250

type Remembered = { grant: KeyGrant; until: number }

export type KeyFinder = ReturnType<typeof keyFinder>

export function keyFinder(db: Db, shared: boolean) {
  const remembered = new Recent<string, Remembered>(10_000)
  const lastUses = new Map<string, string>()
  const byHash = prepared<{ hash: string }, ApiKeyRow>(db, (slot) =>
    db.selectFrom('apiKeys').selectAll().where('hash', '=', slot('hash')),
  )

  async function look(keyHash: string): Promise<KeyGrant | undefined> {
    const asked = monotonicMs() // the lease runs from before the look: a revocation in between is not missed
    const [row] = await byHash({ hash: keyHash })
    if (!row) return undefined
    const grant = toGrant(row)
    remembered.set(keyHash, { grant, until: asked + LEASE_MS })
    return grant
  }

  return {
    find(secret: string): KeyGrant | undefined | Promise<KeyGrant | undefined> {
      if (!mayBeKey(secret)) return undefined
      const keyHash = hash('sha256', secret)
      const entry = remembered.get(keyHash)
      return entry && entry.until > monotonicMs() ? entry.grant : look(keyHash)
    },

    async forget(keyHash: string): Promise<void> {
      remembered.delete(keyHash)
      if (shared) await sleep(LEASE_MS + 50)
      remembered.delete(keyHash) // a look that was under way may have brought it back
    },

    used(grant: KeyGrant): void {
      lastUses.set(grant.id, now())
    },

    lastUse: (row: { id: string; lastUsedAt: string | null }): string | null => lastUses.get(row.id) ?? row.lastUsedAt,

    /** Writes what was used since the last time. */
    async writeUses(): Promise<void> {
      const uses = [...lastUses]
      for (const [id, lastUsedAt] of uses) {
        await db
          .updateTable('apiKeys')
          .set({ lastUsedAt })
          .where('id', '=', id)
          .where((where) => where.or([where('lastUsedAt', 'is', null), where('lastUsedAt', '<', lastUsedAt)]))
          .execute()
        if (lastUses.get(id) === lastUsedAt) lastUses.delete(id)
      }
    },
  }
}

function toGrant(row: ApiKeyRow): KeyGrant {
  const scopes = fromJson<string[]>(row.scopes)
  return {
    id: row.id,
    userId: row.userId,
    scopes: scopes && new Set(scopes),
    rateLimit: row.rateLimit,
    expiresAtMs: row.expiresAt === null ? null : Date.parse(row.expiresAt),
    isActive: row.isActive === 1,
    policy: `"default";q=${row.rateLimit};w=60`,
  }
}
