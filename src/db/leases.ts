// Named leases, so that one process at a time does a task. Acquired and renewed in bulk, by the database clock.
import type { Db } from './db.ts'
import { dbTime } from './time.ts'

/** Maximum number of leases in one statement. */
const BATCH = 500

export type NamedLeases = { names: readonly string[]; holder: string }

/**
 * Acquires those leases that are free, expired or already held by this holder; returns their names. `isAlone`: there is
 * no other holder, so all of them.
 */
export async function acquireLeases(
  db: Db,
  { names, holder, isAlone = false }: NamedLeases & { isAlone?: boolean },
  forMs: number,
): Promise<string[]> {
  const acquired: string[] = []
  const leaseUntil = dbTime(db, forMs)
  for (const batch of batches(names)) {
    const rows = await db
      .insertInto('leases')
      .values(batch.map((name) => ({ name, holder, leaseUntil })))
      .onConflict((c) => {
        const taken = c.column('name').doUpdateSet({ holder, leaseUntil })
        if (isAlone) return taken
        return taken.where((where) =>
          where.or([where('leases.leaseUntil', '<', dbTime(db)), where('leases.holder', '=', holder)]),
        )
      })
      .returning('name')
      .execute()
    acquired.push(...rows.map(({ name }) => name))
  }
  return acquired
}

/** Renews all of this holder's leases with this name prefix in one statement; returns their names. */
export async function renewLeases(
  db: Db,
  { prefix, holder }: { prefix: string; holder: string },
  forMs: number,
): Promise<string[]> {
  const rows = await db
    .updateTable('leases')
    .set({ leaseUntil: dbTime(db, forMs) })
    .where('holder', '=', holder)
    .where('name', 'like', `${prefix}%`)
    .returning('name')
    .execute()
  return rows.map(({ name }) => name)
}

/** Ends leases before they expire; no-op for those of another holder. */
export async function releaseLeases(db: Db, { names, holder }: NamedLeases): Promise<void> {
  for (const batch of batches(names))
    await db.deleteFrom('leases').where('holder', '=', holder).where('name', 'in', batch).execute()
}

/** Sorted, because two holders that lock the same rows in different orders would deadlock. */
function batches(names: readonly string[]): string[][] {
  const sorted = [...names].sort()
  return Array.from({ length: Math.ceil(sorted.length / BATCH) }, (_, i) => sorted.slice(i * BATCH, (i + 1) * BATCH))
}
