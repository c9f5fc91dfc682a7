import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import type { Answer } from '../../../test/answers.ts'
import { anAgent, assertError, type Client, startTestApp, testApp, usesTwoNodes } from '../../../test/app.ts'
import { signedIn } from '../../../test/browser-client.ts'
import { until } from '../../../test/until.ts'
import { scopeNames } from '../../http/scopes.ts'
import { keyFinder } from './finder-store.ts'

type Key = { id: string; name: string; key: string; prefix: string; isActive: boolean; lastUsedAt: string | null }

const url = '/api/api-keys'
const create = async (client: Client, body: object): Promise<Key & Record<string, unknown>> => {
  const { status, json, text } = await client.post(url, body)
  assert.equal(status, 201, text)
  return json
}
const listed = async (client: Client, id: string) =>
  (await client.get(url)).json.find((key: { id: string }) => key.id === id) as Key & Record<string, unknown>

/** Sends a request with a key from a response. */
const asker =
  ({ anonymous }: { anonymous: (options: object) => Promise<Answer> }) =>
  (key: string, path = '/api/agents') =>
    anonymous({ method: 'GET', url: path, headers: { 'x-api-key': key } })

test('35 a key creates another key for the same user', async () => {
  const base = await testApp()
  const { ana, bia, anonymous } = base
  const headers = { 'content-type': 'application/json' }
  assertError(await anonymous({ method: 'POST', url, headers, payload: '{"name":"x"}' }), 401)
  const made = await create(ana, { name: 'x' })
  const { json: agent } = await ana.post('/api/agents', anAgent)
  assert.deepEqual((await asker(base)(made.key)).json, [agent])
  assert.deepEqual((await bia.get('/api/agents')).json, [])
  assert.equal(await listed(bia, made.id), undefined)
})

test('36 name is required', async () => {
  const { ana } = await testApp()
  assertError(await ana.post(url, {}), 400, 'name is required')
  assertError(await ana.post(url), 400, 'name is required')
  for (const name of ['', '  ', 5, null, 'x'.repeat(256)]) assertError(await ana.post(url, { name }), 400)
})

test('37, 38 without scopes, or with null, a key has full access', async () => {
  const { ana } = await testApp()
  assert.equal((await create(ana, { name: 'x' })).scopes, null)
  const { key, scopes } = await create(ana, { name: 'x', scopes: null })
  assert.equal(scopes, null)
  assert.equal((await ana.get(url, { 'x-api-key': key })).status, 200)
})

test('38 an empty list or an unknown scope is a 400; duplicates are stored once, in order', async () => {
  const { ana } = await testApp()
  assertError(await ana.post(url, { name: 'x', scopes: [] }), 400)
  assertError(await ana.post(url, { name: 'x', scopes: ['agents', 'nonsense'] }), 400)
  for (const scopes of ['agents', {}, [5], [null], [['agents']]])
    assertError(await ana.post(url, { name: 'x', scopes }), 400)
  const made = await create(ana, { name: 'x', scopes: ['tts', 'agents', 'tts', 'calls', 'agents'] })
  assert.deepEqual(made.scopes, ['tts', 'agents', 'calls'])
  assert.deepEqual((await listed(ana, made.id)).scopes, ['tts', 'agents', 'calls'])
  const all = [...scopeNames].reverse()
  assert.deepEqual((await create(ana, { name: 'x', scopes: all })).scopes, all)
})

test('39 rateLimit defaults to 60, and is an integer from 1 to 100000', async () => {
  const { ana } = await testApp()
  assert.equal((await create(ana, { name: 'x' })).rateLimit, 60)
  assert.equal((await create(ana, { name: 'x', rateLimit: null })).rateLimit, 60)
  for (const rateLimit of [1, 100_000]) {
    const made = await create(ana, { name: 'x', rateLimit })
    assert.equal(made.rateLimit, rateLimit)
    assert.equal((await listed(ana, made.id)).rateLimit, rateLimit)
  }
  for (const rateLimit of [0, -1, 1.5, 100_001, '60', true])
    assertError(await ana.post(url, { name: 'x', rateLimit }), 400)
})

test('40 expiresInDays may be a fraction, counts from the creation, and is more than 0 and at most 36500', async () => {
  const { ana } = await testApp()
  assert.equal((await create(ana, { name: 'x' })).expiresAt, null)
  assert.equal((await create(ana, { name: 'x', expiresInDays: null })).expiresAt, null)
  for (const expiresInDays of [30, 1, 0.5, 1 / 86_400, 36_500]) {
    const made = await create(ana, { name: 'x', expiresInDays })
    const span = Date.parse(String(made.expiresAt)) - Date.parse(String(made.createdAt))
    assert.equal(span, Math.floor(expiresInDays * 86_400_000))
    assert.equal((await listed(ana, made.id)).expiresAt, made.expiresAt)
  }
  for (const expiresInDays of [0, -1, 36_500.1, 1e300, '30', true])
    assertError(await ana.post(url, { name: 'x', expiresInDays }), 400)
})

