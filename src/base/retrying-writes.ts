// Writes of calls that survive an absence of the database: one queue for each call, in order, each tried again until it is stored.
// They wait in memory: a process that is killed meanwhile loses them.
import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicMs } from './clock.ts'
import type { Log } from './log.ts'

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5000
/** Of one write, from when it was asked for. */
const PATIENCE_MS = 30 * 60_000
/** Of one call: some hours of talk. What comes then is dropped, except its end. */
const MAX_WAITING = 1000
/** Of a write that fails although the database is there. */
const MAX_TRIES = 5

/** What a failed write means: it may succeed later, it never will, or nobody knows. */
export type Prospect = 'later' | 'never' | 'unknown'

export type LastingWrites = ReturnType<typeof lastingWrites>
export type LastingWrite = LastingWrites['write']

type Queue = { last: Promise<unknown>; waiting: number; failures: number }

export function lastingWrites({ log, prospectOf }: { log: Log; prospectOf: (error: unknown) => Prospect }) {
  const queues = new Map<string, Queue>()
  const closing = new AbortController()
  const { signal } = closing

  async function persist<T>(callId: string, queue: Queue, giveUpAt: number, write: () => Promise<T>): Promise<T> {
    for (let tries = 1, pauseMs = FIRST_PAUSE_MS; ; tries++, pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      // Who has failed does not fail again for each of many while the process waits to end.
      if (signal.aborted && queue.failures > 0) throw new Error('The process stopped before the database was back')
      try {
        const written = await write()
        if (queue.failures > 0) log.info({ callId, failures: queue.failures }, 'queued writes of a call are stored')
        queue.failures = 0
        return written
      } catch (err) {
        const prospect = prospectOf(err)
        if (prospect === 'never' || (prospect === 'unknown' && tries >= MAX_TRIES)) throw err
        if (queue.failures++ === 0) log.warn({ err, callId }, 'a write of a call failed; it is queued and retried')
        if (signal.aborted || monotonicMs() > giveUpAt) throw err
        await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {})
      }
    }
  }

  return {
    /** Stored after all that was asked for before it for the same call. `isLast`: taken also when too much waits. */
    write<T>(callId: string, write: () => Promise<T>, { isLast = false } = {}): Promise<T> {
      const queue = queues.get(callId) ?? { last: Promise.resolve(), waiting: 0, failures: 0 }
      if (queue.waiting >= MAX_WAITING && !isLast)
        return Promise.reject(new Error('Too many writes of this call wait for the database'))
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
    /** Resolves when nothing of this call waits. */
    settled: async (callId: string): Promise<void> => void (await queues.get(callId)?.last),
    /** What waits is tried once more at most. */
    stop: (): void => closing.abort(),
  }
}
