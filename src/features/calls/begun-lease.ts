// The lease of a call runs from the moment its row is written, and its node renews it only once it has learned of the row.
import { monotonicMs } from '../../base/time/clock.ts'

/** When the insert took longer, the renewal in the next round could come too late. */
const SLOW_MS = 2000

type Begin<Call, Begun> = (call: Call) => Promise<Begun>

/** `begin`, with a renewal at once when the database was slow: otherwise another node could take the call for one of a dead node. */
export function renewedWhenSlow<Call, Begun extends { id: string }>(
  begin: Begin<Call, Begun>,
  renew: (id: string) => Promise<unknown>,
  elapsedMs = monotonicMs,
): Begin<Call, Begun> {
  return async (call) => {
    const askedMs = elapsedMs()
    const begun = await begin(call)
    // Not awaited: the caller would hear silence meanwhile. If it fails, the next round tries again.
    if (elapsedMs() - askedMs > SLOW_MS) renew(begun.id).catch(() => {})
    return begun
  }
}
