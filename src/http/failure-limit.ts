// Throttles key guessing: an address with too many recent failures must wait. Good keys from that address still work,
// because many clients may share it. Counted per process, so that a wrong key costs nothing elsewhere.

import { type AppError, appError } from '../base/errors/errors.ts'
import { LruCache } from '../base/lru-cache.ts'
import { monotonicMs } from '../base/time/clock.ts'

const MAX_FAILURES = 1000
const WINDOW_MS = 60_000

export class FailureLimiter {
  readonly #byAddress = new LruCache<string, { since: number; count: number }>(10_000)
  readonly #max: number

  constructor(max = MAX_FAILURES) {
    this.#max = max
  }

  count(address: string): void {
    const entry = this.#current(address)
    if (entry) entry.count++
    else this.#byAddress.set(address, { since: monotonicMs(), count: 1 })
  }

  tooMany(address: string): boolean {
    return (this.#current(address)?.count ?? 0) >= this.#max
  }

  refusal(address: string): AppError {
    const since = this.#current(address)?.since ?? monotonicMs()
    const seconds = Math.max(1, Math.ceil((since + WINDOW_MS - monotonicMs()) / 1000))
    return appError(
      'api_key_tries',
      {},
      {
        headers: { 'retry-after': String(seconds) },
      },
    )
  }

  #current(address: string): { since: number; count: number } | undefined {
    const entry = this.#byAddress.get(address)
    return entry && entry.since > monotonicMs() - WINDOW_MS ? entry : undefined
  }
}
