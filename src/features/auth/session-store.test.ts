// What a session allows, how long it lasts, and what ends it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, assertError, startTestApp, testApp } from '../../../test/app.ts'
import { browserOf, signedIn } from '../../../test/browser-client.ts'
import { until } from '../../../test/until.ts'
import { DAY_MS, toIso } from '../../base/time/clock.ts'
import { hashOf } from '../keys/secret.ts'
import { sessionStore } from './session-store.ts'

test('54 the cookie acts as a full-access key of its user, and of no other', async () => {
  const base = await testApp()
  const [ana, bia] = [await signedIn(base, base.ana.key), await signedIn(base, base.bia.key)]
  const { json: agent, status, headers } = await ana.post('/api/agents', anAgent)
  assert.equal(status, 201)
  assert.equal(headers['ratelimit-policy'], '"default";q=6000;w=60')
  assert.deepEqual((await base.ana.get(`/api/agents/${agent.id}`)).json, agent)
  assertError(await bia.get(`/api/agents/${agent.id}`), 404)
  assert.equal((await ana.get('/api/api-keys')).status, 200)
  const made = (await ana.post('/api/api-keys', { name: 'by the page' })).json
  assert.equal((await ana.delete(`/api/api-keys/${made.id}`)).status, 200)
  assertError(await ana.get('/api/nothing'), 404)
  // A key in the header takes precedence over the cookie.
  assertError(await ana.get('/api/agents', { 'x-api-key': 'wrong' }), 401, 'Invalid API key')
  assertError(await ana.get('/api/agents', { 'x-api-key': '' }), 401)
  assert.deepEqual((await ana.get('/api/agents', { 'x-api-key': base.bia.key })).json, [])
})

test('a session has the role of its user, and returns it', async () => {
  const base = await testApp()
  const admin = await base.newUser('maria', 'admin')
  for (const [key, role, status] of [
    [base.ana.key, 'member', 403],
    [admin.key, 'admin', 200],
  ] as const) {
    const browser = await signedIn(base, key)
    assert.equal((await browser.get('/auth/session')).json.user.role, role)
    assert.equal((await browser.get('/api/settings')).status, status)
    assert.equal((await browser.get('/metrics', { 'x-forwarded-for': '192.0.2.1' })).status, status)
    assert.equal((await browser.get('/api/agents')).status, 200)
  }
})

test('54 an invalid session cookie is a 401', async () => {
  const base = await testApp()
  const { cookie } = await signedIn(base, base.ana.key)
  const wrong = [cookie.slice(1), `${cookie}A`, cookie.toLowerCase(), 'A'.repeat(43), base.ana.key, '"x"']
  for (const value of [...wrong, ''])
    assertError(
      await base.anonymous({ method: 'GET', url: '/api/agents', headers: { cookie: `ramal_session=${value}` } }),
      401,
    )
  for (const name of ['xramal_session', 'RAMAL_SESSION', 'ramal_session2'])
    assertError(
      await base.anonymous({ method: 'GET', url: '/api/agents', headers: { cookie: `${name}=${cookie}` } }),
      401,
      'The X-Api-Key header is missing',
    )
})

test('16 an Idempotency-Key works with a session, and only that session can read the stored response', async () => {
  const base = await testApp()
  const [ana, again] = [await signedIn(base, base.ana.key), await signedIn(base, base.ana.key)]
  const key = { 'idempotency-key': 'one' }
  const { json } = await ana.post('/api/agents', anAgent, key)
  const replayed = await ana.post('/api/agents', anAgent, key)
  assert.deepEqual(replayed.json, json)
  assert.equal(replayed.headers['idempotency-replayed'], 'true')
  assert.notEqual((await again.post('/api/agents', anAgent, key)).json.id, json.id)
  assert.equal((await base.ana.get('/api/agents')).json.length, 2)
})

