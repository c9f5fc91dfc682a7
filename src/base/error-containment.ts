// A library that reads what strangers send may throw where nobody waits for it. What it throws in its own sockets, timers and promises is
// told to whom it belongs to, instead of ending the process.
import { AsyncLocalStorage } from 'node:async_hooks'

const owners = new AsyncLocalStorage<(error: unknown) => void>()

/** All that `run` begins, however much later it goes on, belongs to the owner of `onFault`. */
export const contained = <T>(onFault: (error: unknown) => void, run: () => T): T => owners.run(onFault, run)

/** For an error that nobody has caught: true when it has an owner, who is told. */
export function tellOwner(error: unknown): boolean {
  const onFault = owners.getStore()
  if (!onFault) return false
  owners.exit(() => onFault(error))
  return true
}
