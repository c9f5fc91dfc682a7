// Timers with names: one of each at most, armed anew or disarmed, on whatever clock there is.
import type { Clock } from './ports.ts'

/** Said once: an abort without a reason makes an exception each time. */
const DISARMED = 'disarmed'

export function namedTimers<Name extends string>(clock: Clock, onTime: (name: Name) => void) {
  const armed = new Map<Name, AbortController>()

  function disarm(name: Name): void {
    armed.get(name)?.abort(DISARMED)
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
        onTime(name)
      })
    },
    disarm,
    disarmAll: () => [...armed.keys()].forEach(disarm),
  }
}
