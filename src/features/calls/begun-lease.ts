// Renews a new call's lease early: the lease runs from the moment its row is written, but the node renews it only once
// it knows about the row.
import { monotonicMs } from '../../base/time/clock.ts'

/** After a slower insert, the renewal in the next round could come too late. */
const SLOW_MS = 2000

type Begin<Call, Begun> = (call: Call) => Promise<Begun>

/**
 * Runs `begin`, and renews at once if the database was slow: otherwise another node could take the call for an orphan
 * of a dead node.
 */
export function renewedWhenSlow<Call, Begun extends { id: string }>(
  begin: Begin<Call, Begun>,
  renew: (id: string) => Promise<unknown>,
): Begin<Call, Begun> {
  return async (call) => {
    const askedMs = monotonicMs()
    const begun = await begin(call)
    // Not awaited: the caller would hear silence meanwhile. If it fails, the next round retries.
    if (monotonicMs() - askedMs > SLOW_MS) renew(begun.id).catch(() => {})
    return begun
  }
}
