// The time of a chain: the real clock, which tests replace, an alarm that can be moved without a timer for each move, and the wait for it.
import { sleep } from '../base/concurrency/abort.ts'
import { monotonicMs } from '../base/time/clock.ts'
import type { Clock } from '../voice/ports.ts'

/** An abort without a reason creates an exception with its stack each time, which costs more than the rest of a turn. */
export const NOT_NEEDED = new DOMException('Not needed any more', 'AbortError')

/** Does not keep the process alive. */
export const chainClock: Clock = {
  now: monotonicMs,
  sleep: (ms, signal) => sleep(ms, signal, false),
}

export type Alarm = {
  /** Wakes at this time instead of the one set before. Infinity: not at all. */
  set(atMs: number): void
  close(): void
}

/** A timer that would ring too early is left running and is set again when it rings. */
export function alarm(clock: Clock, wake: () => void): Alarm {
  let dueAt = Number.POSITIVE_INFINITY
  let timer: { at: number; stop: AbortController } | null = null

  function start(at: number): void {
    timer?.stop.abort(NOT_NEEDED)
    const own = { at, stop: new AbortController() }
    timer = own
    void clock.sleep(Math.max(0, at - clock.now()), own.stop.signal).then(() => {
      if (own.stop.signal.aborted) return
      timer = null
      if (clock.now() >= dueAt) wake()
      else if (dueAt < Number.POSITIVE_INFINITY) start(dueAt)
    })
  }

  return {
    set(atMs) {
      dueAt = atMs
      if (atMs < (timer?.at ?? Number.POSITIVE_INFINITY)) start(atMs)
    },
    close() {
      timer?.stop.abort(NOT_NEEDED)
      timer = null
    },
  }
}

export type Waiter = {
  /** Something has changed. */
  wake(): void
  /** Resolves at this time, on the signal, or when something has changed since the last wait. */
  until(atMs: number): Promise<void>
  close(): void
}

export function waiter(clock: Clock, signal: AbortSignal): Waiter {
  let changed = Promise.withResolvers<void>()
  const wake = () => changed.resolve()
  const timer = alarm(clock, wake)
  signal.addEventListener('abort', wake, { once: true })
  return {
    wake,
    async until(atMs) {
      timer.set(atMs)
      await changed.promise
      changed = Promise.withResolvers()
    },
    close() {
      signal.removeEventListener('abort', wake)
      timer.close()
    },
  }
}
