// Fault containment: an error thrown in the timers, promises or callbacks of a call, request, job or socket ends only
// that owner. A fault without an owner ends the process.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Log } from '../process/log.ts'
import { countContained, type OwnerKind } from './faults.ts'

export type Owner = {
  kind: OwnerKind
  /** Used in log messages. */
  id: string
  log: Log
  /** Ends the owner. Called once, with the first fault. */
  end(error: unknown): void
}

export type OnFault = (error: unknown) => void

const owners = new AsyncLocalStorage<OnFault | undefined>()

/** Errors from anything that `run` starts, however much later, go to `onFault`. */
export const runContained = <T>(onFault: OnFault, run: () => T): T => owners.run(onFault, run)

/** Everything that `run` starts belongs to this owner. The first fault is logged, counted and ends the owner. */
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

/** Runs code without an owner, for shared resources (pools, clocks, links): a fault in it ends the process. */
export const runUnowned = <T>(run: () => T): T => owners.run(undefined, run)

/** The fault handler of the current owner; undefined if there is none. */
export const currentOwner = (): OnFault | undefined => owners.getStore()

/**
 * Binds a listener to the current owner: regardless of who emits the event, an error thrown by the listener goes to
 * that owner.
 */
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

/** Reports a caught error to the current owner; false if there is none. */
export function reportToOwner(error: unknown): boolean {
  const onFault = owners.getStore()
  if (onFault) reportTo(onFault, error)
  return onFault !== undefined
}

/** The handler runs without an owner: a fault while ending an owner ends the process. */
export function reportTo(onFault: OnFault, error: unknown): void {
  runUnowned(() => onFault(error))
}

/**
 * Routes uncaught errors and unhandled rejections of this thread to their owners, or to `endThread` if they have none.
 */
export function containFaults(endThread: OnFault): void {
  process.on('uncaughtException', (error) => {
    const isOwned = reportToOwner(error)
    // After an error in process.nextTick, Node.js 24 keeps the async context: the next accepted sockets would inherit
    // this owner.
    owners.enterWith(undefined)
    if (!isOwned) endThread(error)
  })
}
