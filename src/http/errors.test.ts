// The error shape, and the order in which a request's faults are reported.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, assertError, startTestApp, testApp } from '../../test/app.ts'
import { AppError } from '../base/errors/errors.ts'

const json = { 'content-type': 'application/json' }
const text = { 'content-type': 'text/plain' }

test('5, 10 the first of several faults is reported, in order: size, key, rate, route, scope, type, fields, existence, state', async () => {
  const { ana, anonymous } = await testApp()
  const scoped = await ana.withKey({ scopes: ['tts'] })
  const spent = await ana.withKey({ rateLimit: 1, scopes: ['tts'] })
  await spent.get('/api/agents')
  const huge = 'x'.repeat(1_048_577)
  const post = (payload: string, headers: Record<string, string>, url = '/api/agents') => ({
    method: 'POST' as const,
    url,
    payload,
    headers,
  })

  assertError(await anonymous(post(huge, text)), 413)
  assertError(await anonymous(post('x', text, '/api/nothing')), 401)
  assertError(await spent.send(post('x', text, '/api/nothing')), 429)
  assertError(await scoped.send(post('x', text, '/api/nothing')), 404)
  assertError(await scoped.send({ method: 'PUT', url: '/api/agents', payload: 'x', headers: text }), 405)
  assertError(await scoped.send(post('x', text)), 403)
  assertError(await ana.send(post('x', text)), 415)
  assertError(await ana.send(post('x', json)), 400, 'The body is not valid JSON')
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const { json: talk } = await ana.post('/api/conversations/start', { agentId: agent.id })
  await ana.post('/api/conversations/end', { conversationId: talk.id })
  assertError(await ana.post(`/api/conversations/message/send/${talk.id}`, { type: 'user' }), 400)
  assertError(await ana.post('/api/conversations/message/send/x', { type: 'user', content: 'x' }), 404)
  assertError(await ana.post(`/api/conversations/message/send/${talk.id}`, { type: 'user', content: 'x' }), 409)
})

test('10 an unknown path under /api is a 401 without a key and a 404 with one', async () => {
  const { ana, anonymous } = await testApp()
  for (const url of [
    '/api',
    '/api/',
    '/api/nothing',
    '/api/agents/x/y/z',
    '/api/%61',
    '/api/..%2f',
    '/api/*',
    '/api/:id',
  ]) {
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD'] as const) {
      const [without, withKey] = [await anonymous({ method, url }), await ana.send({ method, url })]
      assert.deepEqual([without.status, withKey.status], [401, 404], `${method} ${url}`)
      if (method !== 'HEAD') assertError(withKey, 404, 'Route not found')
    }
  }
  assertError(await anonymous({ method: 'GET', url: '/' }), 404)
  assertError(await anonymous({ method: 'GET', url: '/apis/agents' }), 404)
})

test("5 every response has an X-Request-Id: the caller's own if it is well formed, otherwise a new one", async () => {
  const { ana, anonymous } = await testApp()
  const idOf = async (given?: string) =>
    String((await ana.get('/api/agents', given === undefined ? {} : { 'x-request-id': given })).headers['x-request-id'])
  assert.equal(await idOf('order-66_a.b'), 'order-66_a.b')
  assert.equal(await idOf('a'.repeat(64)), 'a'.repeat(64))
  for (const bad of ['a'.repeat(65), 'a b', '<script>', 'é', '', '"']) {
    assert.notEqual(await idOf(bad), bad)
    assert.match(await idOf(bad), /^[\w.-]{1,64}$/)
  }
  const many = await Promise.all(Array.from({ length: 50 }, () => idOf()))
  assert.equal(new Set(many).size, 50)
  const refused = await anonymous({ method: 'GET', url: '/nothing', headers: { 'x-request-id': 'mine' } })
  assert.equal(refused.headers['x-request-id'], 'mine')
})

