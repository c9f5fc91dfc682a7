// Long deletions in short batches with pauses, so that other writers do not wait.
import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicMs } from '../base/time/clock.ts'

/** SQLite runs in this thread, so a batch should not block it much longer than this. */
const BATCH_MS = 25
/** Smaller batches would not be faster, because each commit waits for the disk. */
const MIN_BATCH = 50
const MAX_BATCH = 500
const MAX_PAUSE_MS = 100

/** `removeSome` removes up to `limit` rows and returns their number; fewer than `limit` means that none are left. */
export async function inBatches(
  removeSome: (limit: number) => Promise<number>,
  signal?: AbortSignal,
): Promise<{ removed: number }> {
  let removed = 0
  for (let limit = MIN_BATCH; ; ) {
    if (signal?.aborted) return { removed }
    const startedMs = monotonicMs()
    const count = await removeSome(limit)
    removed += count
    if (count < limit) return { removed }
    const tookMs = monotonicMs() - startedMs
    limit = Math.round(Math.min(MAX_BATCH, Math.max(MIN_BATCH, limit * Math.min(2, BATCH_MS / Math.max(1, tookMs)))))
    await sleep(Math.min(tookMs, MAX_PAUSE_MS), undefined, { ref: false })
  }
}
