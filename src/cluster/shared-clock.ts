// The database's clock as this process last read it: the nodes' own clocks may differ, and messages expire for all at one time.
import { monotonicMs } from '../base/clock.ts'

const ahead = (clockMs: number, fromMs: number, toMs: number) => clockMs - (fromMs + toMs) / 2

export type SharedClock = ReturnType<typeof sharedClock>

export function sharedClock(readClock: () => Promise<number>, elapsedMs: () => number = monotonicMs) {
  let offsetMs = 0
  return {
    async read(): Promise<void> {
      const fromMs = elapsedMs()
      const clockMs = await readClock()
      offsetMs = ahead(clockMs, fromMs, elapsedMs())
    },
    nowMs: () => elapsedMs() + offsetMs,
  }
}
