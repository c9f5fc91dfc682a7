// The first user and API key: generated, printed once and saved in a private file, or set through BOOTSTRAP_API_KEY.
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writePrivate } from '../../base/crypto/master-key.ts'
import type { Db } from '../../db/database.ts'
import { newUserRow } from '../users/rows.ts'
import { hashOf, newSecret } from './secret.ts'
import { newKeyRow } from './store.ts'

const RATE_LIMIT = 6000

const fileOf = (dataDir: string) => join(dataDir, 'first-api-key')

/** Deletes the saved first key once it is revoked. */
export function dropFirstKey(dataDir: string, keyHash: string): void {
  try {
    if (hashOf(readFileSync(fileOf(dataDir), 'utf8').trim()) === keyHash) rmSync(fileOf(dataDir))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

/** Returns a new key, to be shown to the operator; null if none was created. */
export async function firstStart(db: Db, dataDir: string, bootstrapKey: string | null): Promise<string | null> {
  return db.inTransaction(async (trx) => {
    // The insert takes the lock: of two processes that start together, the second waits here and then finds the user.
    const first = { name: 'first-user', value: newUserRow('admin', null, 'admin').id }
    await trx
      .insertInto('meta')
      .values(first)
      .onConflict((c) => c.column('name').doNothing())
      .execute()
    const { value: userId } = await trx
      .selectFrom('meta')
      .selectAll()
      .where('name', '=', 'first-user')
      .executeTakeFirstOrThrow()
    const isFirst = userId === first.value
    if (isFirst)
      await trx
        .insertInto('users')
        .values({ ...newUserRow('admin', null, 'admin'), id: userId })
        .execute()

    if (bootstrapKey !== null) {
      const owner = await trx
        .selectFrom('users')
        .select('id')
        .where('removedAt', 'is', null)
        .where('isPerson', '=', 1)
        .orderBy('createdAt')
        .orderBy('id')
        .executeTakeFirst()
      if (!owner) return null
      const existing = await trx
        .selectFrom('apiKeys')
        .select('id')
        .where('hash', '=', hashOf(bootstrapKey))
        .executeTakeFirst()
      if (!existing)
        await trx
          .insertInto('apiKeys')
          .values({
            ...newKeyRow(
              { userId: owner.id, personId: owner.id },
              { name: 'bootstrap', rateLimit: RATE_LIMIT },
              bootstrapKey,
            ),
            isBootstrap: 1,
          })
          .onConflict((c) => c.column('hash').doNothing())
          .execute()
      return null
    }
    if (!isFirst) return null
    const secret = newSecret()
    await trx
      .insertInto('apiKeys')
      .values(newKeyRow({ userId, personId: userId }, { name: 'first key', rateLimit: RATE_LIMIT }, secret))
      .execute()
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    writePrivate(fileOf(dataDir), `${secret}\n`) // written before the commit: a lost key is worse than a stale file
    return secret
  })
}
