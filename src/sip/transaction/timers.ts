// The timers of RFC 3261 table 4, and retransmission over UDP.
import { monotonicMs } from '../../base/time/clock.ts'

/** In milliseconds. */
export type SipTimers = { t1: number; t2: number; t4: number }

export const rfcTimers: SipTimers = { t1: 500, t2: 4000, t4: 5000 }

/** Timers B, D, F, H, J, L and M. */
export const patienceMs = (timers: SipTimers): number => 64 * timers.t1

/** Retransmits after first, 2 × first, 4 × first … milliseconds, at intervals of up to `maxMs`. */
export class Retransmitter {
  #timer: NodeJS.Timeout | undefined
  #intervalMs = 0
  /** When the next is due: relative to the last due time, so that timer lateness does not accumulate. */
  #dueMs = 0

  start(firstMs: number, maxMs: number, send: () => void): void {
    this.stop()
    this.#intervalMs = firstMs
    this.#dueMs = monotonicMs() + firstMs
    const wait = () => {
      this.#timer = setTimeout(
        () => {
          this.#intervalMs = Math.min(this.#intervalMs * 2, maxMs)
          this.#dueMs += this.#intervalMs
          wait()
          send()
        },
        Math.max(0, this.#dueMs - monotonicMs()),
      )
    }
    wait()
  }

  /** Takes effect after the one that is due. */
  slowDown(intervalMs: number): void {
    this.#intervalMs = intervalMs
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}

/** Retransmits until stopped, or gives up after 64 × T1. The caller sends first. Returns the stop function. */
export function retransmit(timers: SipTimers, maxMs: number, send: () => void, giveUp: () => void): () => void {
  const repeats = new Retransmitter()
  repeats.start(timers.t1, maxMs, send)
  const end = setTimeout(() => {
    repeats.stop()
    giveUp()
  }, patienceMs(timers))
  return () => {
    repeats.stop()
    clearTimeout(end)
  }
}
