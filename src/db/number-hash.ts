// Keyed hashes of telephone numbers: kept for a suppressed number whose owner asked to be forgotten, and used to
// compare numbers. The key is random and stored encrypted in `meta`, so that it survives a change of the master key;
// without it, the hashes cannot be brute-forced.
import { createHmac, randomBytes } from 'node:crypto'
import type { KeyRing } from '../base/crypto/secrets.ts'
import type { Db } from './db.ts'

export const NUMBER_HASH_PLACE = { table: 'meta', row: 'numberHashKey', column: 'value', userId: '' } as const

/** The keyed hash of an E.164 number. */
export type HashNumber = (number: string) => string

export async function openNumberHash(db: Db, secrets: KeyRing): Promise<HashNumber> {
  const fresh = secrets.seal(randomBytes(32).toString('hex'), NUMBER_HASH_PLACE)
  await db
    .insertInto('meta')
    .values({ name: NUMBER_HASH_PLACE.row, value: fresh })
    .onConflict((c) => c.column('name').doNothing())
    .execute()
  const stored = await db
    .selectFrom('meta')
    .select('value')
    .where('name', '=', NUMBER_HASH_PLACE.row)
    .executeTakeFirstOrThrow()
  const key = Buffer.from(secrets.open(stored.value, NUMBER_HASH_PLACE), 'hex')
  return (number) => createHmac('sha256', key).update(number).digest('base64url')
}
