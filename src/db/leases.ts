// Named leases: one process at a time is the leader for a task. By the database's clock.
import type { Db } from './db.ts'
import { dbTime } from './time.ts'

export type NamedLease = { name: string; holder: string }

/** Takes the lease, or renews the holder's own; false while another holder has it. */
export async function acquireLease(db: Db, { name, holder }: NamedLease, forMs: number): Promise<boolean> {
  const leaseUntil = dbTime(db, forMs)
  const acquired = await db
    .insertInto('leases')
    .values({ name, holder, leaseUntil })
    .onConflict((c) =>
      c
        .column('name')
        .doUpdateSet({ holder, leaseUntil })
        .where((where) => where.or([where('leases.leaseUntil', '<', dbTime(db)), where('leases.holder', '=', holder)])),
    )
    .returning('name')
    .executeTakeFirst()
  return acquired !== undefined
}

/** Releases the lease before it expires; no-op where another holder has it. */
export async function releaseLease(db: Db, { name, holder }: NamedLease): Promise<void> {
  await db.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute()
}