test('20 when a field is sent twice, the last value counts', async () => {
  const { ana } = await testApp()
  const payload = '{"name":"first","systemPrompt":"x","name":"last"}'
  const { status, json: agent } = await ana.send({ method: 'POST', url: '/api/agents', headers: json, payload })
  assert.deepEqual([status, agent.name], [201, 'last'])
  const spoilt = '{"name":"first","systemPrompt":"x","name":5}'
  assertError(await ana.send({ method: 'POST', url: '/api/agents', headers: json, payload: spoilt }), 400)
})

test('5, 32 an unexpected error is a 500 that does not reveal its cause, which is logged with the request id', async () => {
  const cause = new Error('password of the vault: xyzzy')
  const failing = () => Promise.reject(cause)
  const { ana, logs } = await startTestApp({}, { speech: { voices: failing, token: failing, speak: failing } })
  const answer = await ana.get('/api/tts/provider_a/voices')
  assertError(answer, 500, 'Something went wrong on our side')
  assert.equal(answer.json.error, 'Internal Server Error')
  assert.equal(answer.headers['cache-control'], 'no-store')
  assert.ok(!answer.text.includes('xyzzy'))
  const logged = logs()
    .split('\n')
    .find((line) => line.includes('xyzzy'))
  assert.ok(logged, 'the cause is in the log')
  assert.equal(JSON.parse(logged).reqId, answer.headers['x-request-id'])
})

test("5, 32 an upstream's error message is only logged", async () => {
  const failing = () =>
    Promise.reject(new AppError('upstream', 'The voices cannot be read', { cause: new Error('xyzzy') }))
  const { ana, logs } = await startTestApp({}, { speech: { voices: failing, token: failing, speak: failing } })
  const answer = await ana.get('/api/tts/provider_b/token')
  assertError(answer, 502, 'The voices cannot be read')
  assert.equal(answer.json.error, 'Bad Gateway')
  assert.ok(logs().includes('xyzzy'))
})

test('5 a draining server refuses new work with a 503 in the same shape', async () => {
  const { app, ana, anonymous } = await startTestApp()
  const { json: agent } = await ana.post('/api/agents', anAgent)
  app.drain()
  assertError(await anonymous({ method: 'GET', url: '/readyz' }), 503)
  assertError(await ana.post('/api/calls/outbound', { toNumber: '+5511999990000', agentId: agent.id }), 503)
  assert.equal((await ana.get('/api/agents')).status, 200)
})

test('a time needs its offset and a day that exists, in bodies and in queries', async () => {
  const { ana } = await testApp()
  const wrong = [
    '2026-12-01T09:00:00',
    '2026-12-01T09:00',
    '2026-12-01',
    '2026-02-30T09:00:00Z',
    '2026-12-01T24:00:00Z',
    '2026-12-01T09:00:00-3',
    '2026-12-01 09:00:00Z',
  ]
  const list = (effectiveAt: string) => ana.post('/api/suppression-lists', { name: 'x', effectiveAt })
  for (const at of wrong) {
    const field = (name: string) => new RegExp(`${name} must be a time with its offset from UTC`)
    assertError(await list(at), 400, field('effectiveAt'))
    assertError(await ana.get(`/api/calls?from=${at}`), 400, field('from'))
    assertError(await ana.get(`/api/conversations?to=${at}`), 400, field('to'))
    const asked = { phoneNumber: '+5511987654321', at }
    assertError(await ana.post('/api/calling-rules/br-strict/ask', asked), 400, field('at'))
    const campaign = { name: 'x', agentId: 'agt_x', schedule: { startAt: at } }
    assertError(await ana.post('/api/campaigns', campaign), 400, field('schedule.startAt'))
  }
  const right = [
    '2024-02-29T12:00:00Z',
    '2024-02-29T09:00:00.000-03:00',
    '2024-02-29T09:00-03:00',
    '2024-02-29t12:00:00z',
  ]
  for (const at of right) {
    assert.equal((await list(at)).json.effectiveAt, '2024-02-29T12:00:00.000Z', at)
    assert.equal((await ana.get(`/api/calls?from=${encodeURIComponent(at)}`)).status, 200, at)
  }
})
