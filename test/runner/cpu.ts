// Whether the CPU has room for one more task, by the machine's own figures, because servers and browsers of tests count
// too.
import { cpus } from 'node:os'

/** Share of all cores. */
const IDLE_PART = 0.25
const WINDOW_MS = 800

type Sample = { atMs: number; idle: number; total: number }

function sampleNow(): Sample {
  const times = cpus().map((core) => core.times)
  const idle = times.reduce((sum, one) => sum + one.idle, 0)
  const total = times.reduce((sum, one) => sum + one.idle + one.user + one.nice + one.sys + one.irq, 0)
  return { atMs: performance.now(), idle, total }
}

export function watchCpu() {
  let samples = [sampleNow()]
  return {
    sample(): void {
      const now = sampleNow()
      if (now.atMs - (samples.at(-1)?.atMs ?? 0) < 100) return
      samples = [...samples.filter(({ atMs }) => now.atMs - atMs < 2 * WINDOW_MS), now]
    },
    /** A task's CPU use shows only after a while: until then there is no room for another. */
    started(): void {
      samples = [sampleNow()]
    },
    hasRoom(): boolean {
      const [first, last] = [samples[0], samples.at(-1)]
      if (!first || !last || last.atMs - first.atMs < WINDOW_MS) return false
      return (last.idle - first.idle) / Math.max(1, last.total - first.total) >= IDLE_PART
    },
  }
}
