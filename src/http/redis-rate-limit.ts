// The same sliding window, shared by all processes through Redis: a single script, so that checking and counting are
// atomic.
import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import { withTimeout } from '../base/concurrency/abort.ts'
import type { Log } from '../base/process/log.ts'
import { monotonicMs } from '../base/time/clock.ts'
import { type Admission, memoryRateLimiter, type RateLimiter, WINDOW_MS, type Windows } from './rate-limit.ts'

// KEYS[1]: a sorted set of requests by time in microseconds. ARGV: window (µs), limit, a unique name for this request.
const script = `
local t = redis.call('TIME')
local now = t[1] * 1000000 + t[2]
local window = tonumber(ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
local count = redis.call('ZCARD', KEYS[1])
local admitted = 0
if count < tonumber(ARGV[2]) then
  redis.call('ZADD', KEYS[1], now, ARGV[3])
  redis.call('PEXPIRE', KEYS[1], math.ceil(window / 1000))
  admitted = 1
  count = count + 1
end
local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
return { admitted, count, tonumber(oldest[2] or now) + window - now }
`

type Windowed = Redis & { slidingWindow(key: string, window: number, limit: number, name: string): Promise<number[]> }

/** A command that takes longer has failed. */
const COMMAND_MS = 1500
/** After a failure, Redis is skipped for this long; then one request tries it again. */
const REST_MS = 1000

/** `local` counts while Redis is down: a limit may then be reached once more, per process if `local` is in memory. */
export async function redisRateLimiter(
  url: string,
  log: Log,
  local: RateLimiter = memoryRateLimiter(),
): Promise<RateLimiter> {
  const { Redis } = await import('ioredis')
  const redis = new Redis(url, {
    maxRetriesPerRequest: 0, // requests do not wait for Redis to come back
    enableOfflineQueue: false,
    connectTimeout: 1500,
    retryStrategy: (tries) => Math.min(tries * 100, 2000),
  }) as Windowed
  redis.defineCommand('slidingWindow', { numberOfKeys: 1, lua: script })
  const node = randomUUID()
  let sent = 0
  let isAway = false
  let askAgainAt = 0

  /** Logs once when Redis goes down and once when it is back. */
  function away(err: unknown): void {
    askAgainAt = monotonicMs() + REST_MS
    if (!isAway) log.warn({ err }, 'Redis unavailable; rate limits are per process')
    isAway = true
  }
  function back(): void {
    if (isAway) log.info('Redis available again; rate limits are shared')
    isAway = false
  }
  redis.on('error', away)

  const windows = (prefix: string, fallback: Windows): Windows => ({
    async admit(key, limit, windowMs = WINDOW_MS): Promise<Admission> {
      const now = monotonicMs()
      if (isAway && now < askAgainAt) return fallback.admit(key, limit, windowMs)
      if (isAway) askAgainAt = now + 2 * REST_MS // this request tries Redis; others do not wait for the result
      try {
        const name = `${node}:${++sent}`
        const [admitted, count = 0, resetUs = 0] = await inTime(
          redis.slidingWindow(`${prefix}${key}`, windowMs * 1000, limit, name),
        )
        back()
        return { admitted: admitted === 1, remaining: Math.max(0, limit - count), resetMs: resetUs / 1000 }
      } catch (cause) {
        away(cause)
        return fallback.admit(key, limit, windowMs)
      }
    },
    async takeBack(key): Promise<void> {
      if (isAway) await fallback.takeBack(key)
      else await inTime(redis.zpopmax(`${prefix}${key}`))
    },
  })

  await new Promise<void>((resolve) => {
    redis.once('ready', resolve)
    setTimeout(resolve, 1500).unref() // start even if it is down
  })
  return {
    ...windows('ramal:rate:', local),
    of: (purpose) => windows(`ramal:rate:${purpose}:`, local.of(purpose)),
    trouble: () => (isAway || redis.status !== 'ready' ? 'redis' : null),
    async close() {
      redis.disconnect()
      await local.close()
    },
  }
}

const inTime = <T>(command: Promise<T>): Promise<T> =>
  withTimeout(COMMAND_MS, command, () => new Error('Redis did not answer in time'))
