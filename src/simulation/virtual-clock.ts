// A virtual clock: time jumps to the next sleeper when nothing is left to do, and stops while real work (LLM, STT) runs.
// Real work is charged: its result arrives after the time it took, or after a fixed time.
import { monotonicMs } from '../base/time/clock.ts'
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

  /** Stops the clock during the work. The result arrives after the time it took, or after `fixedMs`; at once when the signal fires. */
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
      // The sleep starts before the work is removed: time could pass in between.
      if (this.#works.has(work) && dueMs > 0) charge = this.sleep(dueMs, signal)
      forget()
      signal.removeEventListener('abort', forget)
      await charge
    }
  }

  /** Advances by `ms`; everything due at one time runs before time advances. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms
    while (await this.#advance(end));
    this.#now = end
    await settled()
  }

  /** Advances until the condition holds, or until `end`; returns whether it holds. */
  async passUntil(condition: () => boolean, end: number): Promise<boolean> {
    do {
      await settled()
      if (condition()) return true
    } while (await this.#advance(end))
    return condition()
  }

  /** Advances to the next sleeper; false when there is none until `end`. */
  async #advance(end: number): Promise<boolean> {
    for (;;) {
      await settled()
      const next = this.#next()
      const targetMs = Math.min(next?.at ?? end, end)
      const blocking = [...this.#works].filter((work) => this.#blocks(work, targetMs))
      if (blocking.length > 0) {
        // Unfixed work blocks until it has run as long in real time.
        const isFixed = blocking.some(({ fixedMs }) => fixedMs !== undefined)
        const remainingMs = Math.max(...blocking.map((work) => targetMs - this.#limitOf(work)))
        await this.#workOrTimeout(isFixed ? undefined : remainingMs)
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

  /** The time up to which this work lets the clock advance. */
  #limitOf({ fromMs, beganMs, fixedMs }: Work): number {
    return fromMs + (fixedMs ?? Math.floor(this.#realMs() - beganMs))
  }

  /** A result that is due comes before other events of that time. */
  #blocks(work: Work, targetMs: number): boolean {
    const limitMs = this.#limitOf(work)
    return work.fixedMs === undefined ? limitMs < targetMs : limitMs <= targetMs
  }

  /** Resolves when any work ends, or after `ms` of real time. */
  #workOrTimeout(ms: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, Math.max(1, ms))
      this.#workEnded = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

/** Lets all promises settle that do not depend on time. */
async function settled(): Promise<void> {
  for (let i = 0; i < 2; i++) await new Promise((resolve) => setImmediate(resolve))
}
