// One clock of 20 ms for all web calls of this process; it stands still while there is none.
import { type OnTick, TickClock } from '../rtp/clock.ts'

export type AudioClock = ReturnType<typeof audioClock>

export function audioClock() {
  const lines = new Set<OnTick>()
  const clock = new TickClock((nowMs, skipped) => {
    for (const tick of lines) tick(nowMs, skipped)
  })
  return {
    /** Until the function that it gives is called. */
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
