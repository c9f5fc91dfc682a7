// Places for costly work that users share: one for each user at a time. Those who wait are served in turn, user by user, so that one
// user's many jobs do not hold up another's single one.

export type TurnLimits = {
  /** In all. */
  atOnce: number
  /** Jobs that wait: in all, of one user, and for how long. What exceeds this is refused. */
  waiting: number
  waitingEach: number
  waitMs: number
}

type Waiter = { start(): void }

export function userTurns({ atOnce, waiting: most, waitingEach, waitMs }: TurnLimits, busy: () => Error) {
  const atWork = new Set<string>()
  /** By user; the user who comes next is first. */
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
      remove(userId, next) // the user's other jobs come after those of everybody else
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
