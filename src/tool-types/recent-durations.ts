// Recent durations of each tool in this process: a tool that is known to be fast needs no "one moment, please".
import { LruCache } from '../base/lru-cache.ts'

const KEPT_PER_TOOL = 15

export type RecentDurations = ReturnType<typeof recentDurations>

export function recentDurations() {
  const times = new LruCache<string, number[]>(2000)
  return {
    add(tool: string, ms: number): void {
      times.set(tool, [...(times.get(tool) ?? []), ms].slice(-KEPT_PER_TOOL))
    },
    /** The median of the last runs; null if it never ran. */
    usualMs(tool: string): number | null {
      const sorted = [...(times.get(tool) ?? [])].sort((a, b) => a - b)
      return sorted[Math.floor(sorted.length / 2)] ?? null
    },
  }
}