test('8, 40, 46 a key works until it expires and is a 401 from then on, though it stays active', async () => {
  const base = await testApp()
  const made = await create(base.ana, { name: 'x', expiresInDays: 2 / 86_400, rateLimit: 100_000 })
  const ask = () => asker(base)(made.key)
  const end = Date.parse(String(made.expiresAt))
  const answer = await until('it has expired', async () => {
    const begunMs = Date.now()
    const given = await ask()
    assert.ok(given.status !== 200 || begunMs < end, 'a request that began after the end was served')
    return given.status !== 200 && given
  })
  assert.ok(Date.now() >= end, 'it did not expire too early')
  assertError(answer, 401, 'This API key has expired')
  assert.equal((await listed(base.ana, made.id)).isActive, true)
})

test('41, 42 the creation response has these fields and the whole key, which begins with its prefix', async () => {
  const { ana } = await testApp()
  const made = await create(ana, { name: 'My key', scopes: ['tts'], rateLimit: 5, expiresInDays: 1 })
  const fields = ['id', 'name', 'key', 'prefix', 'scopes', 'rateLimit', 'expiresAt', 'createdAt']
  assert.deepEqual(Object.keys(made).sort(), fields.sort())
  assert.equal(made.name, 'My key')
  assert.ok(made.key.startsWith(made.prefix) && made.key.length >= made.prefix.length + 32)
  const secrets = await Promise.all(Array.from({ length: 20 }, async () => (await create(ana, { name: 'x' })).key))
  assert.equal(new Set(secrets).size, 20)
})

test('42, 43 the list shows these fields, and the key itself is never shown again', async () => {
  const { ana, database } = await testApp()
  const made = await create(ana, { name: 'x', scopes: ['tts', 'calls'], rateLimit: 5, expiresInDays: 1 })
  const answer = await ana.get(url)
  const fields = ['id', 'name', 'prefix', 'scopes', 'rateLimit', 'lastUsedAt', 'expiresAt', 'isActive', 'createdAt']
  for (const key of answer.json) assert.deepEqual(Object.keys(key).sort(), [...fields].sort())
  const { key, ...shown } = made
  assert.deepEqual(await listed(ana, made.id), { ...shown, lastUsedAt: null, isActive: true })
  const row = await database.db.selectFrom('apiKeys').selectAll().where('id', '=', made.id).executeTakeFirstOrThrow()
  for (const text of [answer.text, (await ana.delete(`${url}/${made.id}`)).text, JSON.stringify(row)])
    assert.ok(!text.includes(key) && !text.includes(key.slice(made.prefix.length)))
  assert.ok(!answer.text.includes(row.hash))
})

test('44 lastUsedAt is null before the first use and shows the last one at once', {
  skip: usesTwoNodes && 'lastUsedAt of another node is stored later',
}, async () => {
  const base = await testApp()
  const { ana } = base
  const made = await create(ana, { name: 'x' })
  assert.equal((await listed(ana, made.id)).lastUsedAt, null)
  let previous = ''
  for (let i = 0; i < 30; i++) {
    const before = new Date().toISOString()
    await asker(base)(made.key)
    const { lastUsedAt } = await listed(ana, made.id)
    assert.ok(lastUsedAt && lastUsedAt >= before && lastUsedAt >= previous && lastUsedAt <= new Date().toISOString())
    previous = lastUsedAt
    await sleep(i) // across several write-behind rounds
  }
  const own = (await ana.get(url)).json.find((key: Key) => key.name === 'test')
  assert.notEqual(own.lastUsedAt, null, 'the use for this very list is shown')
})

test('44 a use through any process is shown by all of them', async () => {
  const base = await testApp()
  const made = await create(base.ana, { name: 'x' })
  const usedFrom = new Date().toISOString()
  await asker(base)(made.key)
  // With two nodes, each list comes from the other one: both show it once it is stored.
  await until('both show it', async () => {
    const shown = [await listed(base.ana, made.id), await listed(base.ana, made.id)]
    return shown.every(({ lastUsedAt }) => lastUsedAt !== null && lastUsedAt >= usedFrom)
  })
  const finder = keyFinder(base.database.db, false) // in a process that used the key before another one did
  const grant = (await finder.find(made.key)) ?? assert.fail()
  finder.recordUse(grant)
  const later = '2999-01-01T00:00:00.000Z'
  assert.equal(finder.lastUsedAt({ id: made.id, lastUsedAt: later }), later)
  assert.ok((finder.lastUsedAt({ id: made.id, lastUsedAt: usedFrom }) ?? '') >= usedFrom)
  assert.notEqual(finder.lastUsedAt({ id: made.id, lastUsedAt: null }), null)
})

