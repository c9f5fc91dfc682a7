// The timers of RFC 3261 table 4, and retransmission over UDP.
import { monotonicMs } from '../../base/time/clock.ts'

/** In milliseconds. */
export type SipTimers = { t1: number; t2: number; t4: number }

export const rfcTimers: SipTimers = { t1: 500, t2: 4000, t4: 5000 }

/** Timers B, D, F, H, J, L and M: how long a transaction waits for what may never come. */
export const patienceMs = (timers: SipTimers): number => 64 * timers.t1

/** Repeats a sending after first, 2 × first, 4 × first … milliseconds, never farther apart than `mostMs`. */
export class Retransmitter {
  #timer: NodeJS.Timeout | undefined
  #intervalMs = 0
  /** When the next is due: counted from the last one's due time, so that late timers do not add up. */
  #dueMs = 0

  start(firstMs: number, mostMs: number, send: () => void): void {
    this.stop()
    this.#intervalMs = firstMs
    this.#dueMs = monotonicMs() + firstMs
    const wait = () => {
      this.#timer = setTimeout(
        () => {
          this.#intervalMs = Math.min(this.#intervalMs * 2, mostMs)
          this.#dueMs += this.#intervalMs
          wait()
          send()
        },
        Math.max(0, this.#dueMs - monotonicMs()),
      )
    }
    wait()
  }

  /** After the one that is due, the next come so far apart. */
  slowDown(intervalMs: number): void {
    this.#intervalMs = intervalMs
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}
