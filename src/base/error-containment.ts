// Contains faults: what a call, a request, a job or a socket throws in its timers, promises and callbacks ends that owner alone. A fault
// without an owner ends the process.
import { AsyncLocalStorage } from 'node:async_hooks'
import { countContained, type OwnerKind } from './faults.ts'
import type { Log } from './log.ts'

export type Owner = {
  kind: OwnerKind
  /** For the log. */
  id: string
  log: Log
  /** Ends the owner. Called once, with the first fault. */
  end(error: unknown): void
}

export type OnFault = (error: unknown) => void

const owners = new AsyncLocalStorage<OnFault | undefined>()

/** Errors of everything `run` starts, however much later, go to `onFault`. */
export const runContained = <T>(onFault: OnFault, run: () => T): T => owners.run(onFault, run)

/** Everything that `run` starts belongs to this owner: its first fault is counted and logged, and ends it. */
export function runOwned<T>({ kind, id, log, end }: Owner, run: () => T): T {
  let isFaulty = false
  return runContained((error) => {
    if (isFaulty) return
    isFaulty = true
    countContained(kind)
    log.error({ err: error, owner: kind, id }, 'fault contained')
    end(error)
  }, run)
}

/** For what many owners share, whoever starts it: its faults end the process. */
export const runUnowned = <T>(run: () => T): T => owners.run(undefined, run)

/** The present owner; undefined: there is none. */
export const currentOwner = (): OnFault | undefined => owners.getStore()

/** A listener that others call, in the context of the owner that is present now. What it throws goes to that owner. */
export function ownedListener<Args extends unknown[]>(listener: (...args: Args) => void): (...args: Args) => void {
  const onFault = owners.getStore()
  return onFault ? (...args) => owners.run(onFault, callGuarded, onFault, listener, args) : listener
}

function callGuarded<Args extends unknown[]>(onFault: OnFault, listener: (...args: Args) => void, args: Args): void {
  try {
    listener(...args)
  } catch (error) {
    reportTo(onFault, error)
  }
}

/** For errors that were caught: reports it to the present owner; false when there is none. */
export function reportToOwner(error: unknown): boolean {
  const onFault = owners.getStore()
  if (onFault) reportTo(onFault, error)
  return onFault !== undefined
}

/** Ending an owner is not part of it: what fails there has no owner. */
export function reportTo(onFault: OnFault, error: unknown): void {
  runUnowned(() => onFault(error))
}

/** Sends uncaught errors and unhandled rejections of this thread to their owners, and those without one to `endThread`. */
export function containFaults(endThread: OnFault): void {
  process.on('uncaughtException', (error) => {
    const isOwned = reportToOwner(error)
    // After an error in a tick Node.js 24 keeps the context: sockets accepted next would belong to this owner.
    owners.enterWith(undefined)
    if (!isOwned) endThread(error)
  })
}
