// Named timers on any clock; arming one again replaces it.
import { CANCELLED } from '../base/concurrency/abort.ts'
import type { Clock } from './ports.ts'

export function namedTimers<Name extends string>(clock: Clock, onFired: (name: Name) => void) {
  const armed = new Map<Name, AbortController>()

  function disarm(name: Name): void {
    armed.get(name)?.abort(CANCELLED)
    armed.delete(name)
  }

  return {
    arm(name: Name, ms: number): void {
      disarm(name)
      const stopped = new AbortController()
      armed.set(name, stopped)
      void clock.sleep(ms, stopped.signal).then(() => {
        if (stopped.signal.aborted) return
        armed.delete(name)
        onFired(name)
      })
    },
    disarm,
    disarmAll: () => [...armed.keys()].forEach(disarm),
  }
}
