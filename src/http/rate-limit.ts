// An exact sliding window: in any 60 seconds at most `limit` requests of a key are let in. What is refused does not count.
import { monotonicMs } from '../base/clock.ts'
import { Recent } from '../base/recent.ts'

export const WINDOW_MS = 60_000

/** `resetMs`: until the oldest request leaves the window, which is when the next place becomes free. */
export type Admission = { admitted: boolean; remaining: number; resetMs: number }

export interface RateLimiter {
  admit(keyId: string, limit: number): Admission | Promise<Admission>
  close(): Promise<void>
}

export function memoryRateLimiter(clock: () => number = monotonicMs): RateLimiter {
  const windows = new Recent<string, Window>(10_000)
  return {
    admit(keyId, limit) {
      let window = windows.get(keyId)
      if (!window) {
        window = new Window()
        windows.set(keyId, window)
      }
      return window.admit(clock(), limit)
    },
    close: async () => {},
  }
}

/** The times of the requests let in, in a ring that grows to the limit and no further. */
class Window {
  #times = new Float64Array(16)
  #first = 0
  #count = 0

  admit(now: number, limit: number): Admission {
    while (this.#count > 0 && (this.#times[this.#first] as number) <= now - WINDOW_MS) {
      this.#first = (this.#first + 1) % this.#times.length
      this.#count--
    }
    const admitted = this.#count < limit
    if (admitted) this.#push(now)
    const oldest = this.#times[this.#first] as number
    return { admitted, remaining: Math.max(0, limit - this.#count), resetMs: oldest + WINDOW_MS - now }
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
