// The calls that this process runs now, and how many there may be: in all, for each user, for each trunk and device.
// A place is taken before anything is awaited, so parallel calls cannot pass a limit together.

export type CallSlot = { userId: string; trunkId: string | null; deviceId: string | null }
export type Limits = { maxCalls: number; maxCallsPerUser: number }
export type Caps = { trunk?: number | null; device?: number | null }

/** What a live call lets others do with it. */
export type LiveCall = {
  readonly callId: string
  readonly userId: string
  hangUp(reason: HangUpReason): void
}
export type HangUpReason = 'api' | 'shutdown' | 'max_duration'

export type LimitReached = { limit: 'platform' | 'user' | 'trunk' | 'device'; text: string }

export type CallCapacity = ReturnType<typeof callCapacity>

/** Also without anybody having left there may be room: when the machine is no longer busy. */
const LOOK_AGAIN_MS = 500
/** Of those that wait. Each costs some kilobytes. */
const MAX_WAITING = 10_000

export function callCapacity({ maxCalls, maxCallsPerUser }: Limits) {
  const counts = new Map<string, number>()
  const calls = new Map<string, LiveCall>()
  let total = 0
  let whenEmpty: (() => void)[] = []
  const waiting = new Set<() => boolean>()
  let lookAgain: NodeJS.Timeout | undefined

  /** Who came first is asked first. */
  function letIn(): void {
    for (const isIn of waiting) if (isIn()) waiting.delete(isIn)
    if (waiting.size > 0) lookAgain ??= setInterval(letIn, LOOK_AGAIN_MS)
    else {
      clearInterval(lookAgain)
      lookAgain = undefined
    }
  }

  const keysOf = ({ userId, trunkId, deviceId }: CallSlot) => ({
    user: `user ${userId}`,
    trunk: trunkId === null ? null : `trunk ${userId} ${trunkId}`,
    device: deviceId === null ? null : `device ${deviceId}`,
  })
  const countOf = (key: string) => counts.get(key) ?? 0
  function add(key: string, by: 1 | -1): void {
    const count = countOf(key) + by
    if (count > 0) counts.set(key, count)
    else counts.delete(key)
  }

  function refusal(place: CallSlot, caps: Caps): LimitReached | undefined {
    const keys = keysOf(place)
    const isFull = (key: string | null, cap: number | null | undefined) =>
      key !== null && cap !== null && cap !== undefined && countOf(key) >= cap
    if (total >= maxCalls) return { limit: 'platform', text: `This server carries ${maxCalls} calls at most` }
    if (isFull(keys.user, maxCallsPerUser))
      return { limit: 'user', text: `This account carries ${maxCallsPerUser} calls at most` }
    if (isFull(keys.trunk, caps.trunk))
      return { limit: 'trunk', text: `This trunk carries ${caps.trunk} calls at most` }
    if (isFull(keys.device, caps.device))
      return { limit: 'device', text: `This device carries ${caps.device} calls at most` }
    return undefined
  }

  return {
    /** Takes a place, or says which limit is reached. `leave` gives it back, once. */
    acquireSlot(place: CallSlot, caps: Caps = {}): { release(): void } | LimitReached {
      const full = refusal(place, caps)
      if (full) return full
      const keys = Object.values(keysOf(place)).filter((key) => key !== null)
      for (const key of keys) add(key, 1)
      total++
      let isIn = true
      return {
        release() {
          if (!isIn) return
          isIn = false
          total--
          for (const key of keys) add(key, -1)
          letIn()
          if (total > 0) return
          for (const told of whenEmpty) told()
          whenEmpty = []
        },
      }
    },

    get isQueueFull(): boolean {
      return waiting.size >= MAX_WAITING
    },
    /** Asks in turn, whenever there may be room, until `enter` gives something; undefined when the signal comes first. */
    waitForSlot<T>(enter: () => T | undefined, signal: AbortSignal): Promise<T | undefined> {
      return new Promise((resolve, reject) => {
        const isIn = (): boolean => {
          if (signal.aborted) {
            resolve(undefined)
            return true
          }
          try {
            const entered = enter()
            if (entered === undefined) return false
            signal.removeEventListener('abort', letIn)
            resolve(entered)
          } catch (error) {
            reject(error)
          }
          return true
        }
        signal.addEventListener('abort', letIn, { once: true })
        waiting.add(isIn)
        letIn()
      })
    },

    add: (call: LiveCall): void => void calls.set(call.callId, call),
    remove: (callId: string): void => void calls.delete(callId),
    get: (callId: string): LiveCall | undefined => calls.get(callId),
    ids: (): string[] => [...calls.keys()],
    all: (): LiveCall[] => [...calls.values()],
    get total(): number {
      return total
    },
    /** Resolves when no call is left. */
    empty: (): Promise<void> => (total === 0 ? Promise.resolve() : new Promise((told) => whenEmpty.push(told))),
  }
}
