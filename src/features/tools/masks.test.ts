// Masked secrets of tools.
// @run sqlite
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { assertError, startTestApp, type TestApp, testApp } from '../../../test/app.ts'
import { everyRow } from '../../../test/every-row.ts'
import { masterKeys } from '../../base/crypto/master-key.ts'
import { keyRing } from '../../base/crypto/secrets.ts'
import { toolStore } from './store.ts'

const url = '/api/tools'
const MASK = '********'
const base = { name: 'x', type: 'api_request' }

/** The stored values behind the masks. */
async function secretsOf({ database, config }: TestApp, userId: string, id: string) {
  const tools = toolStore(database.db, keyRing(masterKeys(config.masterKeys, config.dataDir)))
  const { headers, authorization } = await tools.runnable(userId, id)
  return { headers, authorization }
}

const headers = { Accept: 'text/plain', 'Content-Type': 'text/x', 'X-Token': 'planted-h1', Authorization: 'planted-h2' }
const authorization = { type: 'basic', username: 'ana', password: 'planted-a1', extra: { deep: ['planted-a2', 7] } }
const privateKey = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
}).privateKey
const shownHeaders = { Accept: 'text/plain', 'Content-Type': 'text/x', 'X-Token': MASK, Authorization: MASK }
const shownAuthorization = { type: 'basic', username: 'ana', password: MASK, extra: { deep: [MASK, MASK] } }

test('122 a single tool contains its settings, with secrets masked', async () => {
  const app = await testApp()
  const { ana } = app
  const given = {
    ...base,
    parameters: { type: 'object' },
    headers,
    authorization,
    body: { a: 1 },
    messages: { start: 'x' },
    config: { timeoutMs: 2000 },
  }
  const { json: tool } = await ana.post(url, given)
  const shown = { ...given, headers: shownHeaders, authorization: shownAuthorization }
  assert.deepEqual({ ...tool, ...shown }, tool)
  assert.deepEqual((await ana.get(`${url}/${tool.id}`)).json, tool)
  assert.deepEqual(await secretsOf(app, ana.userId, tool.id), { headers, authorization })
})

test('122 unset settings are null', async () => {
  const { ana } = await testApp()
  const { json: tool } = await ana.post(url, base)
  for (const field of ['parameters', 'headers', 'authorization', 'body', 'messages', 'config'])
    assert.equal(tool[field], null)
})

test('122 each kind of authorization masks its secrets and shows its identifiers', async () => {
  const app = await testApp()
  const { ana } = app
  const kinds = [
    [{ type: 'bearer', token: 's' }, { token: MASK }],
    [{ type: 'api_key', name: 'X-Key', in: 'header', value: 's' }, { value: MASK }],
    [{ type: 'custom_header', headerName: 'X-Key', value: 's' }, { value: MASK }],
    [{ type: 'hmac', algorithm: 'sha256', secret: 's' }, { secret: MASK }],
    [
      { type: 'oauth2_client_credentials', tokenUrl: 'https://x.example/t', clientId: 'c', clientSecret: 's' },
      { clientSecret: MASK },
    ],
    [
      { type: 'google_service_account', clientEmail: 'a@b.example', privateKey, subject: 'c@b.example' },
      { privateKey: MASK },
    ],
    [
      { type: 'google_refresh_token', clientId: 'c', clientSecret: 's', refreshToken: 's' },
      { clientSecret: MASK, refreshToken: MASK },
    ],
    [
      { type: 'bearer', token: 's', pin: 1234, on: true, none: null },
      { token: MASK, pin: MASK },
    ],
  ] as const
  for (const [given, masked] of kinds) {
    const { json: tool } = await ana.post(url, { ...base, authorization: given })
    assert.deepEqual(tool.authorization, { ...given, ...masked })
    const { status } = await ana.patch(`${url}/${tool.id}`, { authorization: tool.authorization })
    assert.equal(status, 200)
    assert.deepEqual((await secretsOf(app, ana.userId, tool.id)).authorization, given)
  }
})

