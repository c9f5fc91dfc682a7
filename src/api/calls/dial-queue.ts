// The dial queue: paces outbound calls per user and bounds how many may wait.
import { monotonicMs } from '../../base/clock.ts'
import { appError } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import type { CallRow } from '../../db/tables.ts'

/** Gives stored calls to other nodes. */
export type Placement = {
  /** Another node has room. */
  hasRoom(): boolean
  /** Gives the call to the node that should dial it; false: this one should. `isLeaving`: this one cannot. */
  place(call: CallRow, isLeaving: boolean): Promise<boolean>
}

/** Dials a call and ends its row. */
export type Dial = (call: CallRow) => Promise<void>

type Line = { waiting: CallRow[]; nextAt: number; timer: NodeJS.Timeout | undefined }

export const shuttingDown = () => appError('service_stopping', {}, { headers: { 'retry-after': '10' } })

function remove({ waiting }: Line, callId: string): void {
  const at = waiting.findIndex((call) => call.id === callId)
  if (at !== -1) waiting.splice(at, 1)
}

export type DialQueue = ReturnType<typeof dialQueue>

export function dialQueue(
  dial: Dial,
  limits: { perSecond: number; maxWaiting: number; placement?: Placement },
  log: Log,
) {
  const { placement } = limits
  const lines = new Map<string, Line>()
  const reserved = new Map<string, number>() // slots of calls that are being stored
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
    if (isDraining && !placement?.hasRoom()) throw shuttingDown()
    const line = lines.get(userId)
    if ((line?.waiting.length ?? 0) + (reserved.get(userId) ?? 0) < limits.maxWaiting) return
    const turnMs = line ? line.nextAt - monotonicMs() : gapMs
    const headers = { 'retry-after': String(Math.max(1, Math.ceil(turnMs / 1000))) }
    throw appError('call_queue_full', {}, { headers })
  }

  return {
    /** Queues the call that `store` returns. Throws before anything is stored when the queue is full or draining. */
    async add(userId: string, store: () => Promise<CallRow>): Promise<CallRow> {
      admit(userId)
      reserved.set(userId, (reserved.get(userId) ?? 0) + 1)
      try {
        const call = await store()
        if (await placement?.place(call, isDraining)) return call
        push(call)
        return call
      } finally {
        const left = (reserved.get(userId) ?? 1) - 1
        if (left > 0) reserved.set(userId, left)
        else reserved.delete(userId)
      }
    },
    get isOpen(): boolean {
      return !isDraining
    },
    /** Queues calls adopted from a crashed process. */
    takeOver: (calls: readonly CallRow[]): void => calls.forEach(push),
    /** Removes a call that was hung up while queued. */
    forget(callId: string): void {
      for (const line of lines.values()) remove(line, callId)
    },
    /** The queued calls, whose leases need renewing. */
    waiting: (): string[] => [...lines.values()].flatMap((line) => line.waiting.map((call) => call.id)),
    /** Accepts only calls that another node dials, and gives the queued ones to other nodes. */
    async drain(): Promise<void> {
      isDraining = true
      if (!placement?.hasRoom()) return
      const waiting = [...lines.values()].flatMap((line) => line.waiting.splice(0))
      for (const call of waiting) if (!(await placement.place(call, true))) push(call)
    },
    /** Empties the queue and returns what was in it. */
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
