// Contains errors that a library throws in its own sockets, timers and promises while it reads untrusted input: they are reported to the
// owner of the work instead of ending the process.
import { AsyncLocalStorage } from 'node:async_hooks'

const owners = new AsyncLocalStorage<(error: unknown) => void>()

/** Errors of everything `run` starts, however much later, go to `onFault`. */
export const runContained = <T>(onFault: (error: unknown) => void, run: () => T): T => owners.run(onFault, run)

/** For an uncaught error: reports it to its owner; false when it has none. */
export function reportToOwner(error: unknown): boolean {
  const onFault = owners.getStore()
  if (!onFault) return false
  owners.exit(() => onFault(error))
  return true
}
