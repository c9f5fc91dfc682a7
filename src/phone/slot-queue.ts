// Calls that wait for a slot, first come first served on this node.
import { coalesced } from '../base/concurrency/coalesced.ts'

/** One pass over the waiting calls. */
export type Round = {
  /** Limits that were reached in this round: later calls in the queue skip them. */
  full: Set<string>
  /** Set when nothing can be acquired because the database is away. */
  isOver: boolean
}

/** Undefined: no slot now. */
export type Acquire<T> = (round: Round) => T | undefined | Promise<T | undefined>

/** Capacity also returns without a release here: on another node, or when the machine is no longer overloaded. */
const RETRY_MS = 500
/** A waiting call takes a few kilobytes. */
const MAX_WAITING = 10_000

export function slotQueue() {
  /** Each returns true when it has left the queue. */
  const waiting = new Set<(round: Round) => Promise<boolean>>()
  let retryTimer: NodeJS.Timeout | undefined

  async function serveAll(): Promise<void> {
    const round: Round = { full: new Set(), isOver: false }
    for (const tryAcquire of waiting) {
      if (await tryAcquire(round)) waiting.delete(tryAcquire)
      if (round.isOver) return
    }
  }

  const rounds = coalesced(async () => {
    await serveAll()
    if (waiting.size > 0) retryTimer ??= setInterval(serve, RETRY_MS)
    else {
      clearInterval(retryTimer)
      retryTimer = undefined
    }
  })
  const serve = (): void => void rounds.run()

  /** A slot acquired while the signal aborts is still returned: `acquire` has to check the signal. */
  function wait<T>(acquire: Acquire<T>, signal: AbortSignal): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      let isTrying = false
      const leave = () => {
        if (isTrying) return
        waiting.delete(tryAcquire)
        resolve(undefined)
      }
      const tryAcquire = async (round: Round): Promise<boolean> => {
        isTrying = true
        try {
          const acquired = signal.aborted ? undefined : await acquire(round)
          if (acquired === undefined && !signal.aborted) return false
          signal.removeEventListener('abort', leave)
          resolve(acquired)
        } catch (error) {
          signal.removeEventListener('abort', leave)
          reject(error)
        } finally {
          isTrying = false
        }
        return true
      }
      signal.addEventListener('abort', leave, { once: true })
      waiting.add(tryAcquire)
      serve()
    })
  }

  return {
    serve,
    wait,
    get isFull(): boolean {
      return waiting.size >= MAX_WAITING
    },
  }
}
