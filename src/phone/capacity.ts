// The live calls of this process and their concurrency limits: in total, per user, per trunk and per device.
// A slot is acquired synchronously, so parallel calls cannot exceed a limit together.

import { errorText } from '../base/error-codes.ts'
import type { HangUpReason } from './ports.ts'

export type CallSlot = { userId: string; trunkId: string | null; deviceId: string | null }
export type Limits = { maxCalls: number; maxCallsPerUser: number }
export type Caps = {
  trunk?: number | null
  device?: number | null
  /** The part of every limit up to which this call may fill it, 0 to 1. Campaign calls leave the rest free for others. */
  share?: number | undefined
}

/** What other parts of the process may do with a live call. */
export type LiveCall = {
  readonly callId: string
  readonly userId: string
  hangUp(reason: HangUpReason): void
}

/** An acquired slot. Releasing it twice has no effect. */
export type Slot = { release(): void }
export type LimitReached = { limit: 'platform' | 'user' | 'trunk' | 'device'; max: number; text: string }

export type CallCapacity = ReturnType<typeof callCapacity>

/** Capacity also returns without a release: when the machine is no longer overloaded. */
const RETRY_MS = 500
/** Each waiting call costs a few kilobytes. */
const MAX_WAITING = 10_000

const keysOf = ({ userId, trunkId, deviceId }: CallSlot) => ({
  user: `user ${userId}`,
  trunk: trunkId === null ? null : `trunk ${userId} ${trunkId}`,
  device: deviceId === null ? null : `device ${deviceId}`,
})

const codeOf = { platform: 'server_full', user: 'account_full', trunk: 'trunk_full', device: 'device_full' } as const

const reached = (limit: LimitReached['limit'], max: number): LimitReached => ({
  limit,
  max,
  text: errorText(codeOf[limit], { limit: max }),
})

export function callCapacity({ maxCalls, maxCallsPerUser }: Limits) {
  const counts = slotCounts()
  const calls = new Map<string, LiveCall>()
  const queue = slotQueue()
  let onEmpty: (() => void)[] = []

  function limitReached(slot: CallSlot, caps: Caps): LimitReached | undefined {
    const keys = keysOf(slot)
    const most = (cap: number) => (caps.share === undefined ? cap : Math.max(1, Math.floor(cap * caps.share)))
    const isFull = (key: string | null, cap: number | null | undefined) =>
      key !== null && cap !== null && cap !== undefined && counts.of(key) >= most(cap)
    if (counts.total >= most(maxCalls)) return reached('platform', most(maxCalls))
    if (isFull(keys.user, maxCallsPerUser)) return reached('user', most(maxCallsPerUser))
    if (isFull(keys.trunk, caps.trunk)) return reached('trunk', most(caps.trunk ?? 0))
    if (isFull(keys.device, caps.device)) return reached('device', most(caps.device ?? 0))
    return undefined
  }

  return {
    /** The limit that keeps this call from a slot now. */
    limitReached,

    /** Acquires a slot, or says which limit is reached. */
    acquireSlot(slot: CallSlot, caps: Caps = {}): Slot | LimitReached {
      const limit = limitReached(slot, caps)
      if (limit) return limit
      const keys = Object.values(keysOf(slot)).filter((key) => key !== null)
      counts.add(keys)
      let isHeld = true
      return {
        release() {
          if (!isHeld) return
          isHeld = false
          counts.subtract(keys)
          queue.serve()
          if (counts.total > 0) return
          for (const resolve of onEmpty) resolve()
          onEmpty = []
        },
      }
    },

    get isQueueFull(): boolean {
      return queue.isFull
    },
    /** Calls `acquire` in order of arrival until it returns something; undefined when the signal aborts first. */
    waitForSlot: queue.wait,

    add: (call: LiveCall): void => void calls.set(call.callId, call),
    remove: (callId: string): void => void calls.delete(callId),
    get: (callId: string): LiveCall | undefined => calls.get(callId),
    ids: (): string[] => [...calls.keys()],
    all: (): LiveCall[] => [...calls.values()],
    maxCalls,
    get total(): number {
      return counts.total
    },
    /** Resolves when no call is left. */
    empty: (): Promise<void> =>
      counts.total === 0 ? Promise.resolve() : new Promise((resolve) => onEmpty.push(resolve)),
  }
}

function slotCounts() {
  const counts = new Map<string, number>()
  let total = 0
  const of = (key: string) => counts.get(key) ?? 0
  function change(keys: readonly string[], by: 1 | -1): void {
    total += by
    for (const key of keys) {
      const count = of(key) + by
      if (count > 0) counts.set(key, count)
      else counts.delete(key)
    }
  }
  return {
    of,
    add: (keys: readonly string[]) => change(keys, 1),
    subtract: (keys: readonly string[]) => change(keys, -1),
    get total(): number {
      return total
    },
  }
}

/** Calls that wait for a slot, first come first served. */
function slotQueue() {
  /** Each returns true when it has left the queue. */
  const waiting = new Set<() => boolean>()
  let retryTimer: NodeJS.Timeout | undefined

  function serve(): void {
    for (const tryAcquire of waiting) if (tryAcquire()) waiting.delete(tryAcquire)
    if (waiting.size > 0) retryTimer ??= setInterval(serve, RETRY_MS)
    else {
      clearInterval(retryTimer)
      retryTimer = undefined
    }
  }

  function wait<T>(acquire: () => T | undefined, signal: AbortSignal): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      const tryAcquire = (): boolean => {
        if (signal.aborted) {
          resolve(undefined)
          return true
        }
        try {
          const acquired = acquire()
          if (acquired === undefined) return false
          signal.removeEventListener('abort', serve)
          resolve(acquired)
        } catch (error) {
          reject(error)
        }
        return true
      }
      signal.addEventListener('abort', serve, { once: true })
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
