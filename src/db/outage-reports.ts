// One report per database outage, however errors and answers interleave: while a server closes its connections one by
// one, some queries still succeed.
import { monotonicMs } from '../base/time/clock.ts'

/**
 * `onOutage` is called with the first error of an outage, and with null when it is over. `check` calls `failed` or
 * `answered`.
 */
export function outageReports(onOutage: (error: unknown | null) => void, check: () => Promise<void>) {
  let isOut = false
  let overAtMs = 0
  let lastMs = Number.NEGATIVE_INFINITY
  let recheck: NodeJS.Timeout | undefined
  return {
    /** The outage is over once the database answers and nothing has failed for `quietMs`. */
    failed(error: unknown, quietMs: number): void {
      lastMs = monotonicMs()
      overAtMs = Math.max(overAtMs, lastMs + quietMs)
      if (isOut) return
      isOut = true
      onOutage(error)
    },
    answered(): void {
      if (!isOut) return
      const leftMs = overAtMs - monotonicMs()
      if (leftMs <= 0) {
        isOut = false
        onOutage(null)
        return
      }
      recheck ??= setTimeout(() => {
        recheck = undefined
        check().catch(() => {}) // reported by `failed`
      }, leftMs).unref()
    },
    isOut: () => isOut,
    /** When something last failed, on the monotonic clock. */
    lastMs: () => lastMs,
    stop: () => clearTimeout(recheck),
  }
}
