import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, startTestApp, testApp } from '../../../test/app.ts'
import { everyRow } from '../../../test/every-row.ts'

const url = '/api/gateway/credentials'
const login = { email: 'ana@example.com', password: 'korrekt-horse-battery' }

test('109 email and password are required', async () => {
  const { ana } = await testApp()
  assertError(await ana.post(url, { password: 'x' }), 400, 'email is required')
  assertError(await ana.post(url, { email: 'a@b.c' }), 400, 'password is required')
  assertError(await ana.post(url, {}), 400, /email is required; password is required/)
  assertError(await ana.post(url), 400)
  assertError(await ana.get(url), 404)
})

test('109 the email has one @, the password 1 to 1024 characters', async () => {
  const { ana } = await testApp()
  for (const email of ['', ' ', 'ana', 'ana@', '@example.com', 'a@b@c', 'a b@c', 'a@b c', 5, null, ['a@b'], true])
    assertError(await ana.post(url, { ...login, email }), 400, /email/)
  for (const password of ['', 'x'.repeat(1025), 12345678, null, {}, ['secret']])
    assertError(await ana.post(url, { ...login, password }), 400, /password/)
  assertError(await ana.get(url), 404)
  for (const password of ['x', 'x'.repeat(1024), ' ', 'ã😀"\\\n'])
    assert.ok((await ana.post(url, { ...login, password })).status < 300, JSON.stringify(password.slice(0, 9)))
})

test('109 saving again replaces: 201, then 200', async () => {
  const { ana } = await testApp()
  const first = await ana.post(url, login)
  assert.equal(first.status, 201)
  const second = await ana.post(url, { email: 'other@example.com', password: 'another' })
  assert.equal(second.status, 200)
  assert.equal(second.json.email, 'other@example.com')
  assert.equal(second.json.createdAt, first.json.createdAt)
  assert.ok(second.json.updatedAt > first.json.updatedAt)
  assert.deepEqual((await ana.get(url)).json, second.json)
})

test('109 of twenty concurrent saves one creates and nineteen replace', async () => {
  const { ana, database } = await testApp()
  const all = await Promise.all(Array.from({ length: 20 }, (_, i) => ana.post(url, { ...login, password: `p${i}` })))
  assert.equal(all.filter((a) => a.status === 201).length, 1)
  assert.equal(all.filter((a) => a.status === 200).length, 19)
  const rows = database.db.selectFrom('gatewayCredentials').selectAll().where('userId', '=', ana.userId)
  assert.equal((await rows.execute()).length, 1)
})

test('110 the password is in no response, log line or row', async () => {
  const { ana, app, database, logs } = await startTestApp()
  const password = 'canary-9f3b1c'
  const told = [
    await ana.post(url, { email: 'ana@example.com', password }, { 'idempotency-key': 'once' }),
    await ana.post(url, { email: 'ana@example.com', password }, { 'idempotency-key': 'once' }),
    await ana.post(url, { email: 'ana@example.com', password }),
    await ana.post(url, { email: password, password: `${password}${'x'.repeat(1024)}` }),
    await ana.send({ method: 'POST', url, headers: { 'content-type': 'application/json' }, payload: `{"${password}` }),
    await ana.get(url),
    await ana.get('/api/api-keys'),
    await ana.get('/api/gateway/devices'),
    await ana.get('/api/gateway/device-status'),
  ]
  assert.equal(told[0]?.status, 201)
  const rows = await everyRow(database.db)
  told.push(await ana.delete(url))
  for (const { text, headers } of told) assert.ok(!`${text}${JSON.stringify(headers)}`.includes(password))
  assert.match(rows, /"email":"ana@example.com"/)
  assert.ok(!rows.includes(password), 'a row holds the password in clear')
  assert.ok(logs().includes(url), 'the log speaks of these requests')
  assert.ok(!logs().includes(password), 'the log holds the password')
  assert.ok(!JSON.stringify(app.http.swagger()).includes(password))
})

test('111 without saved credentials it is a 404; saved ones are returned without the password', async () => {
  const { ana, bia } = await testApp()
  assertError(await ana.get(url), 404)
  const { json: saved } = await ana.post(url, login)
  const answer = await ana.get(url)
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.json, saved)
  const { createdAt, updatedAt, ...rest } = answer.json
  assert.deepEqual(rest, { email: login.email, hasPassword: true, status: 'unverified', lastVerifiedAt: null })
  assert.equal(updatedAt, createdAt)
  assert.equal(new Date(createdAt).toISOString(), createdAt)
  assertError(await bia.get(url), 404)
})

test('111 the status is that of the account, and new credentials are unverified again', async () => {
  const { ana, database } = await testApp()
  await ana.post(url, login)
  for (const status of ['valid', 'invalid'] as const) {
    const lastVerifiedAt = new Date().toISOString()
    const change = database.db.updateTable('gatewayCredentials').set({ status, lastVerifiedAt })
    await change.where('userId', '=', ana.userId).execute()
    const { json } = await ana.get(url)
    assert.deepEqual([json.status, json.lastVerifiedAt], [status, lastVerifiedAt])
  }
  const { json } = await ana.post(url, { ...login, password: 'new' })
  assert.deepEqual([json.status, json.lastVerifiedAt], ['unverified', null])
})

test('112 deleting returns the saved credentials, then they are gone', async () => {
  const { ana, bia } = await testApp()
  const { json: saved } = await ana.post(url, login)
  assertError(await bia.delete(url), 404)
  const removed = await ana.delete(url)
  assert.equal(removed.status, 200)
  assert.deepEqual(removed.json, saved)
  assertError(await ana.get(url), 404)
  assertError(await ana.delete(url), 404)
  assert.equal((await ana.post(url, login)).status, 201)
})

test('113 gateway credentials and API keys are independent', async () => {
  const { ana, anonymous } = await testApp()
  const { json: keys } = await ana.get('/api/api-keys')
  await ana.post(url, { email: 'ana@example.com', password: 'a-password-of-more-than-32-characters' })
  const { json: after } = await ana.get('/api/api-keys')
  assert.deepEqual(
    after.map((k: { id: string }) => k.id),
    keys.map((k: { id: string }) => k.id),
  )
  for (const secret of ['a-password-of-more-than-32-characters', 'ana@example.com'])
    assertError(await anonymous({ url: '/api/agents', headers: { 'x-api-key': secret } }), 401)
  const basic = Buffer.from('ana@example.com:a-password-of-more-than-32-characters').toString('base64')
  assertError(await anonymous({ url: '/api/agents', headers: { authorization: `Basic ${basic}` } }), 401)
  const other = await ana.withKey({ name: 'other' })
  assert.equal((await other.get(url)).status, 200, 'the account is of the user, not of a key')
  await ana.delete(url)
  assert.equal((await ana.get('/api/agents')).status, 200)
  assert.equal((await other.get('/api/agents')).status, 200)
})
