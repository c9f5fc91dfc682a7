// API keys at startup: the first key, the bootstrap key, and several processes on one database.
// @run exclusive: several platforms start at once, or 60 calls.
// @run own-nodes
import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { assertError, newPostgresDatabase, startTestApp, type TestApp, testConfig } from '../../../test/app.ts'
import { until } from '../../../test/until.ts'
import { hasBadChecksum, newSecret } from './secret.ts'

const url = '/api/api-keys'
const ask = ({ anonymous }: TestApp, key: string, path = url) =>
  anonymous({ method: 'GET', url: path, headers: { 'x-api-key': key } })
const revoke = ({ anonymous }: TestApp, key: string, id: string) =>
  anonymous({ method: 'DELETE', url: `${url}/${id}`, headers: { 'x-api-key': key } })

/** An environment in which processes can be started one after another, or together. */
async function place(): Promise<Record<string, string>> {
  const { database, dataDir } = await testConfig()
  return { DATA_DIR: dataDir, ...(database.kind === 'postgres' ? { DATABASE_URL: database.url } : {}) }
}

/**
 * A database shared by processes on several machines. Migrated in advance, because four concurrent migrations can
 * exceed the connection timeout.
 */
const sharedPostgres = async () => ({
  DATABASE_URL: await newPostgresDatabase({ isMigrated: true }),
  MASTER_KEY: 'm'.repeat(32),
})

test('53 the first start creates a key with full access and stores it in a file that only its owner can read', async () => {
  const env = await place()
  const first = await startTestApp(env)
  const key = first.app.firstKey
  assert.ok(key)
  const file = join(env.DATA_DIR as string, 'first-api-key')
  assert.equal(readFileSync(file, 'utf8'), `${key}\n`)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const [record, ...others] = (await ask(first, key)).json
  assert.deepEqual([record.scopes, record.rateLimit, record.expiresAt, record.isActive], [null, 6000, null, true])
  assert.deepEqual(others, [])
  assert.ok(!first.logs().includes(key))

  await first.app.close()
  const second = await startTestApp(env)
  assert.equal(second.app.firstKey, null)
  assert.equal((await ask(second, key)).json.length, 1)
})

test('53 BOOTSTRAP_API_KEY is the first key, whatever its form', async () => {
  const texts = ['k'.repeat(32), 'x'.repeat(512), newSecret(), `!"#$%&'()*+,-./:;<=>?@[]^_{|}~ABC`]
  const like = `ramal_${'0'.repeat(42)}`
  assert.ok(hasBadChecksum(like), 'it looks like one of ours and is none')
  for (const text of [...texts, like]) {
    const base = await startTestApp({ BOOTSTRAP_API_KEY: text })
    assert.equal(base.app.firstKey, null)
    const answer = await ask(base, text)
    assert.equal(answer.status, 200, `${text.slice(0, 20)}: ${answer.text}`)
    const [record, ...others] = answer.json
    assert.deepEqual([record.scopes, record.rateLimit, record.expiresAt, record.isActive], [null, 6000, null, true])
    assert.ok(text.startsWith(record.prefix) && record.prefix.length < text.length / 2)
    assert.deepEqual(others, [])
    assertError(await ask(base, `ramal_${'1'.repeat(42)}`), 401)
    assert.ok(!base.logs().includes(text))
  }
})

test('53 a BOOTSTRAP_API_KEY of fewer than 32 characters prevents the start', async () => {
  await assert.rejects(startTestApp({ BOOTSTRAP_API_KEY: 'k'.repeat(31) }), /BOOTSTRAP_API_KEY/)
})

test('53 starting again with the same key changes nothing, and another key is added', async () => {
  const env = await place()
  const [key, other] = ['a'.repeat(40), 'b'.repeat(40)]
  const first = await startTestApp({ ...env, BOOTSTRAP_API_KEY: key })
  const [record] = (await ask(first, key)).json
  await first.app.close()
  const second = await startTestApp({ ...env, BOOTSTRAP_API_KEY: key })
  const [again, ...more] = (await ask(second, key)).json
  assert.deepEqual({ ...again, lastUsedAt: null }, { ...record, lastUsedAt: null })
  assert.deepEqual(more, [])
  await second.app.close()
  const third = await startTestApp({ ...env, BOOTSTRAP_API_KEY: other })
  assert.equal((await ask(third, other)).json.length, 2, 'it belongs to the same user')
  assert.equal((await ask(third, key)).status, 200)
  await third.app.close()
  const without = await startTestApp(env)
  assert.equal(without.app.firstKey, null)
  assert.equal((await ask(without, key)).status, 200)
})

