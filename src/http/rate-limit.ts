// An exact sliding window: any 60 seconds (or the given window) admit at most `limit` requests of a key. Refused
// requests do not count. A window is dropped when it is empty, never to make room for another.
import { monotonicMs } from '../base/time/clock.ts'

export const WINDOW_MS = 60_000
/** Per purpose. When there is no room for another window, a new key is refused. */
const MAX_WINDOWS = 50_000
const SWEEP_MS = 1000

/** `resetMs`: until the oldest request leaves the window and frees a slot. */
export type Admission = { admitted: boolean; remaining: number; resetMs: number }

export interface Windows {
  admit(key: string, limit: number, windowMs?: number): Admission | Promise<Admission>
  /** Frees the slot of the latest admitted request, which should not count after all. */
  takeBack(key: string): void | Promise<void>
}

/** Its own windows are those of API keys and sessions. */
export interface RateLimiter extends Windows {
  /** Separate windows for one purpose: filling them does not affect other purposes. */
  of(purpose: string): Windows
  /** The part that is down, making limits less exact; null if everything works. */
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

/** The times of admitted requests, in a ring buffer that grows up to the limit. */
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
