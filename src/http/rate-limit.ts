// An exact sliding window: in any 60 seconds (or as long as one says) at most `limit` requests of a key are let in. What is
// refused does not count.
import { monotonicMs } from '../base/clock.ts'
import { Recent } from '../base/recent.ts'

export const WINDOW_MS = 60_000

/** `resetMs`: until the oldest request leaves the window, which is when the next place becomes free. */
export type Admission = { admitted: boolean; remaining: number; resetMs: number }

export interface RateLimiter {
  admit(keyId: string, limit: number, windowMs?: number): Admission | Promise<Admission>
  /** The newest that was let in did not count after all: its place is free again. */
  takeBack(keyId: string): void | Promise<void>
  close(): Promise<void>
}

export function memoryRateLimiter(clock: () => number = monotonicMs): RateLimiter {
  const windows = new Recent<string, Window>(10_000)
  return {
    admit(keyId, limit, windowMs = WINDOW_MS) {
      let window = windows.get(keyId)
      if (!window) {
        window = new Window()
        windows.set(keyId, window)
      }
      return window.admit(clock(), limit, windowMs)
    },
    takeBack: (keyId) => windows.get(keyId)?.takeBack(),
    close: async () => {},
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
