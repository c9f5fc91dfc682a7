// API keys: created, listed and revoked.

import { found } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import { DAY_MS, nowMs, toIso } from '../../base/time/clock.ts'
import type { Db } from '../../db/database.ts'
import { ownedPage } from '../../db/owned.ts'
import { type ApiKeyRow, bit, fromJson, toJson } from '../../db/tables.ts'
import { writeOnce } from '../../db/write-once.ts'
import type { KeyFinder } from './finder-store.ts'
import type { ApiKey, CreatedApiKey, NewApiKey } from './schema.ts'
import { hashOf, newSecret, PREFIX_LENGTH } from './secret.ts'

export type KeyStore = ReturnType<typeof keyStore>

export function keyStore(db: Db, finder: KeyFinder) {
  const page = ownedPage(db, 'apiKeys')
  return {
    page,

    async create(userId: string, key: NewApiKey, secret = newSecret()): Promise<CreatedApiKey> {
      const row = newKeyRow(userId, key, secret)
      await writeOnce(db, (on) => on.insertInto('apiKeys').values(row).execute())
      return { ...toRecord(row), key: secret }
    },

    /** Permanent and idempotent. Resolves when no process accepts the key any longer. */
    async revoke(userId: string, id: string): Promise<ApiKey> {
      const row = await db
        .updateTable('apiKeys')
        .set({ isActive: bit(false) })
        .where('userId', '=', userId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
      const key = found('API key', row)
      await finder.invalidate(key.hash)
      return this.toRecord(key)
    },

    /** Uses the last use known to this process, which may not be written yet. */
    toRecord: (row: ApiKeyRow): ApiKey => ({ ...toRecord(row), lastUsedAt: finder.lastUsedAt(row) }),
  }
}

export function newKeyRow(userId: string, key: NewApiKey, secret: string): ApiKeyRow {
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
    createdAt: toIso(createdMs),
  }
}

function toRecord({ userId, hash, isBootstrap, ...row }: ApiKeyRow): ApiKey {
  return { ...row, scopes: fromJson<NonNullable<ApiKey['scopes']>>(row.scopes), isActive: row.isActive === 1 }
}