test('45, 53 a revoked bootstrap key stays revoked when the process starts again with it', async () => {
  const env = { ...(await place()), BOOTSTRAP_API_KEY: `ramal_${'0'.repeat(42)}` }
  const first = await startTestApp(env)
  const [{ id }] = (await ask(first, env.BOOTSTRAP_API_KEY)).json
  assert.equal((await revoke(first, env.BOOTSTRAP_API_KEY, id)).status, 200)
  assertError(await ask(first, env.BOOTSTRAP_API_KEY), 401)
  await first.app.close()
  const second = await startTestApp(env)
  assertError(await ask(second, env.BOOTSTRAP_API_KEY), 401, 'This API key was revoked')
  const { isActive } = await second.database.db
    .selectFrom('apiKeys')
    .select('isActive')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  assert.equal(isActive, 0)
})

test('53 of processes that start at the same time one creates the first user and key', async () => {
  const env = { ...(await sharedPostgres()), BOOTSTRAP_API_KEY: 'c'.repeat(40) }
  const apps = await Promise.all(Array.from({ length: 4 }, () => startTestApp(env)))
  for (const base of apps) assert.equal((await ask(base, env.BOOTSTRAP_API_KEY)).json.length, 1)
  const [base] = apps as [TestApp]
  const admins = await base.database.db.selectFrom('users').select('id').where('name', '=', 'admin').execute()
  assert.equal(admins.length, 1)

  const shared = await sharedPostgres()
  const keyless = await Promise.all(Array.from({ length: 4 }, () => startTestApp(shared)))
  const firstKeys = keyless.flatMap(({ app }) => app.firstKey ?? [])
  assert.equal(firstKeys.length, 1)
  for (const each of keyless) assert.equal((await ask(each, firstKeys[0] as string)).status, 200)
})

test('48 a key revoked in one process is refused by all others from the moment of the response', async () => {
  const env = await sharedPostgres()
  const [one, two] = [await startTestApp(env), await startTestApp(env)]
  for (let round = 0; round < 10; round++) {
    const { json: made } = await one.ana.post(url, { name: `round ${round}`, rateLimit: 100_000 })
    // Both have just accepted it, so both have cached it.
    await Promise.all([one, two].map(async (base) => assert.equal((await ask(base, made.key)).status, 200)))
    let isRevoked = false
    const hammer = async (base: TestApp) => {
      for (;;) {
        await turn()
        const wasRevoked = isRevoked
        const { status } = await ask(base, made.key, '/api/agents')
        if (wasRevoked) {
          assert.equal(status, 401, 'a request that began after the revocation was let in')
          return
        }
      }
    }
    const hammers = [hammer(one), hammer(two)]
    assert.equal((await one.ana.delete(`${url}/${made.id}`)).status, 200)
    isRevoked = true
    await Promise.all(hammers)
    assertError(await ask(two, made.key), 401, 'This API key was revoked')
  }
})

test('44, 48 another process accepts a new key at once and sees its last use soon after', async () => {
  const env = await sharedPostgres()
  const [one, two] = [await startTestApp(env), await startTestApp(env)]
  const { json: made } = await one.ana.post(url, { name: 'x' })
  assert.equal((await ask(two, made.key)).status, 200)
  await until('the use is written', async () => {
    const { lastUsedAt } = (await one.ana.get(url)).json.find((key: { id: string }) => key.id === made.id)
    return lastUsedAt !== null
  })
})

test('the file of the first key is deleted when that key is revoked, and not with another key', async () => {
  const env = await place()
  const app = await startTestApp(env)
  const key = app.app.firstKey ?? assert.fail()
  const file = join(env.DATA_DIR as string, 'first-api-key')
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const made = await app.anonymous({ method: 'POST', url, headers, payload: '{"name":"another"}' })
  await revoke(app, key, made.json.id)
  assert.ok(existsSync(file))
  const [{ id }] = (await ask(app, key)).json.filter(({ name }: { name: string }) => name === 'first key')
  assert.equal((await revoke(app, key, id)).status, 200)
  assert.ok(!existsSync(file))
})
