// Wall time for timestamps, monotonic time for durations. Nothing else in the project reads a clock.

export const nowMs = (): number => Date.now()
export const toIso = (ms: number): string => new Date(ms).toISOString()
export const now = (): string => toIso(Date.now())

/** Now, but later than `previous`: change times increase even within one millisecond. */
export const nowAfter = (previous: string): string => toIso(Math.max(Date.now(), Date.parse(previous) + 1))

/** Milliseconds that never jump, even if the system clock is set. */
export const monotonicMs = (): number => performance.now()

/**
 * Wall time advanced by the monotonic clock: the intervals between a call's timestamps stay correct if the system clock
 * is set.
 */
export function steadyClock(): () => string {
  const offsetMs = Date.now() - performance.now()
  return () => toIso(offsetMs + performance.now())
}

export const DAY_MS = 86_400_000
