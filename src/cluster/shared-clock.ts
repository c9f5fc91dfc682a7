// The database's clock as this process last read it: nodes' own clocks may differ, but messages must expire at one time for all.
import { monotonicMs } from '../base/time/clock.ts'

/** A reading may be off by half the time it took, and messages live for only seconds. */
const MAX_READ_MS = 1000

export function sharedClock(readClock: () => Promise<number>, elapsedMs: () => number = monotonicMs) {
  let offsetMs: number | undefined
  return {
    /** A slow reading does not replace a better one. */
    async read(): Promise<void> {
      const fromMs = elapsedMs()
      const clockMs = await readClock()
      const toMs = elapsedMs()
      if (offsetMs === undefined || toMs - fromMs <= MAX_READ_MS) offsetMs = clockMs - (fromMs + toMs) / 2
    },
    nowMs: () => elapsedMs() + (offsetMs ?? 0),
  }
}
