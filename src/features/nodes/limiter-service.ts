// Chooses where requests and attempts are counted: in Redis for all nodes; without Redis in each process, except for
// limits that must hold across all nodes on a shared PostgreSQL.
import type { Log } from '../../base/process/log.ts'
import { every } from '../../base/time/timer.ts'
import type { Config } from '../../config/config.ts'
import type { Database } from '../../db/database.ts'
import { rateWindows } from '../../db/rate-windows.ts'
import { memoryRateLimiter, type RateLimiter } from '../../http/rate-limit.ts'
import { redisRateLimiter } from '../../http/redis-rate-limit.ts'

/** Guessing of passwords, codes and links, and the cost of widget visitors. */
const isShared = (purpose: string) => /^(sign-in .*|provision|widget-(sessions?|messages?))$/.test(purpose)
const SWEEP_MS = 60_000

type LimiterParts = { config: Pick<Config, 'redisUrl'>; database: Database; log: Log }

export async function openLimiter(
  { config, database, log }: LimiterParts,
  stack: AsyncDisposableStack,
): Promise<RateLimiter> {
  const local = database.shared ? withRows(database, log, stack) : memoryRateLimiter()
  const limiter = config.redisUrl ? await redisRateLimiter(config.redisUrl, log, local) : local
  stack.defer(() => limiter.close())
  return limiter
}

function withRows({ db }: Database, log: Log, stack: AsyncDisposableStack): RateLimiter {
  const rows = rateWindows(db)
  const sweeping = every(SWEEP_MS, rows.sweep, (err) =>
    log.warn({ err }, 'failed to delete old rate windows; retrying'),
  )
  stack.defer(() => sweeping.stop())
  const memory = memoryRateLimiter()
  return { ...memory, of: (purpose) => (isShared(purpose) ? rows.of(purpose) : memory.of(purpose)) }
}
