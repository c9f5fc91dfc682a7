// The sliding window that processes share through a real Redis, and the fallback while Redis is down.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { assertError, atEnd, newPostgresDatabase, startTestApp, type TestApp } from '../../test/app.ts'
import { browserOf } from '../../test/browser-client.ts'
import { freePort, startRedis } from '../../test/servers.ts'

const redisUrl = process.env.TEST_REDIS_URL ?? assert.fail('TEST_REDIS_URL is set by test/run.ts')

/** Two apps on one database and one Redis. */
async function twoApps() {
  const env = { DATABASE_URL: await newPostgresDatabase(), MASTER_KEY: 'm'.repeat(32), REDIS_URL: redisUrl }
  return [await startTestApp(env), await startTestApp(env)] as const
}

async function eventually(what: string, ms: number, isTrue: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + ms
  while (!(await isTrue())) {
    if (performance.now() > end) assert.fail(`${what} did not happen within ${ms} ms`)
    await sleep(20)
  }
}

/** Requests are served from local windows, and the degradation is reported. */
async function assertAway({ ana, anonymous }: TestApp): Promise<void> {
  const answer = await ana.get('/api/agents')
  assert.equal(answer.status, 200, answer.text)
  const ready = await anonymous({ method: 'GET', url: '/readyz' })
  assert.deepEqual([ready.status, ready.json], [200, { status: 'ready', degraded: ['redis'] }])
  assert.match((await anonymous({ method: 'GET', url: '/metrics' })).text, /^ramal_degraded\{part="redis"\} 1$/m)
}

async function healed({ ana, anonymous }: TestApp): Promise<void> {
  await eventually('recovery', 30_000, async () => {
    await ana.get('/api/agents')
    return (await anonymous({ method: 'GET', url: '/readyz' })).json.degraded === undefined
  })
  assert.match((await anonymous({ method: 'GET', url: '/metrics' })).text, /^ramal_degraded\{part="redis"\} 0$/m)
}

const timesTold = ({ logs }: TestApp, words: string) => logs().split(words).length - 1

test('12, 13, 14 two processes share one window of a key', async () => {
  const [one, two] = await twoApps()
  const limited = await one.ana.withKey({ rateLimit: 9 })
  const ask = (i: number) =>
    (i % 2 === 0 ? one : two).anonymous({ method: 'GET', url: '/api/agents', headers: { 'x-api-key': limited.key } })
  // An app compiles on its first request: without this, Redis would seem to time out and each app would count alone.
  for (const app of [one, two]) assert.equal((await app.ana.get('/api/agents')).status, 200)
  const begin = performance.now()
  const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => ask(i)))
  const seconds = Math.ceil((performance.now() - begin) / 1000)
  const letIn = answers.filter(({ status }) => status === 200)
  assert.equal(letIn.length, 9)
  const left = letIn.map(({ headers }) => Number(/r=(\d+)/.exec(String(headers.ratelimit))?.[1])).sort((a, b) => a - b)
  assert.deepEqual(left, [0, 1, 2, 3, 4, 5, 6, 7, 8])
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    assertError(answer, 429)
    const retryAfter = Number(answer.headers['retry-after'])
    assert.ok(retryAfter <= 60 && retryAfter >= 60 - seconds, `${retryAfter} s`)
  }
})

test('two processes count failed sign-ins together, and successful ones not at all', async () => {
  const apps = await twoApps()
  const address = `192.0.2.${process.pid % 250}`
  const tryIn = (i: number, apiKey: string) =>
    browserOf(apps[i % 2] as (typeof apps)[0], 'http://localhost', address).post('/auth/login', { apiKey })
  for (let i = 0; i < 25; i++) assert.equal((await tryIn(i, apps[0].ana.key)).status, 200)
  const wrong = await Promise.all(Array.from({ length: 30 }, (_, i) => tryIn(i, 'wrong')))
  assert.equal(wrong.filter(({ status }) => status === 401).length, 20)
  for (const i of [0, 1]) assertError(await tryIn(i, apps[0].ana.key), 429, /from this address/)
})

test('14 a slot becomes free when its request is a minute old, and not before', async () => {
  const { ana, database } = await startTestApp({ REDIS_URL: redisUrl })
  const limited = await ana.withKey({ name: 'limited', rateLimit: 2 })
  await limited.get('/api/agents')
  await limited.get('/api/agents')
  const { id } = await database.db
    .selectFrom('apiKeys')
    .select('id')
    .where('name', '=', 'limited')
    .executeTakeFirstOrThrow()
  const redis = new Redis(redisUrl)
  atEnd(() => redis.disconnect())
  const window = `ramal:rate:${id}`
  const [oldest] = await redis.zrange(window, '0', '0')
  assert.ok(oldest)
  await redis.zincrby(window, -50_000_000, oldest) // as if 50 s had passed for it
  const refused = await limited.get('/api/agents')
  assertError(refused, 429)
  assert.match(String(refused.headers['retry-after']), /^(10|[1-9])$/)
  await redis.zincrby(window, -10_000_000, oldest)
  assert.equal((await limited.get('/api/agents')).status, 200)
  assertError(await limited.get('/api/agents'), 429)
  assert.equal(await redis.zcard(window), 2, 'what was refused is not counted')
  const ttl = await redis.pttl(window)
  assert.ok(ttl > 0 && ttl <= 60_000, 'the window goes away by itself')
})

test('while Redis is gone the limits are counted by this process alone; it is logged once and recovers by itself', async () => {
  const redis = await startRedis()
  const app = await startTestApp({ REDIS_URL: redis.url })
  const limited = await app.ana.withKey({ rateLimit: 3 })
  await redis.stop('SIGKILL')
  for (let i = 0; i < 5; i++) await assertAway(app)
  const statuses = []
  for (let i = 0; i < 5; i++) statuses.push((await limited.get('/api/agents')).status)
  assert.deepEqual(statuses, [200, 200, 200, 429, 429])
  const again = await startRedis(Number(new URL(redis.url).port))
  atEnd(() => again.stop())
  await healed(app)
  assert.equal((await limited.get('/api/agents')).status, 200, 'the windows of Redis are new')
  assert.deepEqual([timesTold(app, 'Redis unavailable'), timesTold(app, 'Redis available again')], [1, 1])
})

test('a hanging Redis delays the first request briefly, and the others not at all', async () => {
  const redis = await startRedis()
  atEnd(() => redis.stop())
  const app = await startTestApp({ REDIS_URL: redis.url })
  assert.equal((await app.ana.get('/api/agents')).status, 200)
  redis.process.kill('SIGSTOP')
  try {
    await Promise.all(Array.from({ length: 20 }, () => assertAway(app)))
  } finally {
    redis.process.kill('SIGCONT')
  }
  await healed(app)
})

test('the service starts without Redis and uses it once it is available', async () => {
  const port = await freePort()
  const app = await startTestApp({ REDIS_URL: `redis://127.0.0.1:${port}` })
  await assertAway(app)
  assertError(await app.anonymous({ method: 'GET', url: '/api/agents' }), 401)
  const redis = await startRedis(port)
  atEnd(() => redis.stop())
  await healed(app)
})
