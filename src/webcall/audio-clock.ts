// One 20 ms clock for all web calls of this process; stopped while there are none.
import { type OnTick, TickClock } from '../rtp/clock.ts'

export type AudioClock = ReturnType<typeof audioClock>

export function audioClock() {
  const lines = new Set<OnTick>()
  const clock = new TickClock((nowMs, skipped) => {
    for (const tick of lines) tick(nowMs, skipped)
  })
  return {
    /** Returns a function that removes the callback. */
    add(tick: OnTick): () => void {
      lines.add(tick)
      clock.start()
      return () => {
        lines.delete(tick)
        if (lines.size === 0) clock.stop()
      }
    },
  }
}
