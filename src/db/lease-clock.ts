// Whether expired leases of other processes can be trusted. After a pause of this process, a database outage or a step of its clock every
// lease looks expired: the others get one lease's time to renew theirs, because what this process has felt they may have felt, too.
import { monotonicMs } from '../base/time/clock.ts'

export type LeaseClockParts = {
  /** The database's clock; throws while it is unreachable. */
  readClock: () => Promise<number>
  /** When anything in this process last felt an outage. */
  lastOutageMs: () => number
  elapsedMs?: (() => number) | undefined
}

/** Call `mayJudge` more often than every half lease. */
export function leaseClock(leaseMs: number, { readClock, lastOutageMs, elapsedMs = monotonicMs }: LeaseClockParts) {
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
      return atMs >= Math.max(waitUntilMs, lastOutageMs() + leaseMs)
    },
  }
}
