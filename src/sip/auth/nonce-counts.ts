// Replay protection: the nonce counts already used. Bounded.
const WINDOW = 32

/**
 * Only nonces of valid credentials are stored, so an unknown peer cannot fill it. When it is full, the oldest is dropped; from then on,
 * nonces issued up to its time that are not in the table count as stale, not as unused.
 */
export function nonceCounts(max = 20_000) {
  const used = new Map<string, { highest: number; seen: number; madeAt: number }>()
  let forgottenUpTo = Number.NEGATIVE_INFINITY

  return {
    isForgotten: (nonce: string, madeAt: number): boolean => madeAt <= forgottenUpTo && !used.has(nonce),

    /** True once for each count. Up to 32 counts may arrive out of order (UDP). */
    use(nonce: string, madeAt: number, count: number): boolean {
      const entry = used.get(nonce)
      if (!entry) {
        if (madeAt <= forgottenUpTo) return false
        if (used.size >= max) {
          const [oldest] = used
          if (oldest) {
            used.delete(oldest[0])
            forgottenUpTo = Math.max(forgottenUpTo, oldest[1].madeAt)
          }
        }
        used.set(nonce, { highest: count, seen: 1, madeAt })
        return true
      }
      // `seen`: bit 0 stands for the highest count, bit 1 for the one below it, and so on.
      const ahead = count - entry.highest
      if (ahead > 0) {
        entry.seen = ahead >= WINDOW ? 1 : ((entry.seen << ahead) | 1) >>> 0
        entry.highest = count
        return true
      }
      if (-ahead >= WINDOW) return false
      const bit = (1 << -ahead) >>> 0
      if ((entry.seen & bit) !== 0) return false
      entry.seen = (entry.seen | bit) >>> 0
      return true
    },
  }
}
