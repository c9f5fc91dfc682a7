// Exponential back-off.

export type Backoff = { firstMs: number; maxMs: number }

/** The delay after this many consecutive failures: `firstMs`, doubled with each further failure, at most `maxMs`. */
export const backoffMs = (failures: number, { firstMs, maxMs }: Backoff): number =>
  Math.min(maxMs, firstMs * 2 ** Math.min(Math.max(0, failures - 1), 30))

/** ±25 %, so that clients that failed together do not retry together. */
export const jittered = (ms: number, random: () => number = Math.random): number => ms * (0.75 + random() / 2)
