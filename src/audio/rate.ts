// Supported sample rates. All outside audio is checked here: a filter for an odd rate would take gigabytes.
const MIN_HZ = 4000
const MAX_HZ = 192_000
/** Every rate in use is a multiple of it, and no ratio of two such rates needs a filter of more than a few megabytes. */
const STEP_HZ = 25

export const isUsableRate = (rateHz: number): boolean => rateHz >= MIN_HZ && rateHz <= MAX_HZ && rateHz % STEP_HZ === 0

/** Throws for an unsupported rate. */
export function checkRate(rateHz: number): void {
  if (!isUsableRate(rateHz)) throw new RangeError(`a sample rate of ${rateHz} Hz is not supported`)
}
