// Failed sign-ins are counted across nodes: with PostgreSQL alone, and while Redis is down.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, newPostgresDatabase, startTestApp, type TestApp } from '../../../test/app.ts'
import { browserOf } from '../../../test/browser-client.ts'
import { startRedis } from '../../../test/servers.ts'
import { until } from '../../../test/until.ts'

async function twoApps(env: Record<string, string> = {}): Promise<[TestApp, TestApp]> {
  const database = { DATABASE_URL: await newPostgresDatabase({ isMigrated: true }), MASTER_KEY: 'm'.repeat(32) }
  return [await startTestApp({ ...database, ...env }), await startTestApp({ ...database, ...env })]
}

const signIn = (apps: readonly TestApp[], address: string) => (i: number, apiKey: string) =>
  browserOf(apps[i % 2] as TestApp, 'http://localhost', address).post('/auth/login', { apiKey })

/** Of thirty wrong keys in parallel, only twenty are checked; after that, both nodes refuse even a valid one. */
async function assertShared(apps: readonly [TestApp, TestApp], address: string): Promise<void> {
  const tryIn = signIn(apps, address)
  const wrong = await Promise.all(Array.from({ length: 30 }, (_, i) => tryIn(i, 'wrong')))
  assert.equal(wrong.filter(({ status }) => status === 401).length, 20)
  for (const i of [0, 1]) assertError(await tryIn(i, apps[0].ana.key), 429, /from this address/)
}

test('two nodes with PostgreSQL alone count failed sign-ins together, and successful ones not at all', async () => {
  const apps = await twoApps()
  const tryIn = signIn(apps, '192.0.2.1')
  for (let i = 0; i < 25; i++) assert.equal((await tryIn(i, apps[0].ana.key)).status, 200)
  await assertShared(apps, '192.0.2.1')
  assert.equal((await signIn(apps, '192.0.2.2')(0, apps[0].ana.key)).status, 200, 'another network is not affected')
})

test('two nodes count failed sign-ins together while Redis is away', async () => {
  const redis = await startRedis()
  const apps = await twoApps({ REDIS_URL: redis.url })
  await redis.stop('SIGKILL')
  for (const { anonymous } of apps)
    await until('the node knows that Redis is away', async () => {
      const { json } = await anonymous({ method: 'GET', url: '/readyz' })
      return json.degraded !== undefined
    })
  await assertShared(apps, '192.0.2.3')
})
