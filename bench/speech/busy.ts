// Load on all cores: one process for each, busy for a share of every 50 ms. Run by itself it is that process.
import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { monotonicMs } from '../../src/base/clock.ts'

const PERIOD_MS = 50

/** `share` of 0 to 1; returns the function that ends it. */
export function keepBusy(share: number, processes = availableParallelism()): () => void {
  if (share === 0) return () => {}
  const all = Array.from({ length: processes }, () => fork(fileURLToPath(import.meta.url), [String(share)]))
  return () => {
    for (const one of all) one.kill()
  }
}

if (import.meta.main) {
  const share = Number(process.argv[2])
  if (!(share > 0 && share < 1)) throw new Error('share of the time, above 0 and below 1')
  const work = () => {
    const until = monotonicMs() + PERIOD_MS * share
    while (monotonicMs() < until);
    setTimeout(work, PERIOD_MS * (1 - share))
  }
  work()
  process.once('disconnect', () => process.exit())
}
