// Decides whether expired leases of other processes can be trusted. After this process was suspended, the database was
// down or its clock was stepped, every lease looks expired: the other processes get one lease period to renew, because
// they may have experienced the same.
import { monotonicMs } from '../base/time/clock.ts'

export type LeaseClockParts = {
  /** Reads the database clock; throws while the database is unreachable. */
  readClock: () => Promise<number>
  /** When anything in this process last noticed an outage. */
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
