// How long keys and sessions are cached. A process caches a grant for LEASE_MS, counted from before it was read. If
// several processes share the database, the end of a grant is acknowledged only after that time: by then it has taken
// effect everywhere, without messages between processes.
import { setTimeout as sleep } from 'node:timers/promises'

export const LEASE_MS = 250
const MARGIN_MS = 50

/** Resolves when no process still caches a grant that the database has ended. */
export const leasesExpired = (): Promise<void> => sleep(LEASE_MS + MARGIN_MS)

/** Drops grants from this process's cache, and resolves when no process has them cached. */
export async function dropEverywhere(drop: () => void, shared: boolean): Promise<void> {
  drop()
  if (shared) await leasesExpired()
  drop() // a concurrent read may have cached them again
}
