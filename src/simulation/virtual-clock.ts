// Time that passes at once when nothing is left to do, and stands still while real work (a model, a recogniser) is under way.
// What real work took is charged: its outcome arrives as much later as it took, or as it is said to take.
import { monotonicMs } from '../base/clock.ts'
import type { Clock } from '../voice/ports.ts'

type Sleeper = { at: number; order: number; wake: () => void }
type Work = { fromMs: number; beganMs: number; fixedMs: number | undefined }

export class VirtualClock implements Clock {
  readonly #realMs: () => number
  #now = 0
  #order = 0
  #sleepers: Sleeper[] = []
  readonly #works = new Set<Work>()
  #workEnded = () => {}

  constructor(realMs = monotonicMs) {
    this.#realMs = realMs
  }

  now(): number {
    return this.#now
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve()
      const stop = () => {
        this.#sleepers = this.#sleepers.filter((each) => each !== sleeper)
        resolve()
      }
      const wake = () => {
        signal.removeEventListener('abort', stop)
        stop()
      }
      const sleeper = { at: this.#now + ms, order: this.#order++, wake }
      this.#sleepers.push(sleeper)
      signal.addEventListener('abort', stop, { once: true })
    })
  }

  /** Time does not run ahead of the work. Its outcome comes after what it took, or after `fixedMs`; at once when the signal fires. */
  async hold<T>(begin: () => PromiseLike<T>, signal: AbortSignal, fixedMs?: number): Promise<T> {
    const work: Work = { fromMs: this.#now, beganMs: this.#realMs(), fixedMs }
    this.#works.add(work)
    const forget = () => {
      if (this.#works.delete(work)) this.#workEnded()
    }
    signal.addEventListener('abort', forget, { once: true })
    if (signal.aborted) forget()
    let charge: Promise<void> | undefined
    try {
      return await begin()
    } finally {
      const dueMs = this.#limitOf(work) - this.#now
      // The sleep begins before the work is forgotten: between the two, time could pass.
      if (this.#works.has(work) && dueMs > 0) charge = this.sleep(dueMs, signal)
      forget()
      signal.removeEventListener('abort', forget)
      await charge
    }
  }

  /** So much time passes. Everything that was waiting for a moment runs before time goes on. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms
    while (await this.#advance(end));
    this.#now = end
    await settled()
  }

  /** Time passes until this is so, or until then; tells whether it became so. */
  async passUntil(isSo: () => boolean, end: number): Promise<boolean> {
    do {
      await settled()
      if (isSo()) return true
    } while (await this.#advance(end))
    return isSo()
  }

  /** To the next moment that somebody waits for; false when there is none until then. */
  async #advance(end: number): Promise<boolean> {
    for (;;) {
      await settled()
      const next = this.#next()
      const targetMs = Math.min(next?.at ?? end, end)
      const inTheWay = [...this.#works].filter((work) => this.#isInTheWay(work, targetMs))
      if (inTheWay.length > 0) {
        // Of work that takes as long as it takes, the time until it is known not to be done before then.
        const isFixed = inTheWay.some(({ fixedMs }) => fixedMs !== undefined)
        const lacksMs = Math.max(...inTheWay.map((work) => targetMs - this.#limitOf(work)))
        await this.#worked(isFixed ? undefined : lacksMs)
        continue
      }
      if (!next || next.at > end) return false
      this.#now = next.at
      next.wake()
      return true
    }
  }

  #next(): Sleeper | undefined {
    let first: Sleeper | undefined
    for (const each of this.#sleepers)
      if (!first || each.at < first.at || (each.at === first.at && each.order < first.order)) first = each
    return first
  }

  /** How far time may go on account of this work. */
  #limitOf({ fromMs, beganMs, fixedMs }: Work): number {
    return fromMs + (fixedMs ?? Math.floor(this.#realMs() - beganMs))
  }

  /** At the very moment at which its outcome is due, that comes first. */
  #isInTheWay(work: Work, targetMs: number): boolean {
    const limitMs = this.#limitOf(work)
    return work.fixedMs === undefined ? limitMs < targetMs : limitMs <= targetMs
  }

  /** Resolves when some work has ended, or after so much real time. */
  #worked(ms: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, Math.max(1, ms))
      this.#workEnded = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

/** Every promise that can be resolved without time passing is. */
async function settled(): Promise<void> {
  for (let i = 0; i < 2; i++) await new Promise((resolve) => setImmediate(resolve))
}
