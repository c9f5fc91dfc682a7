// How long keys and sessions are cached. A process caches a grant for LEASE_MS, counted from before it was read. Where several processes
// share the database, the end of a grant is acknowledged only after that time: it then holds everywhere, without messages between processes.
import { setTimeout as sleep } from 'node:timers/promises'

export const LEASE_MS = 250
const MARGIN_MS = 50

/** Until no process has cached what the database no longer grants. */
export const leasesExpired = (): Promise<void> => sleep(LEASE_MS + MARGIN_MS)

/** Drops grants from the cache of this process, and returns when no process has them. */
export async function dropEverywhere(drop: () => void, shared: boolean): Promise<void> {
  drop()
  if (shared) await leasesExpired()
  drop() // a concurrent read may have cached them again
}
