// How late a 20 ms timer fires on this machine right now: a phone's clock is just as late. Audio tests then get the CPU
// to themselves.
const TICK_MS = 20
/** A frame this late is audible as a gap on a phone with a small jitter buffer. */
const LATE_MS = 20
const KEPT = 3000 / TICK_MS

export type Lateness = { isLate(): boolean; worstMs(): number; stop(): void }

export function watchLateness(): Lateness {
  const recent: number[] = []
  let worst = 0
  let due = performance.now() + TICK_MS
  const timer = setInterval(() => {
    const lateMs = Math.max(0, performance.now() - due)
    due = performance.now() + TICK_MS
    recent.push(lateMs)
    if (recent.length > KEPT) recent.shift()
    worst = Math.max(worst, lateMs)
  }, TICK_MS)
  timer.unref()
  return {
    isLate: () => usual(recent) > LATE_MS,
    worstMs: () => worst,
    stop: () => clearInterval(timer),
  }
}

/** The lateness that one tick in twenty exceeds: a single stall says nothing about the load. */
const usual = (lateness: readonly number[]): number =>
  lateness.toSorted((a, b) => b - a)[Math.floor(lateness.length / 20)] ?? 0
