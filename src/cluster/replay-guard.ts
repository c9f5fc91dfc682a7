// Runs a request only once, and only before its deadline: its id is remembered until then.

/** Beyond this, requests are refused: forgetting an id would allow a replay. */
const MAX_IDS = 100_000
/** Tolerated difference between two nodes' readings of the database's clock. */
const TOLERANCE_MS = 1000

export function replayGuard({ nowMs, maxAgeMs }: { nowMs(): number; maxAgeMs: number }) {
  /** In the order of arrival, which is close to the order of deadlines. */
  const deadlines = new Map<string, number>()

  function forgetExpired(now: number): void {
    for (const [id, untilMs] of deadlines) {
      if (untilMs >= now) return
      deadlines.delete(id)
    }
  }

  return {
    /** Why the request must not run. */
    check(id: string, untilMs: number): 'late' | 'repeated' | 'busy' | undefined {
      const now = nowMs()
      forgetExpired(now)
      // Negated, so that NaN is refused.
      if (!(untilMs >= now && untilMs <= now + maxAgeMs + TOLERANCE_MS)) return 'late'
      if (deadlines.has(id)) return 'repeated'
      if (deadlines.size >= MAX_IDS) return 'busy'
      deadlines.set(id, untilMs)
      return undefined
    },
  }
}
