// Counters that every node polls: when one has increased, the phone reads the changes.
import type { Kysely } from 'kysely'
import { increment } from './increment.ts'
import type { Tables } from './tables.ts'

/** Call it when trunks, devices or leases have changed. */
export async function countPhoneChange(db: Kysely<Tables>): Promise<void> {
  await db
    .updateTable('changeCounters')
    .set({ value: increment('value') })
    .where('name', '=', 'phone')
    .execute()
}

/**
 * The version for the next change of device bindings. The counter stays locked until the commit, so changes become
 * visible in this order.
 */
export async function nextBindingVersion(trx: Kysely<Tables>): Promise<number> {
  const { value } = await trx
    .updateTable('changeCounters')
    .set({ value: increment('value') })
    .where('name', '=', 'bindings')
    .returning('value')
    .executeTakeFirstOrThrow()
  return value
}
