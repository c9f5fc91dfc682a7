// API key authentication: separate keys, no keys in logs, and throttling of wrong keys by address.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, assertError, startTestApp, testApp } from '../../test/app.ts'
import { newSecret } from '../features/keys/secret.ts'
import { FailureLimiter } from './failure-limit.ts'

test('6 a wrong key gets 401 Unauthorized, whatever is wrong with it', async () => {
  const { ana, anonymous } = await testApp()
  const wrong = [
    newSecret(),
    'x',
    ana.key.toUpperCase(),
    ana.key.slice(1),
    `${ana.key}x`,
    ana.key.slice(0, 14),
    '0',
    'null',
  ]
  for (const key of wrong) {
    const answer = await anonymous({ method: 'GET', url: '/api/agents', headers: { 'x-api-key': key } })
    assertError(answer, 401, 'Invalid API key')
    assert.equal(answer.json.error, 'Unauthorized')
  }
})

test('7 a missing, empty, repeated or over-long key gets 401', async () => {
  const { ana, anonymous } = await testApp()
  const tried = [undefined, '', ' ', [ana.key, ana.key], `${ana.key}, ${ana.key}`, 'x'.repeat(10_000)]
  for (const key of tried) {
    const headers = key === undefined ? {} : { 'x-api-key': key }
    assertError(await anonymous({ method: 'GET', url: '/api/agents', headers }), 401)
  }
})

test('7 the header name is case-insensitive', async () => {
  const { ana, anonymous } = await testApp()
  for (const name of ['X-Api-Key', 'x-api-key', 'X-API-KEY'])
    assert.equal((await anonymous({ method: 'GET', url: '/api/agents', headers: { [name]: ana.key } })).status, 200)
})

test('52 two keys of one user have separate scopes, limits and expiry', async () => {
  const { ana } = await testApp()
  const narrow = await ana.withKey({ name: 'narrow', scopes: ['tools'], rateLimit: 2, expiresInDays: 1 })
  const wide = await ana.withKey({ name: 'wide', rateLimit: 500 })
  const { json: tool } = await narrow.post('/api/tools', { name: 'x', type: 'custom' })
  assert.equal((await wide.get(`/api/tools/${tool.id}`)).status, 200)
  assertError(await narrow.get('/api/agents'), 403)
  assertError(await narrow.get('/api/tools'), 429)
  assert.equal((await wide.get('/api/agents')).headers['ratelimit-policy'], '"default";q=500;w=60')
  const keys = (await ana.get('/api/api-keys')).json
  const of = (name: string) => keys.find((key: { name: string }) => key.name === name)
  assert.notEqual(of('narrow').expiresAt, null)
  assert.equal(of('wide').expiresAt, null)
})

test('6, 42, 43 no key or other secret of a request is logged', async () => {
  const { ana, anonymous, logs } = await startTestApp()
  const { json: made } = await ana.post('/api/api-keys', { name: 'made' }, { 'idempotency-key': 'order-0123456789' })
  const headers = { 'x-api-key': made.key }
  await anonymous({ method: 'POST', url: '/api/agents', headers, payload: anAgent })
  await anonymous({ method: 'POST', url: '/api/agents', headers, payload: '{"name":"canary-in-bad-json' })
  await anonymous({
    method: 'GET',
    url: `/api/agents?api_key=${made.key}`,
    headers: { authorization: `Bearer ${made.key}` },
  })
  await ana.post('/api/gateway/credentials', { email: 'a@b', password: 'canary-password' })
  await ana.post('/api/tools', { name: 'x', type: 'custom', headers: { 'x-token': 'canary-header' } })
  await ana.post('/api/trunks', { name: 'x', password: 'canary-trunk' })
  await ana.post('/api/gateway/devices', {})
  const { password } = (await ana.get('/api/gateway/sip/credentials')).json
  const wrong = newSecret()
  await anonymous({ method: 'GET', url: '/api/agents', headers: { 'x-api-key': wrong } })
  await ana.delete(`/api/api-keys/${made.id}`)
  await anonymous({ method: 'GET', url: '/api/agents', headers })
  const logged = logs()
  assert.ok(logged.includes('/api/api-keys') && logged.includes('"status":401'), 'there is a log')
  for (const secret of [ana.key, made.key, wrong, password, 'canary', 'order-0123456789', 'You are kind'])
    assert.ok(!logged.includes(secret), `the log holds ${secret}`)
})

test('6 an address with too many wrong keys must wait; other addresses need not', () => {
  const failures = new FailureLimiter(3)
  for (let i = 0; i < 3; i++) {
    assert.equal(failures.tooMany('10.0.0.1'), false)
    failures.count('10.0.0.1')
  }
  assert.equal(failures.tooMany('10.0.0.1'), true)
  assert.equal(failures.tooMany('10.0.0.2'), false)
  const refusal = failures.refusal('10.0.0.1')
  assert.equal(refusal.status, 429)
  assert.match(refusal.headers['retry-after'] ?? '', /^([1-9]|[1-5]\d|60)$/)
})

test('6, 13 an address may try a thousand wrong keys a minute, and good keys from there still work', async () => {
  const { ana, anonymous } = await startTestApp()
  const wrong = () => anonymous({ method: 'GET', url: '/api/agents', headers: { 'x-api-key': 'wrong'.repeat(10) } })
  for (let i = 0; i < 1000; i++) assert.equal((await wrong()).status, 401)
  const refused = await wrong()
  assertError(refused, 429)
  assert.match(String(refused.headers['retry-after']), /^([1-9]|[1-5]\d|60)$/)
  assert.equal((await ana.get('/api/agents')).status, 200)
})
