// Scopes: which key may use which endpoint, tested on all endpoints.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aNumber, anAgent, assertError, type Client, testApp } from '../../test/app.ts'
import { operationsOf, urlOfMissing } from '../../test/operations.ts'
import { type Scope, scopeNames } from './scopes.ts'

/** The contract's own map. Paths not listed here need full access. */
const scopeByWord: Record<string, Scope> = {
  agents: 'agents',
  trunks: 'agents',
  'trunk-links': 'agents',
  rehearsals: 'agents',
  'rehearsal-scripts': 'agents',
  did: 'dids',
  conversations: 'conversations',
  calls: 'calls',
  callbacks: 'calls',
  campaigns: 'calls',
  suppressions: 'calls',
  'suppression-lists': 'calls',
  'calling-rules': 'calls',
  'web-calls': 'calls',
  overview: 'calls',
  tools: 'tools',
  'knowledge-bases': 'tools',
  spreadsheets: 'tools',
  tts: 'tts',
  gateway: 'gateway',
}

test('50 there are exactly these seven scopes', async () => {
  const { ana } = await testApp()
  const seven = ['agents', 'dids', 'conversations', 'calls', 'tools', 'tts', 'gateway']
  assert.deepEqual([...scopeNames], seven)
  assert.deepEqual((await ana.post('/api/api-keys', { name: 'all', scopes: seven })).json.scopes, seven)
  for (const wrong of ['Agents', 'did', 'api-keys', 'webhooks', 'full', '*', '', 'agents ', 'constructor'])
    assertError(await ana.post('/api/api-keys', { name: 'x', scopes: [wrong] }), 400)
})

test('9, 49, 51, 52, 135 each scope opens its own endpoints and no others', async () => {
  const { app, newUser } = await testApp()
  const ana = await newUser('ana', 'admin')
  const clients = new Map<Scope, Client>()
  for (const scope of scopeNames) clients.set(scope, await ana.withKey({ scopes: [scope] }))
  const opened = new Map<string, number>()
  for (const operation of operationsOf(app)) {
    if (operation.path.startsWith('/api/events')) continue // answers every key, filtered by its scopes
    const isHook = /^\/api\/(did|agents)\/\{id\}\/answer-hook/.test(operation.path)
    const needed = isHook ? undefined : scopeByWord[operation.path.split('/')[2] ?? '']
    const request = { method: operation.method, url: urlOfMissing(operation, ana) }
    for (const [scope, client] of clients) {
      const answer = await client.send(request)
      if (scope === needed) {
        assert.ok(answer.status !== 401 && answer.status !== 403, `${operation.title} with ${scope}: ${answer.text}`)
        opened.set(scope, (opened.get(scope) ?? 0) + 1)
      } else {
        assert.equal(answer.status, 403, `${operation.title} with ${scope}: ${answer.text}`)
        assertError(
          answer,
          403,
          needed ? `This key does not have the scope ${needed}` : 'This needs a key with full access',
        )
        assert.equal(answer.json.error, 'Forbidden')
      }
    }
    const all = await ana.send(request)
    assert.ok(all.status !== 401 && all.status !== 403, `${operation.title} with full access: ${all.text}`)
  }
  assert.deepEqual([...opened.keys()].sort(), [...scopeNames].sort())
  assert.ok((opened.get('tts') ?? 0) >= 6)
})

test('49 all seven scopes together are still not full access', async () => {
  const { ana } = await testApp()
  const all = await ana.withKey({ scopes: [...scopeNames] })
  assertError(await all.get('/api/api-keys'), 403)
  assertError(await all.post('/api/api-keys', { name: 'wider' }), 403)
  const { id } = (await ana.get('/api/api-keys')).json[0]
  assertError(await all.delete(`/api/api-keys/${id}`), 403)
  assertError(await all.delete('/api/api-keys/missing'), 403)
  assert.equal((await ana.get('/api/api-keys')).json.length, 2)
  assert.equal((await ana.get('/api/api-keys')).status, 200)
})

