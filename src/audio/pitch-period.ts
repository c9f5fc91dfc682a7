// Pitch period estimation by autocorrelation.

/** Voices: 400 down to 67 Hz. */
const MIN_PERIOD_MS = 2.5
const MAX_PERIOD_MS = 15

export type Period = {
  samples: number
  /** Correlation: 1 is identical, 0 is unrelated. */
  likeness: number
}

export const longestPeriod = (rateHz: number): number => (MAX_PERIOD_MS * rateHz) / 1000
export const shortestPeriod = (rateHz: number): number => (MIN_PERIOD_MS * rateHz) / 1000

/** Compares the `size` samples at `at` with those one period later (towards 1) or earlier (towards -1). */
export function findPeriod(
  pcm: Int16Array,
  at: number,
  size: number,
  towards: 1 | -1,
  rateHz: number,
  longest = longestPeriod(rateHz),
): Period {
  // First every second shift with every second sample (fourth at 16 kHz), then all shifts around the best one in full.
  const step = rateHz > 8000 ? 4 : 2
  let best = shortestPeriod(rateHz)
  let bestScore = Number.NEGATIVE_INFINITY
  for (let shift = best; shift <= longest; shift += step / 2) {
    const score = likeness(pcm, at, at + towards * shift, size, step)
    if (score > bestScore) {
      bestScore = score
      best = shift
    }
  }
  const [from, to] = [Math.max(shortestPeriod(rateHz), best - step), Math.min(longest, best + step)]
  bestScore = Number.NEGATIVE_INFINITY
  for (let shift = from; shift <= to; shift++) {
    const score = likeness(pcm, at, at + towards * shift, size, 1)
    if (score > bestScore) {
      bestScore = score
      best = shift
    }
  }
  return { samples: best, likeness: bestScore }
}

function likeness(pcm: Int16Array, a: number, b: number, size: number, step: number): number {
  const stride = Math.max(1, step)
  let product = 0
  let energyA = 1
  let energyB = 1
  for (let i = 0; i < size; i += stride) {
    const x = pcm[a + i] as number
    const y = pcm[b + i] as number
    product += x * y
    energyA += x * x
    energyB += y * y
  }
  return product / Math.sqrt(energyA * energyB)
}
