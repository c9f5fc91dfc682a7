// Encrypted columns: checks that the key ring decrypts them, and re-encrypts them under the active key.
import { type KeyRing, keyIdOf, SealError } from '../base/crypto/secrets.ts'
import type { Db, Trx } from './database.ts'
import { NUMBER_HASH_PLACE } from './number-hash.ts'
import { sealedColumns } from './table-keys.ts'
import type { Tables } from './tables.ts'

const place = { table: 'meta', row: 'canary', column: 'value', userId: '' }
const CANARY = 'opens'

/**
 * Throws if the master key does not decrypt the stored secrets. The first start stores an encrypted canary to test
 * against.
 */
export async function checkSecrets(db: Db | Trx, secrets: KeyRing): Promise<void> {
  const sealed = { name: 'canary', value: secrets.seal(CANARY, place) }
  await db
    .insertInto('meta')
    .values(sealed)
    .onConflict((c) => c.column('name').doNothing())
    .execute()
  const { value } = await db.selectFrom('meta').selectAll().where('name', '=', 'canary').executeTakeFirstOrThrow()
  try {
    secrets.open(value, place)
  } catch (cause) {
    const message =
      'The master key does not open the secrets that are stored in this database; use the key they were sealed with'
    throw new SealError(message, { cause })
  }
}

/** The hashes stay; only their key is re-encrypted. */
async function rekeyNumberHash(trx: Trx, secrets: KeyRing): Promise<number> {
  const { row: name } = NUMBER_HASH_PLACE
  const stored = await trx.selectFrom('meta').select('value').where('name', '=', name).executeTakeFirst()
  if (!stored || keyIdOf(stored.value) === secrets.activeId) return 0
  const value = secrets.seal(secrets.open(stored.value, NUMBER_HASH_PLACE), NUMBER_HASH_PLACE)
  await trx.updateTable('meta').set({ value }).where('name', '=', name).execute()
  return 1
}

/**
 * Re-encrypts everything under the active key, after which older keys can be dropped. Returns the number of changed
 * secrets.
 */
export async function rekey(db: Db, secrets: KeyRing): Promise<number> {
  return db.inTransaction(async (trx) => {
    let changed = 0
    for (const { table, column, row } of sealedColumns) {
      const rows = await trx.selectFrom(table).selectAll().$castTo<Record<string, string | null>>().execute()
      for (const stored of rows) {
        const sealed = stored[column]
        const { userId, [row]: id } = stored
        if (!sealed || !userId || !id || keyIdOf(sealed) === secrets.activeId) continue
        const at = { table, row: id, column, userId }
        const value = secrets.seal(secrets.open(sealed, at), at)
        await trx
          .updateTable(table as 'tools')
          .set({ [column]: value } as Partial<Tables['tools']>)
          .where('userId', '=', userId)
          .where(row as 'id', '=', id)
          .execute()
        changed++
      }
    }
    await trx
      .updateTable('meta')
      .set({ value: secrets.seal(CANARY, place) })
      .where('name', '=', 'canary')
      .execute()
    return changed + (await rekeyNumberHash(trx, secrets))
  })
}