test('130 a token issued to a session works until the session ends', async () => {
  const base = await startTestApp({ EMBEDDED_VOICE: 'small' })
  const ana = await signedIn(base, base.ana.key)
  const { token } = (await ana.get('/api/tts/provider_b/token')).json
  assert.equal(typeof token, 'string')
  const stream = () =>
    base.anonymous({ method: 'POST', url: '/api/tts/provider_b/stream', headers: { authorization: `Bearer ${token}` } })
  assertError(await stream(), 400)
  await ana.post('/auth/logout')
  assertError(await stream(), 401)
})

test('revoking a key ends the sessions it opened, at once, and no others', async () => {
  const base = await testApp()
  const key = await base.ana.withKey({ name: 'lost' })
  const [bound, other] = [await signedIn(base, key.key), await signedIn(base, base.ana.key)]
  const { id } = (await base.ana.get('/api/api-keys')).json.find(({ name }: { name: string }) => name === 'lost')
  assert.equal((await bound.get('/api/agents')).status, 200)
  assert.equal((await base.ana.delete(`/api/api-keys/${id}`)).status, 200)
  assertError(await bound.get('/api/agents'), 401)
  assert.equal((await bound.get('/auth/session')).json.user, null)
  assert.equal((await other.get('/api/agents')).status, 200)
})

test('a session lasts no longer than the key that opened it', async () => {
  const base = await testApp()
  const key = await base.ana.withKey({ expiresInDays: 2 })
  const { cookie } = await signedIn(base, key.key)
  const { expiresAt } = await rowOf(base, cookie)
  const ofKey = await base.database.db
    .selectFrom('apiKeys')
    .select('expiresAt')
    .where('hash', '=', hashOf(key.key))
    .executeTakeFirstOrThrow()
  assert.equal(expiresAt, ofKey.expiresAt)
})

const rowOf = ({ database }: Awaited<ReturnType<typeof testApp>>, cookie: string) =>
  database.db.selectFrom('sessions').selectAll().where('hash', '=', hashOf(cookie)).executeTakeFirstOrThrow()

test('an unused session ends after 7 days, use extends it, and none lasts more than 30', async () => {
  const base = await testApp()
  const ana = await signedIn(base, base.ana.key)
  const change = (values: object) =>
    base.database.db.updateTable('sessions').set(values).where('hash', '=', hashOf(ana.cookie)).execute()
  const daysFrom = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / DAY_MS
  const fresh = await rowOf(base, ana.cookie)
  assert.equal(daysFrom(fresh.createdAt, fresh.expiresAt), 7)

  const dayAgo = toIso(Date.now() - DAY_MS)
  await change({ createdAt: dayAgo, lastUsedAt: dayAgo, expiresAt: toIso(Date.now() + 6 * DAY_MS) })
  const moved = await until('the use is written', async () => {
    assert.equal((await ana.get('/api/agents')).status, 200)
    const row = await rowOf(base, ana.cookie)
    return row.lastUsedAt !== dayAgo && row
  })
  assert.equal(daysFrom(moved.lastUsedAt, moved.expiresAt), 7)

  const longAgo = toIso(Date.now() - 29 * DAY_MS)
  await change({ createdAt: longAgo, lastUsedAt: dayAgo })
  const capped = await until('the use is written', async () => {
    await ana.get('/api/agents')
    const row = await rowOf(base, ana.cookie)
    return row.lastUsedAt !== dayAgo && row
  })
  assert.equal(daysFrom(longAgo, capped.expiresAt), 30)

  await change({ expiresAt: toIso(Date.now() - 1) })
  await until('it has ended', async () => (await ana.get('/api/agents')).status === 401)
  await sessionStore(base.database.db, false).removeOld()
  await assert.rejects(rowOf(base, ana.cookie))
  assert.ok(await rowOf(base, (await signedIn(base, base.ana.key)).cookie))
})

