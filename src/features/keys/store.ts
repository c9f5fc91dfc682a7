// API keys: created, listed and revoked.

import { found } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import { DAY_MS, nowMs, toIso } from '../../base/time/clock.ts'
import { audit, audited } from '../../db/audit.ts'
import type { Db } from '../../db/database.ts'
import { lockRow } from '../../db/lock-row.ts'
import { ownedPage } from '../../db/owned.ts'
import { type ApiKeyRow, bit, fromJson, toJson } from '../../db/tables.ts'
import { type KeyFinder, maker, withMaker } from './finder-store.ts'
import type { ApiKey, CreatedApiKey, KeyMakerRecord, NewApiKey } from './schema.ts'
import { hashOf, newSecret, PREFIX_LENGTH } from './secret.ts'

const MAX_MAKERS = 1000

export type KeyStore = ReturnType<typeof keyStore>

export function keyStore(db: Db, finder: KeyFinder) {
  const page = ownedPage(db, 'apiKeys')
  return {
    page,

    /** The role of the person who makes a key limits it at every use. */
    async create({ userId, personId }: KeyMaker, key: NewApiKey, secret = newSecret()): Promise<CreatedApiKey> {
      const row = newKeyRow({ userId, personId }, key, secret)
      await audited(
        db,
        (on) => on.insertInto('apiKeys').values(row).execute(),
        () => ({ kind: 'key', after: row }),
      )
      return { ...toRecord(row), key: secret }
    },

    /** Permanent and idempotent. Resolves when no process accepts the key any longer. */
    async revoke(userId: string, id: string): Promise<ApiKey> {
      const key = await change(db, userId, id, { isActive: bit(false) })
      await finder.invalidate(key.hash)
      return this.toRecord(key)
    },

    /** Who made each active key. */
    async makers(userId: string): Promise<KeyMakerRecord[]> {
      const rows = await withMaker(db)
        .select(['apiKeys.id as keyId', maker.as('personId'), 'users.name', 'members.role'])
        .where('apiKeys.userId', '=', userId)
        .where('apiKeys.isActive', '=', 1)
        .orderBy('apiKeys.id', 'desc')
        .limit(MAX_MAKERS)
        .execute()
      return rows.map(({ keyId, personId, name, role }) => ({ keyId, personId, name, isMember: role !== null }))
    },

    /** The key gets the rights of the person who adopts it, instead of those of its maker. */
    async adopt({ userId, personId }: KeyMaker, id: string): Promise<ApiKey> {
      const key = await change(db, userId, id, { createdBy: personId }, 'adopted')
      await finder.invalidate(key.hash)
      return this.toRecord(key)
    },

    /** Uses the last use known to this process, which may not be written yet. */
    toRecord: (row: ApiKeyRow): ApiKey => ({ ...toRecord(row), lastUsedAt: finder.lastUsedAt(row) }),
  }
}

const change = (db: Db, userId: string, id: string, set: Partial<ApiKeyRow>, action = 'updated'): Promise<ApiKeyRow> =>
  db.inTransaction(async (trx) => {
    const before = found('API key', await lockRow(trx, 'apiKeys', { userId, id }))
    await trx.updateTable('apiKeys').set(set).where('userId', '=', userId).where('id', '=', id).execute()
    const after = { ...before, ...set }
    await audit(trx, { kind: 'key', action, before, after })
    return after
  })

/** The organization that owns a key, and the person who makes it. */
export type KeyMaker = { userId: string; personId: string }

export function newKeyRow({ userId, personId }: KeyMaker, key: NewApiKey, secret: string): ApiKeyRow {
  const createdMs = nowMs()
  return {
    id: newId('key'),
    userId,
    name: key.name,
    hash: hashOf(secret),
    prefix: secret.slice(0, PREFIX_LENGTH),
    scopes: toJson(key.scopes ? [...new Set(key.scopes)] : null),
    rateLimit: key.rateLimit ?? 60,
    lastUsedAt: null,
    expiresAt: key.expiresInDays ? toIso(createdMs + key.expiresInDays * DAY_MS) : null,
    isActive: bit(true),
    isBootstrap: bit(false),
    createdBy: personId,
    createdAt: toIso(createdMs),
  }
}

function toRecord({ userId, hash, isBootstrap, createdBy, ...row }: ApiKeyRow): ApiKey {
  return {
    ...row,
    scopes: fromJson<NonNullable<ApiKey['scopes']>>(row.scopes),
    isActive: row.isActive === 1,
  }
}
