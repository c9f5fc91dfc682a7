// The counter that every node polls: when it has grown, the phone reads trunks, devices and leases again.
import type { Kysely } from 'kysely'
import { increment } from './increment.ts'
import type { Tables } from './tables.ts'

export async function countPhoneChange(db: Kysely<Tables>): Promise<void> {
  await db
    .updateTable('changeCounters')
    .set({ value: increment('value') })
    .where('name', '=', 'phone')
    .execute()
}
