// The same sliding window, shared by all processes through Redis: one script, so that checking and counting are one step.
import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { AppError } from '../base/errors.ts'
import { type Admission, type RateLimiter, WINDOW_MS } from './rate-limit.ts'

// KEYS[1]: a sorted set of requests by time in microseconds. ARGV: window (µs), limit, a name unique to this request.
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

export async function redisRateLimiter(url: string, onError: (error: Error) => void): Promise<RateLimiter> {
  const redis = new Redis(url, {
    maxRetriesPerRequest: 0, // a request does not wait for Redis to come back: it is told 503
    enableOfflineQueue: false,
    connectTimeout: 1500,
    commandTimeout: 1500,
    retryStrategy: (tries) => Math.min(tries * 100, 2000),
  }) as Windowed
  redis.on('error', onError)
  redis.defineCommand('slidingWindow', { numberOfKeys: 1, lua: script })
  await new Promise<void>((resolve) => {
    redis.once('ready', resolve)
    setTimeout(resolve, 1500).unref() // start anyway; requests are told 503 until Redis answers
  })
  const node = randomUUID()
  let sent = 0
  return {
    async admit(keyId, limit, windowMs = WINDOW_MS): Promise<Admission> {
      try {
        const name = `${node}:${++sent}`
        const [admitted, count = 0, resetUs = 0] = await redis.slidingWindow(
          `ramal:rate:${keyId}`,
          windowMs * 1000,
          limit,
          name,
        )
        return { admitted: admitted === 1, remaining: Math.max(0, limit - count), resetMs: resetUs / 1000 }
      } catch (cause) {
        throw new AppError('unavailable', 'The rate limit cannot be checked: Redis is out of reach', { cause })
      }
    },
    async takeBack(keyId): Promise<void> {
      await redis.zpopmax(`ramal:rate:${keyId}`)
    },
    close: async () => redis.disconnect(),
  }
}