test('a session ended by another process is refused from then on, and a user keeps the newest 50', async () => {
  const base = await testApp()
  const ana = await signedIn(base, base.ana.key)
  assert.equal((await ana.get('/api/agents')).status, 200)
  const elsewhere = sessionStore(base.database.db, true) // has its own cache, like the command line
  await elsewhere.end(ana.cookie)
  assertError(await ana.get('/api/agents'), 401)

  const secrets: string[] = []
  for (let i = 0; i < 52; i++)
    secrets.push(await elsewhere.create(base.ana.userId, null, { device: null, address: null }))
  const alive = await Promise.all(secrets.map(async (secret) => (await elsewhere.find(secret)) !== undefined))
  assert.deepEqual(alive, [false, false, ...Array(50).fill(true)])
})

test('users list their own sessions, and end one of them or all the others', async () => {
  const base = await testApp()
  const browser = { 'user-agent': `Mozilla/5.0 (X11; Linux x86_64) Firefox/128.0\t${'x'.repeat(300)}` }
  const here = browserOf(base)
  await here.post('/auth/login', { apiKey: base.ana.key }, browser)
  const away = browserOf(base, 'http://localhost', '203.0.113.7')
  await away.post('/auth/login', { apiKey: base.ana.key })
  const third = await signedIn(base, base.ana.key)
  const bia = await signedIn(base, base.bia.key)
  type Shown = { id: string; isCurrent: boolean; device: string | null; address: string | null }
  const list = async (of = here) => (await of.get('/auth/sessions')).json as Shown[]
  const all = await list()
  assert.equal(all.length, 3)
  const own = all.find(({ isCurrent }) => isCurrent) ?? assert.fail()
  assert.deepEqual(Object.keys(own).sort(), [
    'address',
    'createdAt',
    'device',
    'expiresAt',
    'id',
    'isCurrent',
    'lastUsedAt',
    'method',
  ])
  assert.deepEqual([own.device?.length, own.address], [200, '127.0.0.1'])
  assert.match(own.device ?? '', /^Mozilla\/5\.0 \(X11; Linux x86_64\) Firefox\/128\.0 x+$/)
  const foreign = all.find(({ address }) => address === '203.0.113.0/24') ?? assert.fail()
  assert.equal(foreign.isCurrent, false)
  const text = JSON.stringify(all)
  for (const { cookie } of [here, away, third])
    assert.ok(!text.includes(String(cookie)) && !text.includes(hashOf(String(cookie))))

  assertError(await browserOf(base).get('/auth/sessions'), 401, 'Sign in first')
  assertError(await browserOf(base).delete('/auth/sessions'), 401)
  assertError(await bia.delete(`/auth/sessions/${foreign.id}`), 404, 'Session not found')
  assertError(await here.delete('/auth/sessions/nothing'), 404)
  assertError(await here.delete(`/auth/sessions/${foreign.id}`, { 'x-csrf-token': 'x' }), 403)
  assertError(await here.delete('/auth/sessions', { origin: 'http://evil.example' }), 403)
  assert.equal((await away.get('/api/agents')).status, 200)

  assert.equal((await here.delete(`/auth/sessions/${foreign.id}`)).json.id, foreign.id)
  assertError(await away.get('/api/agents'), 401)
  assertError(await here.delete(`/auth/sessions/${foreign.id}`), 404)
  const [ended, ...more] = (await here.delete('/auth/sessions')).json as Shown[]
  assert.deepEqual([ended?.isCurrent, more.length], [false, 0])
  assertError(await third.get('/api/agents'), 401)
  assert.deepEqual(
    (await list()).map(({ id }) => id),
    [own.id],
  )
  assert.equal((await list(bia)).length, 1)

  const left = await here.delete(`/auth/sessions/${own.id}`)
  assert.match(String(left.headers['set-cookie']), /^ramal_session=; .*Max-Age=0/)
  assert.equal((await here.get('/auth/session')).json.user, null)
})
