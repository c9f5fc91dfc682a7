// The database's clock as this process last read it: the nodes' own clocks may differ, and messages expire for all at one time.
import { monotonicMs } from '../base/time/clock.ts'

/** A reading may be wrong by half the time that it took, and messages live for seconds only. */
const MAX_READ_MS = 1000

export function sharedClock(readClock: () => Promise<number>, elapsedMs: () => number = monotonicMs) {
  let offsetMs: number | undefined
  return {
    /** One that took long does not replace a better one. */
    async read(): Promise<void> {
      const fromMs = elapsedMs()
      const clockMs = await readClock()
      const toMs = elapsedMs()
      if (offsetMs === undefined || toMs - fromMs <= MAX_READ_MS) offsetMs = clockMs - (fromMs + toMs) / 2
    },
    nowMs: () => elapsedMs() + (offsetMs ?? 0),
  }
}
