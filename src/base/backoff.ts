// Exponential back-off.

export type Backoff = { firstMs: number; maxMs: number }

/** The pause after this many failures in a row: the first one, doubled after each further failure. */
export const backoffMs = (failures: number, { firstMs, maxMs }: Backoff): number =>
  Math.min(maxMs, firstMs * 2 ** Math.min(Math.max(0, failures - 1), 30))

/** 25 % shorter to 25 % longer, so that many who failed together do not come back together. */
export const jittered = (ms: number, random: () => number = Math.random): number => ms * (0.75 + random() / 2)
