// Asks a hook within its time limit. A circuit breaker and a limit per user avoid waiting for a dead server; a late
// answer is delivered separately. Never throws.

import type { HookStatus } from '../../base/domain/hook-statuses.ts'
import { monotonicMs } from '../../base/time/clock.ts'
import type { Breakers, FailureReason } from '../../failover/ports.ts'
import type { HookAnswer } from './answer.ts'

/** The hook's reply. `fault` counts against the server; absent if the answer is only wrong for this caller. */
export type HookReply = {
  status: Extract<HookStatus, 'applied' | 'empty' | 'failed' | 'invalid'>
  answer: HookAnswer
  detail: string | null
  statusCode: number | null
  ignored: string[]
  fault?: FailureReason
}

export type Asked = {
  status: HookStatus
  ms: number
  /** Null if no answer came in time, or the hook was not asked. */
  reply: HookReply | null
  detail: string | null
  /** The answer that came late, and its delay; null if none came. Resolves at once if no answer is pending. */
  late: Promise<{ reply: HookReply; ms: number } | null>
}

export type Question = {
  userId: string
  hook: { id: string; updatedAt: string; timeoutMs: number }
  /** Must settle when the signal aborts; must not throw otherwise. */
  send: (signal: AbortSignal) => Promise<HookReply>
  /** Aborts when the answer is no longer needed because the caller has hung up. */
  signal: AbortSignal
  /** Called when the request is sent and the caller starts to wait. */
  onWaiting?: () => void
}

/** Maximum concurrent requests of one user, late ones included. */
const MAX_AT_ONCE = 100
/** Measured from the start of the request. */
export const LATE_MS = 30_000

const KIND = 'answer_hook'
const never = Promise.resolve(null)
const skipped = (detail: string): Asked => ({ status: 'skipped', ms: 0, reply: null, detail, late: never })

export function hookAsker(breakers: Breakers, lateMs = LATE_MS) {
  const underWay = new Map<string, number>()
  const closing = new AbortController()

  function enter(userId: string): boolean {
    const count = underWay.get(userId) ?? 0
    if (count >= MAX_AT_ONCE) return false
    underWay.set(userId, count + 1)
    return true
  }
  function leave(userId: string): void {
    const left = (underWay.get(userId) ?? 1) - 1
    if (left > 0) underWay.set(userId, left)
    else underWay.delete(userId)
  }

  async function ask({ userId, hook, send, signal, onWaiting }: Question): Promise<Asked> {
    const breaker = breakers.of(KIND, { id: hook.id, version: hook.updatedAt })
    // The half-open probe of a failing server is a real caller's request, but that caller does not wait for it.
    const isTrial = breakers.healthOf(KIND, hook.id).state === 'down'
    if (!breaker.admits()) return skipped('It failed for earlier calls and is tried again soon')
    if (!enter(userId)) {
      breaker.abandoned()
      return skipped('Too many requests are waiting for an answer')
    }
    const startedMs = monotonicMs()
    const took = () => Math.round(monotonicMs() - startedMs)
    const limit = new AbortController()
    const lateTimer = setTimeout(() => limit.abort(), lateMs)
    let isReported = false
    /** Reports each request to the breaker once. */
    function report(reply: HookReply | null): void {
      if (isReported) return
      isReported = true
      if (signal.aborted || closing.signal.aborted) breaker.abandoned()
      else if (reply === null || took() > hook.timeoutMs) breaker.failed('timeout')
      else if (reply.fault) breaker.failed(reply.fault)
      else breaker.succeeded(took())
    }
    const replying = send(AbortSignal.any([signal, limit.signal, closing.signal])).finally(() => {
      clearTimeout(lateTimer)
      leave(userId)
    })
    const timed = replying.then((reply) => ({ reply, ms: took() }))
    void timed.then(({ reply }) => isTrial && report(reply))
    if (!isTrial) onWaiting?.()
    const inTime = await withinTime(isTrial ? 0 : hook.timeoutMs, timed, signal)
    if (inTime && !isTrial) {
      report(inTime.reply)
      const { reply, ms } = inTime
      return { status: reply.status, ms, reply, detail: reply.detail, late: never }
    }
    if (!isTrial) report(null)
    if (signal.aborted)
      return { status: 'skipped', ms: took(), reply: null, detail: 'The caller hung up before the answer', late: never }
    const late = timed.then((each) => (signal.aborted || limit.signal.aborted ? null : each))
    const detail = isTrial ? 'It failed for earlier calls; this one was not kept waiting' : null
    return { status: isTrial ? 'skipped' : 'timeout', ms: took(), reply: null, detail, late }
  }

  return { ask, close: () => closing.abort() }
}

/** Undefined if it takes longer, or if the caller has left. */
async function withinTime<T>(ms: number, promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const over = Promise.withResolvers<undefined>()
  const end = () => over.resolve(undefined)
  const timer = setTimeout(end, ms)
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  try {
    return await Promise.race([promise, over.promise])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
}
