// The live calls of this process and the limits on concurrent calls. The total is a limit of this machine; slots per user, trunk and
// device are counted in memory, or over all nodes that share a database. Counting and acquiring are one step, so that parallel calls
// cannot exceed a limit together.

import { errorText } from '../base/errors/error-codes.ts'
import type { HangUpReason } from './ports.ts'
import { type Round, slotQueue } from './slot-queue.ts'

export type CallSlot = { userId: string; trunkId: string | null; deviceId: string | null }
export type Limits = {
  maxCalls: number
  maxCallsPerUser: number
  /** Counts the slots per user, trunk and device; in memory if left out. */
  slots?: Slots
}
export type Caps = {
  trunk?: number | null
  device?: number | null
  /** The part of every limit up to which this call may fill it, 0 to 1. Campaign calls leave the rest free for others. */
  share?: number
}

/** What other parts of the process may do with a live call. */
export type LiveCall = {
  readonly callId: string
  readonly userId: string
  hangUp(reason: HangUpReason): void
}

/** An acquired slot. It is free when `release` resolves, which never rejects. Releasing it twice has no effect. */
export type Slot = { release(): void | Promise<void> }
export type SlotLimit = 'user' | 'trunk' | 'device'
/** Null: unlimited. */
export type SlotLimits = Readonly<Record<SlotLimit, number | null>>
type Acquired = Slot | { reached: SlotLimit }

export type Slots = {
  /** Throws while the slots cannot be counted. */
  acquire(slot: CallSlot, max: SlotLimits): Acquired | Promise<Acquired>
  /** The slots of a user. */
  countOf(userId: string): number | Promise<number>
}
export type LimitReached = { limit: 'platform' | 'user' | 'trunk' | 'device'; max: number; text: string }

export type CallCapacity = ReturnType<typeof callCapacity>

const limits = ['user', 'trunk', 'device'] as const satisfies readonly SlotLimit[]
const codeOf = { platform: 'server_full', user: 'account_full', trunk: 'trunk_full', device: 'device_full' } as const

const reached = (limit: LimitReached['limit'], max: number): LimitReached => ({
  limit,
  max,
  text: errorText(codeOf[limit], { limit: max }),
})

const keyOf = ({ userId, trunkId, deviceId }: CallSlot, limit: SlotLimit): string => {
  if (limit === 'user') return `user ${userId}`
  return limit === 'trunk' ? `trunk ${userId} ${trunkId}` : `device ${deviceId}`
}

const shareOf = (cap: number, share: number | undefined) =>
  share === undefined ? cap : Math.max(1, Math.floor(cap * share))

function limitsOf(
  { trunkId, deviceId }: CallSlot,
  { trunk, device, share }: Caps,
  maxCallsPerUser: number,
): SlotLimits {
  const cap = (id: string | null, max: number | null | undefined) =>
    id === null || max === null || max === undefined ? null : shareOf(max, share)
  return { user: shareOf(maxCallsPerUser, share), trunk: cap(trunkId, trunk), device: cap(deviceId, device) }
}

export function callCapacity({ maxCalls, maxCallsPerUser, slots = memorySlots() }: Limits) {
  const calls = new Map<string, LiveCall>()
  const queue = slotQueue()
  let total = 0
  let acquiring = 0
  let onEmpty: (() => void)[] = []

  const isServerFull = ({ share }: Caps) => total + acquiring >= shareOf(maxCalls, share)

  function wakeIfEmpty(): void {
    if (total + acquiring > 0) return
    for (const resolve of onEmpty) resolve()
    onEmpty = []
  }

  function held({ release }: Slot): Slot {
    total++
    let released: void | Promise<void>
    let isHeld = true
    return {
      release() {
        if (!isHeld) return released
        isHeld = false
        total--
        released = release()
        wakeIfEmpty()
        queue.serve()
        return released
      },
    }
  }

  return {
    /** Whether one more call of the user would get a slot now, by whichever route. */
    async hasRoom(userId: string, share?: number): Promise<boolean> {
      return !isServerFull({ share }) && (await slots.countOf(userId)) < shareOf(maxCallsPerUser, share)
    },

    /** Acquires a slot, or returns the limit that is reached. In memory it is acquired before the first await. */
    async acquireSlot(slot: CallSlot, caps: Caps = {}, round?: Round): Promise<Slot | LimitReached> {
      if (isServerFull(caps)) return reached('platform', shareOf(maxCalls, caps.share))
      const max = limitsOf(slot, caps, maxCallsPerUser)
      const roundKey = (limit: SlotLimit) => `${max[limit]} ${keyOf(slot, limit)}`
      const known = round && limits.find((limit) => max[limit] !== null && round.full.has(roundKey(limit)))
      if (known) return reached(known, max[known] ?? 0)
      acquiring++
      try {
        const asked = slots.acquire(slot, max)
        const acquired = asked instanceof Promise ? await asked : asked
        if ('release' in acquired) return held(acquired)
        round?.full.add(roundKey(acquired.reached))
        return reached(acquired.reached, max[acquired.reached] ?? 0)
      } finally {
        acquiring--
        wakeIfEmpty()
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
      return total
    },
    /** Resolves when no call is left. */
    empty: (): Promise<void> =>
      total + acquiring === 0 ? Promise.resolve() : new Promise((resolve) => onEmpty.push(resolve)),
  }
}

/** The slots of one process that has the database to itself. */
function memorySlots(): Slots {
  const counts = new Map<string, number>()
  function change(keys: readonly string[], by: 1 | -1): void {
    for (const key of keys) {
      const count = (counts.get(key) ?? 0) + by
      if (count > 0) counts.set(key, count)
      else counts.delete(key)
    }
  }
  return {
    acquire(slot, max) {
      const isFull = (limit: SlotLimit) =>
        (counts.get(keyOf(slot, limit)) ?? 0) >= (max[limit] ?? Number.POSITIVE_INFINITY)
      const reached = limits.find(isFull)
      if (reached) return { reached }
      const { trunkId, deviceId } = slot
      const isCounted = { user: true, trunk: trunkId !== null, device: deviceId !== null }
      const keys = limits.filter((limit) => isCounted[limit]).map((limit) => keyOf(slot, limit))
      change(keys, 1)
      return { release: () => change(keys, -1) }
    },
    countOf: (userId) => counts.get(`user ${userId}`) ?? 0,
  }
}
