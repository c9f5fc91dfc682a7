// Counters that every node polls: when one has grown, the phone reads what has changed.
import type { Kysely } from 'kysely'
import { increment } from './increment.ts'
import type { Tables } from './tables.ts'

/** Trunks, devices or leases have changed. */
export async function countPhoneChange(db: Kysely<Tables>): Promise<void> {
  await db
    .updateTable('changeCounters')
    .set({ value: increment('value') })
    .where('name', '=', 'phone')
    .execute()
}

/** The version of the next change of device bindings. Changes become visible in this order: the counter stays locked until the commit. */
export async function nextBindingVersion(trx: Kysely<Tables>): Promise<number> {
  const { value } = await trx
    .updateTable('changeCounters')
    .set({ value: increment('value') })
    .where('name', '=', 'bindings')
    .returning('value')
    .executeTakeFirstOrThrow()
  return value
}
