// The dial queue: paces outbound calls per user and limits how many may wait.

import { appError } from '../../base/errors/errors.ts'
import type { Log } from '../../base/process/log.ts'
import { monotonicMs } from '../../base/time/clock.ts'
import type { Permit } from '../../db/pace.ts'
import type { CallRow } from '../../db/tables.ts'

/** Gives stored calls to other nodes. */
export type Placement = {
  /** Whether another node has room. */
  hasRoom(): boolean
  /**
   * Gives the call to the node that should dial it; false if that is this node. `isLeaving`: this node cannot dial it.
   */
  place(call: CallRow, isLeaving: boolean): Promise<boolean>
}

/** Dials a call and ends its row. */
export type Dial = (call: CallRow) => Promise<void>

/** Counters shared by the nodes on one database. */
export type SharedQueue = {
  takePermit(userId: string, gapMs: number): Promise<Permit>
  /** How far ahead permits may be requested. */
  leadMs: number
  /** The user's waiting calls on all nodes. */
  countWaiting(userId: string): Promise<number>
}

export type QueueParts = {
  dial: Dial
  perSecond: number
  maxWaiting: number
  /** Absent if this is the only process. */
  shared?: SharedQueue | undefined
  placement?: Placement | undefined
  log: Log
}

type Line = { waiting: CallRow[]; nextAt: number; timer: NodeJS.Timeout | undefined; isAsking: boolean }

/** Pause while no permits can be taken because the database is down. */
const RETRY_MS = 1000

export const shuttingDown = () => appError('service_stopping', {}, { headers: { 'retry-after': '10' } })

export const queueFull = (waitMs: number) =>
  appError('call_queue_full', {}, { headers: { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))) } })

function remove({ waiting }: Line, callId: string): void {
  const at = waiting.findIndex((call) => call.id === callId)
  if (at !== -1) waiting.splice(at, 1)
}

export type DialQueue = ReturnType<typeof dialQueue>

export function dialQueue({ dial, perSecond, maxWaiting, shared, placement, log }: QueueParts) {
  const lines = new Map<string, Line>()
  const reserved = new Map<string, number>() // places of calls that are being stored
  const gapMs = 1000 / perSecond
  const leadMs = Math.min(gapMs, shared?.leadMs ?? 0)
  let isDraining = false

  function takePermit(userId: string, line: Line): Permit | Promise<Permit> {
    if (shared) return shared.takePermit(userId, gapMs)
    const waitMs = Math.max(0, line.nextAt - monotonicMs())
    return { isTaken: waitMs === 0, waitMs }
  }

  /** Requests a permit for the first waiting call. */
  function next(userId: string, line: Line): void {
    line.timer = undefined
    if (line.waiting.length === 0) return void lines.delete(userId)
    const permit = takePermit(userId, line)
    if (permit instanceof Promise) void settle(permit, userId, line)
    else use(permit, userId, line)
  }

  async function settle(asked: Promise<Permit>, userId: string, line: Line): Promise<void> {
    line.isAsking = true
    const permit = await asked.catch((err) => {
      log.warn({ err, userId }, 'failed to take a permit for a queued call; retrying')
      return { isTaken: false, waitMs: RETRY_MS }
    })
    line.isAsking = false
    if (lines.get(userId) === line) use(permit, userId, line)
  }

  function use({ isTaken, waitMs }: Permit, userId: string, line: Line): void {
    line.nextAt = monotonicMs() + waitMs
    if (!isTaken) wait(userId, line)
    else if (waitMs > 0) line.timer = setTimeout(() => dialNext(userId, line), waitMs)
    else dialNext(userId, line)
  }

  function dialNext(userId: string, line: Line): void {
    line.timer = undefined
    line.nextAt = Math.max(line.nextAt, monotonicMs()) + gapMs
    const call = line.waiting.shift()
    if (call) dial(call).catch((err) => log.error({ err, callId: call.id }, 'dialling failed'))
    wait(userId, line, leadMs)
  }

  function wait(userId: string, line: Line, aheadMs = 0): void {
    if (line.isAsking) return
    line.timer ??= setTimeout(() => next(userId, line), Math.max(0, line.nextAt - aheadMs - monotonicMs()))
  }

  function push(call: CallRow): void {
    let line = lines.get(call.userId)
    if (!line) {
      line = { waiting: [], nextAt: monotonicMs(), timer: undefined, isAsking: false }
      lines.set(call.userId, line)
    }
    line.waiting.push(call)
    wait(call.userId, line)
  }

  function admit(userId: string): void {
    if (isDraining && !placement?.hasRoom()) throw shuttingDown()
    const line = lines.get(userId)
    if ((line?.waiting.length ?? 0) + (reserved.get(userId) ?? 0) < maxWaiting) return
    throw queueFull(line ? line.nextAt - monotonicMs() : gapMs)
  }

  /** Checked before anything is spent on the call; its transaction counts again. */
  async function admitShared(userId: string): Promise<void> {
    if (shared && (await shared.countWaiting(userId)) >= maxWaiting) throw queueFull(gapMs)
  }

  return {
    /** Queues the call that `store` returns. If the queue is full or draining, throws before anything is stored. */
    async add(userId: string, store: () => Promise<CallRow>): Promise<CallRow> {
      admit(userId)
      reserved.set(userId, (reserved.get(userId) ?? 0) + 1)
      try {
        await admitShared(userId)
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
    /** From now on accepts only calls that another node dials, and gives the queued ones to other nodes. */
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
