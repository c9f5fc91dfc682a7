// The median response time of stored turns. Pure.
import type { Turn } from './schema.ts'

/**
 * The median over all turns in these JSON texts (the lower one of the two middle values); null if none was answered.
 */
export function medianResponseMs(stored: readonly string[]): number | null {
  const times = stored
    .flatMap((turns) => (JSON.parse(turns) as Turn[]).flatMap(({ latency }) => latency?.totalMs ?? []))
    .sort((a, b) => a - b)
  return times[Math.floor((times.length - 1) / 2)] ?? null
}
