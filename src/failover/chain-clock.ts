// The time of a chain: a clock that tests replace, and an alarm that can be moved without a timer for each move.
import { monotonicMs } from '../base/time/clock.ts'

export type ChainClock = {
  /** Monotonic. */
  now(): number
  sleep(ms: number, signal: AbortSignal): Promise<unknown>
}

/** The reason of what is stopped because it is not needed any more: a new one each time costs more than the rest of a turn. */
export const NOT_NEEDED = new DOMException('Not needed any more', 'AbortError')

/** Does not keep the process alive. Resolves when it is stopped: a rejection would cost as much. */
export const chainClock: ChainClock = {
  now: monotonicMs,
  sleep: (ms, signal) =>
    new Promise<void>((resolve) => {
      if (signal.aborted) return resolve()
      const end = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, ms)
      timer.unref()
      signal.addEventListener('abort', end)
    }),
}

export type Alarm = {
  /** Wakes at this time; replaces the time before. Infinity: not at all. */
  set(atMs: number): void
  close(): void
}

/** A timer that would ring too early is left: it is set anew when it rings. */
export function alarm(clock: ChainClock, wake: () => void): Alarm {
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
