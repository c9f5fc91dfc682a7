// Whether the leases of other processes may be judged now. After a pause of this process, an absence of the database or a step of its clock
// every lease looks as if it had run out: the others get one lease's time to renew theirs.
import { monotonicMs } from '../base/clock.ts'

export type LeaseClock = ReturnType<typeof leaseClock>

/** `readClock`: the database's clock; throws while it is away. Asked more often than every half of a lease. */
export function leaseClock(leaseMs: number, readClock: () => Promise<number>, elapsedMs = monotonicMs) {
  let last: { atMs: number; clockMs: number } | undefined
  let waitUntilMs = Number.NEGATIVE_INFINITY

  return {
    async mayJudge(): Promise<boolean> {
      const clockMs = await readClock().catch(() => undefined)
      const atMs = elapsedMs()
      if (clockMs === undefined) {
        waitUntilMs = atMs + leaseMs
        return false
      }
      if (last) {
        const pauseMs = atMs - last.atMs
        const stepMs = Math.abs(clockMs - last.clockMs - pauseMs)
        if (pauseMs > leaseMs / 2 || stepMs > leaseMs / 4) waitUntilMs = atMs + leaseMs
      }
      last = { atMs, clockMs }
      return atMs >= waitUntilMs
    },
  }
}
