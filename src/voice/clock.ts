// The real clock of a session; rehearsals and tests use a virtual one.
import { monotonicMs } from '../base/time/clock.ts'
import type { Clock } from './ports.ts'

export const realClock: Clock = {
  now: monotonicMs,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve()
      const stop = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', stop) // a call's signal outlives many sleeps
        resolve()
      }
      const timer = setTimeout(stop, ms)
      signal.addEventListener('abort', stop, { once: true })
    }),
}
