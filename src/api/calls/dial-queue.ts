// Outbound calls wait their turn: at most so many a second for each user, and only so many may wait.
import { monotonicMs } from '../../base/clock.ts'
import { AppError } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import type { CallRow } from '../../db/tables.ts'

/** Places a call and sees to it that its row reaches an end. The phone's; until there is one, a dialler that says so. */
export type Dial = (call: CallRow) => Promise<void>

type Line = { waiting: CallRow[]; nextAt: number; timer: NodeJS.Timeout | undefined }

/** What a request hears that asks for a new call while the service drains. */
export const shuttingDown = () =>
  new AppError('unavailable', 'The service is shutting down', { headers: { 'retry-after': '10' } })

export type DialQueue = ReturnType<typeof dialQueue>

export function dialQueue(dial: Dial, limits: { perSecond: number; maxWaiting: number }, log: Log) {
  const lines = new Map<string, Line>()
  const coming = new Map<string, number>() // calls that have their place and are being stored
  const gapMs = 1000 / limits.perSecond
  let isDraining = false

  function next(userId: string, line: Line): void {
    line.timer = undefined
    const call = line.waiting.shift()
    if (!call) return void lines.delete(userId)
    line.nextAt = Math.max(line.nextAt, monotonicMs()) + gapMs
    dial(call).catch((err) => log.error({ err, callId: call.id }, 'dialling failed'))
    wait(userId, line)
  }

  function wait(userId: string, line: Line): void {
    line.timer ??= setTimeout(() => next(userId, line), Math.max(0, line.nextAt - monotonicMs()))
  }

  function push(call: CallRow): void {
    let line = lines.get(call.userId)
    if (!line) {
      line = { waiting: [], nextAt: monotonicMs(), timer: undefined }
      lines.set(call.userId, line)
    }
    line.waiting.push(call)
    wait(call.userId, line)
  }

  function admit(userId: string): void {
    if (isDraining) throw shuttingDown()
    const line = lines.get(userId)
    if ((line?.waiting.length ?? 0) + (coming.get(userId) ?? 0) < limits.maxWaiting) return
    const turnMs = line ? line.nextAt - monotonicMs() : gapMs
    const headers = { 'retry-after': String(Math.max(1, Math.ceil(turnMs / 1000))) }
    throw new AppError('too_many_requests', 'Too many calls are waiting to be placed', { headers })
  }

  return {
    /** Queues the call that `store` returns. Refuses before anything is stored when it could not be taken. */
    async add(userId: string, store: () => Promise<CallRow>): Promise<CallRow> {
      admit(userId)
      coming.set(userId, (coming.get(userId) ?? 0) + 1)
      try {
        const call = await store()
        push(call)
        return call
      } finally {
        const left = (coming.get(userId) ?? 1) - 1
        if (left > 0) coming.set(userId, left)
        else coming.delete(userId)
      }
    },
    /** Calls that were taken over from a dead process wait here as those that were ordered here; none while draining. */
    get isOpen(): boolean {
      return !isDraining
    },
    takeOver: (calls: readonly CallRow[]): void => calls.forEach(push),
    /** Gives up the place of a call that was hung up before its turn. */
    forget(callId: string): void {
      for (const line of lines.values()) {
        const at = line.waiting.findIndex((call) => call.id === callId)
        if (at !== -1) line.waiting.splice(at, 1)
      }
    },
    /** The calls that wait here: their leases need renewing. */
    waiting: (): string[] => [...lines.values()].flatMap((line) => line.waiting.map((call) => call.id)),
    drain(): void {
      isDraining = true
    },
    /** Forgets who waits and returns them. */
    close(): CallRow[] {
      isDraining = true
      const left = [...lines.values()].flatMap((line) => {
        clearTimeout(line.timer)
        return line.waiting
      })
      lines.clear()
      return left
    },
  }
}
