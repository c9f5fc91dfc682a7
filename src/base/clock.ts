// Wall time for what is stored, monotonic time for what is measured. Nothing else in the project reads a clock.

export const nowMs = (): number => Date.now()
export const toIso = (ms: number): string => new Date(ms).toISOString()
export const now = (): string => toIso(Date.now())

/** Now, but later than `previous`: a time of change grows also within one millisecond. */
export const nowAfter = (previous: string): string => toIso(Math.max(Date.now(), Date.parse(previous) + 1))

/** Milliseconds that never jump when the machine's clock is set. */
export const monotonicMs = (): number => performance.now()

/** Wall time that runs on by the monotonic clock: the timestamps of one call keep their distances when the machine's clock is set. */
export function steadyClock(): () => string {
  const offsetMs = Date.now() - performance.now()
  return () => toIso(offsetMs + performance.now())
}

export const DAY_MS = 86_400_000
