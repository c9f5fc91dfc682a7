// Availability of the object store: tested at start and, with back-off, after failures; each outage is logged once.
import { backoffMs } from '../base/concurrency/backoff.ts'
import type { Log } from '../base/process/log.ts'
import { monotonicMs } from '../base/time/clock.ts'
import { type ObjectStore, StoreError, type StoreProblem } from './object-store.ts'

const pauses = { firstMs: 2000, maxMs: 60_000 }

export type StoreHealth = ReturnType<typeof storeHealth>

export function storeHealth(store: Pick<ObjectStore, 'check'>, log: Log) {
  let isTested = false
  let outage: { reason: StoreProblem; sinceMs: number; failures: number; dueMs: number } | null = null

  function down({ reason, detail }: StoreError): void {
    const failures = (outage?.failures ?? 0) + 1
    const dueMs = monotonicMs() + backoffMs(failures, pauses)
    if (!outage)
      log.error({ reason, detail }, 'object storage cannot be used; recordings stay on the disk until it can')
    outage = { reason, sinceMs: outage?.sinceMs ?? monotonicMs(), failures, dueMs }
  }

  function up(): void {
    if (outage) {
      const outageSeconds = Math.round((monotonicMs() - outage.sinceMs) / 1000)
      log.info({ outageSeconds }, 'object storage can be used again')
    } else if (!isTested) log.info('recordings are moved to object storage')
    outage = null
    isTested = true
  }

  async function test(signal: AbortSignal): Promise<void> {
    try {
      await store.check(signal)
      up()
    } catch (error) {
      if (!signal.aborted) down(error as StoreError)
    }
  }

  return {
    problem: (): StoreProblem | null => outage?.reason ?? null,
    /** True after the first test if there is no outage, or one that may be over. */
    async mayWork(signal: AbortSignal): Promise<boolean> {
      if (!isTested && (!outage || monotonicMs() >= outage.dueMs)) await test(signal)
      return isTested && (!outage || monotonicMs() >= outage.dueMs)
    },
    test,
    succeeded(): void {
      if (outage) up()
    },
    /** True if the store failed, not only this file. A full store is not tested: it may still accept the few bytes of a test. */
    async isToBlame(error: unknown, signal: AbortSignal): Promise<boolean> {
      if (!(error instanceof StoreError)) return false
      if (error.reason === 'full') down(error)
      else await test(signal)
      return outage !== null
    },
  }
}
