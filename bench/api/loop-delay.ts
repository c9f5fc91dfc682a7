// Preloaded into the real server with --import: measures its event-loop delay and reports it over IPC.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Figure } from '../report/figures.ts'

/** Null if the event loop never turned. */
export type LoopDelay = { p50Ms: Figure; p99Ms: Figure; maxMs: Figure }

const RESOLUTION_MS = 1
const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })

/** The histogram holds the time between two timer ticks; the excess over the timer's interval is the delay. */
const delay = (nanoseconds: number): Figure =>
  histogram.count === 0 ? null : Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS)

process.on('message', (wish) => {
  if (wish === 'begin') {
    histogram.reset()
    histogram.enable()
    process.send?.('begun')
  } else if (wish === 'end') {
    histogram.disable()
    const seen: LoopDelay = {
      p50Ms: delay(histogram.percentile(50)),
      p99Ms: delay(histogram.percentile(99)),
      maxMs: delay(histogram.max),
    }
    process.send?.(seen)
  }
})