test('122 a PATCH that sends a tool back as it was read keeps every secret', async () => {
  const app = await testApp()
  const { ana } = app
  const { json: tool } = await ana.post(url, { ...base, headers, authorization })
  const { status, json: back } = await ana.patch(`${url}/${tool.id}`, { ...tool, name: 'renamed' })
  assert.equal(status, 200)
  assert.deepEqual(back, { ...tool, name: 'renamed', updatedAt: back.updatedAt })
  assert.deepEqual(await secretsOf(app, ana.userId, tool.id), { headers, authorization })
})

test('122 a mask keeps one secret while others are changed, added and removed', async () => {
  const app = await testApp()
  const { ana } = app
  const { json: tool } = await ana.post(url, { ...base, headers, authorization })
  const { json: after } = await ana.patch(`${url}/${tool.id}`, {
    headers: { 'x-token': MASK, 'X-New': 'n', Accept: 'a/b' },
    authorization: { type: 'basic', username: 'bia', password: MASK, extra: { deep: ['new', MASK] } },
  })
  assert.deepEqual(after.headers, { 'x-token': MASK, 'X-New': MASK, Accept: 'a/b' })
  assert.deepEqual(await secretsOf(app, ana.userId, tool.id), {
    headers: { 'x-token': 'planted-h1', 'X-New': 'n', Accept: 'a/b' },
    authorization: { type: 'basic', username: 'bia', password: 'planted-a1', extra: { deep: ['new', 7] } },
  })
  await ana.patch(`${url}/${tool.id}`, { name: 'untouched' })
  assert.equal((await secretsOf(app, ana.userId, tool.id)).headers?.['x-token'], 'planted-h1')
  await ana.patch(`${url}/${tool.id}`, { headers: null, authorization: null })
  assert.deepEqual(await secretsOf(app, ana.userId, tool.id), { headers: null, authorization: null })
})

test('122 a mask without a stored secret is an error', async () => {
  const app = await testApp()
  const { ana } = app
  assertError(await ana.post(url, { ...base, headers: { 'X-A': MASK } }), 400, /headers\.X-A/)
  assertError(await ana.post(url, { ...base, authorization: { type: 'bearer', token: MASK } }), 400, /token/)
  const { json: tool } = await ana.post(url, { ...base, headers, authorization })
  const wrong = [
    { headers: { 'X-Other': MASK } },
    { authorization: { type: 'bearer', token: MASK } },
    { authorization: { type: 'basic', password: { deep: MASK } } },
    { authorization: { ...authorization, extra: { deep: ['a', 'b', MASK] } } },
  ]
  for (const change of wrong) assertError(await ana.patch(`${url}/${tool.id}`, change), 400, /mask/)
  assert.deepEqual(await secretsOf(app, ana.userId, tool.id), { headers, authorization })
})

test('122 secrets of a tool are in no response, no log line and no row', async () => {
  const app = await startTestApp()
  const { ana, database, logs } = app
  const { json: agent } = await ana.post('/api/agents', { name: 'a', systemPrompt: 'b' })
  const first = await ana.post(url, { ...base, headers, authorization }, { 'idempotency-key': 'one' })
  const { id } = first.json
  const told = [
    first,
    await ana.post(url, { ...base, headers, authorization }, { 'idempotency-key': 'one' }),
    await ana.get(url),
    await ana.get(`${url}/${id}`),
    await ana.patch(`${url}/${id}`, { headers: { ...headers, 'X-Bad\n': 'planted-h3' } }),
    await ana.patch(`${url}/${id}`, { headers, authorization: { ...authorization, type: 5 } }),
    await ana.post(`${url}/${id}/agents/${agent.id}`),
    await ana.get(`/api/agents/${agent.id}/tools`),
    await ana.delete(`${url}/${id}/agents/${agent.id}`),
  ]
  const rows = await everyRow(database.db)
  told.push(await ana.delete(`${url}/${id}`))
  assert.match(rows, new RegExp(id))
  for (const text of [...told.map((t) => t.text), rows, logs()]) assert.doesNotMatch(text, /planted/)
})
