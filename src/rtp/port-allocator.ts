// RTP port allocation: random even ports, except for those used recently.
import { randomInt } from 'node:crypto'
import { monotonicMs } from '../base/time/clock.ts'

/** Late packets of an ended call must not be heard in the next one. */
const QUARANTINE_MS = 10_000

export class PortRange {
  readonly #first: number
  /** Pairs of ports: one leg each. */
  readonly count: number
  readonly #taken = new Set<number>()
  /** In the order in which they become free again. */
  readonly #quarantine = new Map<number, number>()

  constructor({ from, to }: { from: number; to: number }) {
    this.#first = from + (from % 2)
    this.count = Math.max(0, Math.floor((to - this.#first + 1) / 2))
  }

  /** Pairs that are free now. */
  free(nowMs = monotonicMs()): number {
    for (const [port, untilMs] of this.#quarantine) {
      if (untilMs > nowMs) break
      this.#quarantine.delete(port)
    }
    return this.count - this.#taken.size - this.#quarantine.size
  }

  /** An even port whose successor is also in the range; undefined when none is free. */
  take(nowMs = monotonicMs()): number | undefined {
    if (this.free(nowMs) <= 0) return undefined
    const start = randomInt(this.count)
    for (let i = 0; i < this.count; i++) {
      const port = this.#first + 2 * ((start + i) % this.count)
      if (this.#taken.has(port) || this.#quarantine.has(port)) continue
      this.#taken.add(port)
      return port
    }
    return undefined
  }

  /** Also for a port that another process holds, so that it is not tried again at once. */
  release(port: number, nowMs = monotonicMs()): void {
    if (this.#taken.delete(port)) this.#quarantine.set(port, nowMs + QUARANTINE_MS)
  }
}
