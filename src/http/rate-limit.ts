// An exact sliding window: in any 60 seconds (or as long as one says) at most `limit` requests of a key are let in. What is
// refused does not count. A window leaves when it has nothing left to say, never to make room for another.
import { monotonicMs } from '../base/clock.ts'

export const WINDOW_MS = 60_000
/** Of one purpose. When there is no room for another window, whoever would need it is refused. */
const MAX_WINDOWS = 50_000
const SWEEP_MS = 1000

/** `resetMs`: until the oldest request leaves the window, which is when the next place becomes free. */
export type Admission = { admitted: boolean; remaining: number; resetMs: number }

export interface Windows {
  admit(key: string, limit: number, windowMs?: number): Admission | Promise<Admission>
  /** The newest that was let in did not count after all: its place is free again. */
  takeBack(key: string): void | Promise<void>
}

/** Its own windows are those of API keys and sessions. */
export interface RateLimiter extends Windows {
  /** Windows apart from all others: strangers who fill those of one purpose are not felt in another. */
  of(purpose: string): Windows
  /** The part that is out of order, so that it counts less well than it should; null: all is well. */
  trouble(): string | null
  close(): Promise<void>
}

export function memoryRateLimiter(clock: () => number = monotonicMs, maxWindows = MAX_WINDOWS): RateLimiter {
  const purposes = new Map<string, Windows>()
  const of = (purpose: string) => {
    const known = purposes.get(purpose) ?? memoryWindows(clock, maxWindows)
    purposes.set(purpose, known)
    return known
  }
  return { ...memoryWindows(clock, maxWindows), of, trouble: () => null, close: async () => {} }
}

function memoryWindows(clock: () => number, maxWindows: number): Windows {
  const windows = new Map<string, { window: Window; until: number }>()
  let sweptAt = Number.NEGATIVE_INFINITY

  function hasRoom(now: number): boolean {
    if (windows.size < maxWindows) return true
    if (now - sweptAt < SWEEP_MS) return false
    sweptAt = now
    for (const [key, { until }] of windows) if (until <= now) windows.delete(key)
    return windows.size < maxWindows
  }

  return {
    admit(key, limit, windowMs = WINDOW_MS) {
      const now = clock()
      let entry = windows.get(key)
      if (!entry) {
        if (!hasRoom(now)) return { admitted: false, remaining: 0, resetMs: SWEEP_MS }
        entry = { window: new Window(), until: now }
        windows.set(key, entry)
      }
      const admission = entry.window.admit(now, limit, windowMs)
      if (admission.admitted) entry.until = now + windowMs
      return admission
    },
    takeBack: (key) => windows.get(key)?.window.takeBack(),
  }
}

/** The times of the requests let in, in a ring that grows to the limit and no further. */
class Window {
  #times = new Float64Array(16)
  #first = 0
  #count = 0

  admit(now: number, limit: number, windowMs: number): Admission {
    while (this.#count > 0 && (this.#times[this.#first] as number) <= now - windowMs) {
      this.#first = (this.#first + 1) % this.#times.length
      this.#count--
    }
    const admitted = this.#count < limit
    if (admitted) this.#push(now)
    const oldest = this.#times[this.#first] as number
    return { admitted, remaining: Math.max(0, limit - this.#count), resetMs: oldest + windowMs - now }
  }

  takeBack(): void {
    if (this.#count > 0) this.#count--
  }

  #push(time: number): void {
    if (this.#count === this.#times.length) this.#grow()
    this.#times[(this.#first + this.#count) % this.#times.length] = time
    this.#count++
  }

  #grow(): void {
    const larger = new Float64Array(this.#times.length * 2)
    for (let i = 0; i < this.#count; i++) larger[i] = this.#times[(this.#first + i) % this.#times.length] as number
    this.#times = larger
    this.#first = 0
  }
}
