// Call writes that survive a database outage: one ordered queue per call, each write retried until it is stored. The
// queues are in memory, so a killed process loses them.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../process/log.ts'
import { monotonicMs } from '../time/clock.ts'
import { backoffMs } from './backoff.ts'

const pauses = { firstMs: 250, maxMs: 5000 }
/** Per write, counted from when it was requested. */
const PATIENCE_MS = 30 * 60_000
/** Per call: enough for some hours of conversation. Further writes are dropped, except the call's end. */
const MAX_WAITING = 1000
/** For a write that fails although the database is available. */
const MAX_TRIES = 5

/** Whether a failed write may succeed later, never will, or is unclear. */
export type RetryAdvice = 'later' | 'never' | 'unknown'

export type RetryingWrites = ReturnType<typeof retryingWrites>
export type RetryingWrite = RetryingWrites['write']

type Queue = { last: Promise<unknown>; waiting: number; failures: number }

export function retryingWrites({ log, prospectOf }: { log: Log; prospectOf: (error: unknown) => RetryAdvice }) {
  const queues = new Map<string, Queue>()
  const closing = new AbortController()
  const { signal } = closing

  async function persist<T>(callId: string, queue: Queue, giveUpAt: number, write: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      // On shutdown, a failing queue gives up once instead of separately for each write.
      if (signal.aborted && queue.failures > 0) throw new Error('The process stopped before the database was available')
      try {
        const written = await write()
        if (queue.failures > 0) log.info({ callId, failures: queue.failures }, 'queued call writes stored')
        queue.failures = 0
        return written
      } catch (err) {
        const prospect = prospectOf(err)
        if (prospect === 'never' || (prospect === 'unknown' && tries >= MAX_TRIES)) throw err
        if (queue.failures++ === 0) log.warn({ err, callId }, 'call write failed; queued for retry')
        if (signal.aborted || monotonicMs() > giveUpAt) throw err
        await sleep(backoffMs(tries, pauses), undefined, { signal, ref: false }).catch(() => {})
      }
    }
  }

  return {
    /** Runs after all earlier writes of the same call. `isLast`: accepted even when the queue is full. */
    write<T>(callId: string, write: () => Promise<T>, { isLast = false } = {}): Promise<T> {
      const queue = queues.get(callId) ?? { last: Promise.resolve(), waiting: 0, failures: 0 }
      if (queue.waiting >= MAX_WAITING && !isLast)
        return Promise.reject(new Error('Too many queued writes for this call'))
      queues.set(callId, queue)
      queue.waiting++
      const giveUpAt = monotonicMs() + PATIENCE_MS
      const written = queue.last.then(() => persist(callId, queue, giveUpAt, write))
      queue.last = written
        .catch(() => {})
        .then(() => {
          if (--queue.waiting === 0) queues.delete(callId)
        })
      return written
    },
    /** Resolves when the call's queue is empty. */
    settled: async (callId: string): Promise<void> => void (await queues.get(callId)?.last),
    /** From now on, each queued write is tried at most once more. */
    stop: (): void => closing.abort(),
  }
}