test('51 a key may have several scopes', async () => {
  const { ana } = await testApp()
  const two = await ana.withKey({ scopes: ['tools', 'dids'] })
  assert.equal((await two.get('/api/tools')).status, 200)
  assert.equal((await two.get('/api/did')).status, 200)
  assertError(await two.get('/api/agents'), 403)
})

test('51 linking a trunk with a number creates a DID, and needs that scope too', async () => {
  const { ana } = await testApp()
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const url = `/api/agents/${agent.id}/link-trunk`
  const agents = await ana.withKey({ scopes: ['agents'] })
  const both = await ana.withKey({ scopes: ['agents', 'dids'] })
  const dids = await ana.withKey({ scopes: ['dids'] })
  const link = { trunkId: 't1', trunkType: 'inbound' }
  const phoneNumber = aNumber()
  assertError(await agents.post(url, { ...link, phoneNumber }), 403, 'This key does not have the scope dids')
  assertError(await dids.post(url, { ...link, phoneNumber }), 403)
  assert.deepEqual((await ana.get(`/api/agents/${agent.id}/linked-trunks`)).json, [])
  assert.deepEqual((await ana.get('/api/did')).json, [])
  assert.equal((await agents.post(url, link)).status, 201)
  assert.equal((await agents.post(url, { ...link, phoneNumber: null })).status, 200)
  assert.equal((await both.post(url, { ...link, phoneNumber })).status, 200)
  assert.equal((await ana.get('/api/did')).json[0].phoneNumber, phoneNumber)
})

test('51 the scope follows the first segment of the path, not the folder of the code', async () => {
  const { ana } = await testApp()
  const can = async (scope: Scope, method: 'GET' | 'POST', url: string) =>
    (await (await ana.withKey({ scopes: [scope] })).send({ method, url })).status !== 403
  assert.equal(await can('gateway', 'POST', '/api/gateway/calls/outbound'), true)
  assert.equal(await can('calls', 'POST', '/api/gateway/calls/outbound'), false)
  assert.equal(await can('gateway', 'GET', '/api/gateway/calls/recordings/x'), true)
  assert.equal(await can('calls', 'GET', '/api/gateway/calls/recordings/x'), false)
  assert.equal(await can('agents', 'GET', '/api/agents/x/tools'), true)
  assert.equal(await can('tools', 'GET', '/api/agents/x/tools'), false)
  assert.equal(await can('tools', 'POST', '/api/tools/x/agents/y'), true)
  assert.equal(await can('agents', 'POST', '/api/tools/x/agents/y'), false)
})

test('9, 51 no spelling of a path or method bypasses a scope', async () => {
  const { ana } = await testApp()
  const tts = await ana.withKey({ scopes: ['tts'] })
  for (const url of [
    '/api/agents',
    '/api/agents/',
    '/api/%61gents',
    '/api/%61%67ents/',
    '/api/agents?scope=tts',
    '/api/agents#tts',
  ])
    assertError(await tts.get(url), 403)
  assert.equal((await tts.send({ method: 'HEAD', url: '/api/agents' })).status, 403)
  assertError(await tts.get('/api//agents'), 404)
  assertError(await tts.get('/api/tts/../agents'), 403)
  assertError(await tts.get('/api/tts/%2e%2e/agents'), 403)
  assertError(await tts.get('/api/tts/..%2fagents'), 404)
  for (const name of [
    'x-http-method-override',
    'x-http-method',
    'x-method-override',
    'x-original-url',
    'x-rewrite-url',
  ]) {
    assertError(await tts.post('/api/agents', anAgent, { [name]: 'GET' }), 403)
    assertError(await tts.get('/api/agents', { [name]: '/api/tts/provider_a/voices' }), 403)
  }
  assert.deepEqual((await ana.get('/api/agents')).json, [])
})

test('10 a scoped key gets 404 and 405 for paths and methods that do not exist', async () => {
  const { ana } = await testApp()
  const tts = await ana.withKey({ scopes: ['tts'] })
  assertError(await tts.get('/api/nothing'), 404)
  assertError(await tts.send({ method: 'PUT', url: '/api/agents' }), 405)
})
