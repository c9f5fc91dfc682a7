// The 20 ms clock of a worker: one timer for all its legs, corrected against drift, its lateness measured.

import { runUnowned } from '../base/errors/error-containment.ts'
import { monotonicMs } from '../base/time/clock.ts'

export const TICK_MS = 20
/** Ticks that run at once after a stall; the sockets are read before the next ones. */
const MAX_AT_ONCE = 2
const CATCH_UP_MS = 5
/** Ticks further behind are skipped: the peer has already concealed them. */
const MAX_BEHIND_MS = 200
/** Rounding, ours and that of the timers' clock, can make a timer fire up to two milliseconds early. */
const MAX_EARLY_MS = 1
/** Five seconds of ticks. */
const KEPT = 250

/** `skipped`: ticks that were left out before this one. */
export type OnTick = (nowMs: number, skipped: number) => void

export class TickClock {
  readonly #onTick: OnTick
  readonly #lateMs: number[] = []
  #lateAt = 0
  #nextMs = 0
  #timer: NodeJS.Timeout | undefined

  constructor(onTick: OnTick) {
    this.#onTick = onTick
  }

  get isRunning(): boolean {
    return this.#timer !== undefined
  }

  start(): void {
    if (this.#timer) return
    this.#nextMs = monotonicMs() + TICK_MS
    runUnowned(() => this.#wait(TICK_MS))
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#lateMs.length = 0
    this.#lateAt = 0
  }

  /** The 99th percentile of the last five seconds. */
  lateMs(): number {
    const sorted = this.#lateMs.toSorted((a, b) => a - b)
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? 0
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(() => this.#fire(), ms)
  }

  #fire(): void {
    const nowMs = monotonicMs()
    const behindMs = nowMs - this.#nextMs
    if (behindMs < -MAX_EARLY_MS) {
      this.#wait(1)
      return
    }
    this.#lateMs[this.#lateAt++ % KEPT] = Math.max(0, behindMs)
    const skipped = behindMs > MAX_BEHIND_MS ? Math.floor(behindMs / TICK_MS) : 0
    this.#nextMs += skipped * TICK_MS
    this.#onTick(nowMs, skipped)
    this.#nextMs += TICK_MS
    for (let more = 1; more < MAX_AT_ONCE && this.#nextMs <= nowMs && this.#timer; more++) {
      this.#onTick(nowMs, 0)
      this.#nextMs += TICK_MS
    }
    if (!this.#timer) return
    // Rounded down: a chain of setTimeout(20) is 1.3 % slow, this one 0.1 %.
    const leftMs = Math.floor(this.#nextMs - monotonicMs())
    this.#wait(leftMs < -CATCH_UP_MS ? CATCH_UP_MS : Math.max(0, leftMs))
  }
}
