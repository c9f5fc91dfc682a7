// Shared slots for expensive work, one per user at a time. Waiting users are served round-robin, so that one user's
// many jobs do not hold up another's single one.

export type TurnLimits = {
  /** In total. */
  atOnce: number
  /** Limits on waiting jobs: in total, per user, and how long. Jobs beyond these are rejected. */
  waiting: number
  waitingEach: number
  waitMs: number
}

type Waiter = { start(): void }

export function userTurns({ atOnce, waiting: most, waitingEach, waitMs }: TurnLimits, busy: () => Error) {
  const atWork = new Set<string>()
  /** Keyed by user; the next user to be served comes first. */
  const waiting = new Map<string, Waiter[]>()
  const count = () => [...waiting.values()].reduce((sum, own) => sum + own.length, 0)

  function remove(userId: string, waiter: Waiter): void {
    const left = (waiting.get(userId) ?? []).filter((each) => each !== waiter)
    waiting.delete(userId)
    if (left.length > 0) waiting.set(userId, left)
  }

  function wait(userId: string): Promise<void> {
    const own = waiting.get(userId) ?? []
    if (own.length >= waitingEach || count() >= most) throw busy()
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        start() {
          clearTimeout(late)
          resolve()
        },
      }
      const late = setTimeout(() => {
        remove(userId, waiter)
        reject(busy())
      }, waitMs)
      waiting.set(userId, [...own, waiter])
    })
  }

  function serve(): void {
    for (const [userId, [next]] of waiting) {
      if (atWork.size >= atOnce) return
      if (!next || atWork.has(userId)) continue
      atWork.add(userId)
      remove(userId, next) // the user's other jobs go behind everyone else's
      next.start()
    }
  }

  return async <T>(userId: string, work: () => Promise<T>): Promise<T> => {
    if (atWork.size < atOnce && !atWork.has(userId)) atWork.add(userId)
    else await wait(userId)
    try {
      return await work()
    } finally {
      atWork.delete(userId)
      serve()
    }
  }
}
