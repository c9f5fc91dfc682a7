// The window that several processes share through a real Redis, and what happens while that Redis is away.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { Answer } from '../../test/answers.ts'
import { assertError, atEnd, type Client, startTestApp, testConfig } from '../../test/app.ts'
import { browserOf } from '../../test/browser-client.ts'
import { freePort, startRedis } from '../../test/servers.ts'

const redisUrl = process.env.TEST_REDIS_URL ?? assert.fail('TEST_REDIS_URL is set by test/run.ts')

/** Two apps on one database and one Redis. */
async function twoApps() {
  const { database, dataDir } = await testConfig()
  const where: Record<string, string> = database.kind === 'postgres' ? { DATABASE_URL: database.url } : {}
  const env = { ...where, DATA_DIR: dataDir, REDIS_URL: redisUrl }
  return [await startTestApp(env), await startTestApp(env)] as const
}

async function eventually(what: string, ms: number, isTrue: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + ms
  while (!(await isTrue())) {
    if (performance.now() > end) assert.fail(`${what} did not happen within ${ms} ms`)
    await sleep(20)
  }
}

async function timed(ask: () => Promise<Answer>): Promise<Answer & { ms: number }> {
  const start = performance.now()
  const answer = await ask()
  return { ...answer, ms: performance.now() - start }
}

async function assertAway(client: Client): Promise<void> {
  const answer = await timed(() => client.get('/api/agents'))
  assertError(answer, 503, /Redis is out of reach/)
  assert.equal(answer.json.error, 'Service Unavailable')
  assert.ok(answer.ms < 2000, `answered after ${answer.ms} ms`)
}

test('12, 13, 14 two processes share one window of a key', async () => {
  const [one, two] = await twoApps()
  const limited = await one.ana.withKey({ rateLimit: 9 })
  const ask = (i: number) =>
    (i % 2 === 0 ? one : two).anonymous({ method: 'GET', url: '/api/agents', headers: { 'x-api-key': limited.key } })
  const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => ask(i)))
  const letIn = answers.filter(({ status }) => status === 200)
  assert.equal(letIn.length, 9)
  const left = letIn.map(({ headers }) => Number(/r=(\d+)/.exec(String(headers.ratelimit))?.[1])).sort((a, b) => a - b)
  assert.deepEqual(left, [0, 1, 2, 3, 4, 5, 6, 7, 8])
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    assertError(answer, 429)
    assert.match(String(answer.headers['retry-after']), /^(60|59|58|57)$/)
  }
})

test('two processes count wrong tries to sign in together, and good ones not at all', async () => {
  const apps = await twoApps()
  const address = `192.0.2.${process.pid % 250}`
  const tryIn = (i: number, apiKey: string) =>
    browserOf(apps[i % 2] as (typeof apps)[0], 'http://localhost', address).post('/auth/login', { apiKey })
  for (let i = 0; i < 25; i++) assert.equal((await tryIn(i, apps[0].ana.key)).status, 200)
  const wrong = await Promise.all(Array.from({ length: 30 }, (_, i) => tryIn(i, 'wrong')))
  assert.equal(wrong.filter(({ status }) => status === 401).length, 20)
  for (const i of [0, 1]) assertError(await tryIn(i, apps[0].ana.key), 429, /from this address/)
})

test('14 a place becomes free when its request is a minute old, and not before', async () => {
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
  assert.match(String(refused.headers['retry-after']), /^(10|9)$/)
  await redis.zincrby(window, -10_000_000, oldest)
  assert.equal((await limited.get('/api/agents')).status, 200)
  assertError(await limited.get('/api/agents'), 429)
  assert.equal(await redis.zcard(window), 2, 'what was refused is not counted')
  const ttl = await redis.pttl(window)
  assert.ok(ttl > 0 && ttl <= 60_000, 'the window goes away by itself')
})

test('5, 14 while Redis is gone requests are told 503 at once, and all is well when it is back', async () => {
  const redis = await startRedis()
  const { ana } = await startTestApp({ REDIS_URL: redis.url })
  assert.equal((await ana.get('/api/agents')).status, 200)
  await redis.stop('SIGKILL')
  for (let i = 0; i < 5; i++) await assertAway(ana)
  const again = await startRedis(Number(new URL(redis.url).port))
  atEnd(() => again.stop())
  await eventually('recovery', 10_000, async () => (await ana.get('/api/agents')).status === 200)
})

test('5, 14 a Redis that hangs holds nobody for longer than 2 seconds', async () => {
  const redis = await startRedis()
  atEnd(() => redis.stop())
  const { ana } = await startTestApp({ REDIS_URL: redis.url })
  assert.equal((await ana.get('/api/agents')).status, 200)
  redis.process.kill('SIGSTOP')
  try {
    await Promise.all(Array.from({ length: 20 }, () => assertAway(ana)))
  } finally {
    redis.process.kill('SIGCONT')
  }
  await eventually('recovery', 10_000, async () => (await ana.get('/api/agents')).status === 200)
})

test('5, 14 the service starts without Redis and takes it when it comes', async () => {
  const port = await freePort()
  const { ana, anonymous } = await startTestApp({ REDIS_URL: `redis://127.0.0.1:${port}` })
  await assertAway(ana)
  assertError(await anonymous({ method: 'GET', url: '/api/agents' }), 401)
  const redis = await startRedis(port)
  atEnd(() => redis.stop())
  await eventually('recovery', 10_000, async () => (await ana.get('/api/agents')).status === 200)
})
