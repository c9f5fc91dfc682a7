// Long deletions in batches: each short enough that nobody waits for it, with a pause after it.
import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicMs } from '../base/clock.ts'

/** SQLite works in our own thread: a batch should not hold it much longer than this. */
const BATCH_MS = 25
/** Less would be slower without being shorter: each commit waits for the disk. */
const LEAST = 50
const MOST = 500
const LONGEST_PAUSE_MS = 100

/** `removeSome` removes up to so many and returns how many it removed; fewer than that means that none are left. */
export async function inBatches(
  removeSome: (limit: number) => Promise<number>,
  signal?: AbortSignal,
): Promise<{ removed: number }> {
  let removed = 0
  for (let limit = LEAST; ; ) {
    if (signal?.aborted) return { removed }
    const startedMs = monotonicMs()
    const count = await removeSome(limit)
    removed += count
    if (count < limit) return { removed }
    const tookMs = monotonicMs() - startedMs
    limit = Math.round(Math.min(MOST, Math.max(LEAST, limit * Math.min(2, BATCH_MS / Math.max(1, tookMs)))))
    await sleep(Math.min(tookMs, LONGEST_PAUSE_MS), undefined, { ref: false })
  }
}