test('44 a request refused for its key or its rate does not count as a use', {
  skip: usesTwoNodes && 'lastUsedAt of another node is stored later',
}, async () => {
  const base = await testApp()
  const made = await create(base.ana, { name: 'x', rateLimit: 1 })
  await asker(base)(made.key)
  const { lastUsedAt } = await listed(base.ana, made.id)
  await sleep(2)
  assertError(await asker(base)(made.key), 429)
  assertError(await asker(base)(`${made.key}x`), 401)
  assert.equal((await listed(base.ana, made.id)).lastUsedAt, lastUsedAt)
})

test('8, 45 a revoked key is refused at once and stays in the list; revoking it again is a 200 with the same record', {
  skip: usesTwoNodes && 'lastUsedAt of another node is stored later',
}, async () => {
  const base = await testApp()
  const { ana } = base
  const made = await create(ana, { name: 'x' })
  assert.equal((await asker(base)(made.key)).status, 200)
  const before = await listed(ana, made.id)
  const first = await ana.delete(`${url}/${made.id}`)
  assert.deepEqual([first.status, first.json], [200, { ...before, isActive: false }])
  assertError(await asker(base)(made.key), 401, 'This API key was revoked')
  const again = await ana.delete(`${url}/${made.id}`)
  assert.deepEqual([again.status, again.json], [200, first.json])
  assert.deepEqual(await listed(ana, made.id), first.json)
  assertError(await ana.delete(`${url}/missing`), 404)
})

test('45 nothing makes a revoked key active again', async () => {
  const base = await testApp()
  const { ana } = base
  const made = await create(ana, { name: 'x' })
  await ana.delete(`${url}/${made.id}`)
  for (const method of ['PATCH', 'PUT', 'POST'] as const)
    assertError(await ana.send({ method, url: `${url}/${made.id}`, payload: { isActive: true } }), 405)
  await create(ana, { name: 'x', isActive: true, id: made.id, key: made.key, hash: 'x' })
  assertError(await asker(base)(made.key), 401)
  assert.equal((await listed(ana, made.id)).isActive, false)
})

test('8, 45 requests during a revocation are either served before it or refused, and none is served after it', async () => {
  const base = await testApp()
  const made = await create(base.ana, { name: 'x', rateLimit: 100_000 })
  let isRevoked = false
  let [letIn, refused] = [0, 0]
  const hammer = async () => {
    while (refused < 50) {
      await turn() // SQLite answers synchronously: give the other requests a turn
      const wasRevoked = isRevoked
      const { status } = await asker(base)(made.key)
      if (status === 200) {
        letIn++
        assert.equal(wasRevoked, false, 'a request that began after the answer to the revocation was let in')
      } else refused++
    }
  }
  const hammers = [hammer(), hammer(), hammer(), hammer()]
  while (letIn < 50) await turn()
  assert.equal((await base.ana.delete(`${url}/${made.id}`)).status, 200)
  isRevoked = true
  await Promise.all(hammers)
})

test('47 a key may revoke itself: this request is a 200 and the next a 401', async () => {
  const base = await testApp()
  const made = await create(base.ana, { name: 'x' })
  const headers = { 'x-api-key': made.key }
  const answer = await base.anonymous({ method: 'DELETE', url: `${url}/${made.id}`, headers })
  assert.deepEqual([answer.status, answer.json.isActive], [200, false])
  assertError(await base.anonymous({ method: 'DELETE', url: `${url}/${made.id}`, headers }), 401)
})

test('49 a key with scopes cannot create, list or revoke keys', async () => {
  const { ana } = await testApp()
  const scoped = await ana.withKey({ scopes: [...scopeNames] })
  assertError(await scoped.post(url, { name: 'x', scopes: ['tts'] }), 403, 'This needs a key with full access')
  assertError(await scoped.get(url), 403)
  assertError(await scoped.delete(`${url}/x`), 403)
})

test('12, 52 each key has its own rate limit, also when many are created at once', async () => {
  const base = await startTestApp()
  const keys = await Promise.all(
    [1, 2, 3, 4].map((rateLimit) => create(base.ana, { name: `k${rateLimit}`, rateLimit })),
  )
  for (const [i, { key }] of keys.entries()) {
    const answers = await Promise.all(Array.from({ length: 6 }, () => asker(base)(key)))
    assert.equal(answers.filter(({ status }) => status === 200).length, i + 1)
  }
})

test('neither an expiring key nor a session opened with it can create a key that outlives it', async () => {
  const base = await testApp()
  const { ana } = base
  const brief = await ana.withKey({ expiresInDays: 2 })
  const browser = await signedIn(base, brief.key)
  for (const client of [brief, browser]) {
    for (const expiresInDays of [undefined, 2.01, 365])
      assertError(await client.post(url, { name: 'longer', expiresInDays }), 403, /expires at/)
    assert.equal((await client.post(url, { name: 'shorter', expiresInDays: 1 })).status, 201)
  }
  assert.equal((await (await signedIn(base, ana.key)).post(url, { name: 'lasting' })).status, 201)
})
