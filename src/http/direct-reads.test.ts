// Direct reads give the response that Fastify gives, and leave everything unusual to it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { anAgent, type Client, startTestApp } from '../../test/app.ts'
import type { KeyGrant } from './auth.ts'
import { type DirectParts, DirectReads, plainHeaders } from './direct-reads.ts'
import { memoryRateLimiter } from './rate-limit.ts'

test('direct reads: headers that only Fastify handles', () => {
  const plain = ['Host', 'a', 'X-Api-Key', 'secret', 'X-Request-Id', 'r1']
  assert.deepEqual(plainHeaders(plain), { key: 'secret', requestId: 'r1' })
  assert.equal(plainHeaders(['X-Api-Key', 'secret']), undefined, 'no host')
  assert.equal(plainHeaders(['Host', 'a']), undefined, 'no key')
  for (const more of [
    ['x-api-key', 'other'],
    ['x-request-id', 'r2'],
    ['Content-Length', '2'],
    ['Transfer-Encoding', 'chunked'],
    ['Expect', '100-continue'],
  ])
    assert.equal(plainHeaders([...plain, ...more]), undefined, more[0])
})

type Read = { status: number; text: string; headers: Record<string, string> }

/** Over a socket, because inject does not pass the server; without the debug log, which only Fastify writes. */
const listening = (async () => {
  const base = await startTestApp()
  base.log.level = 'info'
  const address = await base.app.listen()
  const read = async ({ key }: Client, url: string): Promise<Read> => {
    const response = await fetch(address + url, { headers: { 'x-api-key': key } })
    return { status: response.status, text: await response.text(), headers: Object.fromEntries(response.headers) }
  }
  return { ...base, read }
})()

/** What differs between two requests of any kind. */
function comparable({ status, text, headers }: Read) {
  const { date, 'x-request-id': _id, ratelimit, ...same } = headers
  const steady = text.replace(/"lastUsedAt":"[^"]*"/g, '"lastUsedAt":"then"')
  return { status, text: steady, names: Object.keys(headers), same }
}
const remaining = ({ headers }: Read) => Number(/;r=(\d+);/.exec(headers.ratelimit ?? '')?.[1])

test('direct reads: the same response as through Fastify, which a query string leads to', async () => {
  const { newUser, read } = await listening
  const ana = await newUser('ana')
  const { json: agent } = await ana.post('/api/agents', { ...anAgent, name: 'Recepção ☎', settings: { a: [1] } })
  for (const url of ['/api/agents', `/api/agents/${agent.id}`, '/api/conversations']) {
    const before = await read(ana, `${url}?`)
    const direct = await read(ana, url)
    const again = await read(ana, url)
    assert.deepEqual(comparable(direct), comparable(before), url)
    assert.deepEqual(comparable(again), comparable(before), url)
    assert.equal(remaining(again), remaining(before) - 2, 'each request counts once')
  }
})

test('direct reads: a change is seen at once, and a record of someone else is not', async () => {
  const { newUser, read } = await listening
  const [ana, bia] = [await newUser('ana'), await newUser('bia')]
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const one = `/api/agents/${agent.id}`
  for (const name of ['first', 'second']) {
    await ana.patch(one, { name })
    for (const found of [await read(ana, one), await read(ana, one)]) assert.equal(JSON.parse(found.text).name, name)
    await read(bia, '/api/agents?') // her key is cached, and the record is in memory
    const before = await read(bia, '/api/agents')
    const refused = await read(bia, one)
    assert.equal(refused.status, 404)
    assert.equal(remaining(refused), remaining(before) - 1, 'a request that Fastify answers after all counts once')
  }
  await ana.delete(one)
  assert.equal((await read(ana, one)).status, 404)
})

test('direct reads: a revoked key reads nothing more', async () => {
  const { newUser, read } = await listening
  const ana = await newUser('ana')
  const other = await ana.withKey({})
  for (const url of ['/api/agents?', '/api/agents']) assert.equal((await read(other, url)).status, 200)
  const { json: keys } = await ana.get('/api/api-keys')
  for (const { id, prefix } of keys) if (other.key.startsWith(prefix)) await ana.delete(`/api/api-keys/${id}`)
  assert.equal((await read(other, '/api/agents')).status, 401)
  assert.equal((await read(ana, '/api/agents')).status, 200)
})

test('direct reads: every list gives the response that Fastify gives', async () => {
  const { newUser, read, app } = await listening
  const ana = await newUser('ana')
  await ana.post('/api/agents', anAgent)
  const { paths = {} } = app.http.swagger() as { paths?: Record<string, { get?: Operation }> }
  const isList = (url: string) =>
    paths[url]?.get?.responses?.['200']?.content?.['application/json']?.schema?.type === 'array'
  const urls = Object.keys(paths).filter((url) => url.startsWith('/api/') && !url.includes('{') && isList(url))
  assert.ok(urls.length > 10, `${urls.length} lists`)
  for (const url of urls) {
    const before = await read(ana, `${url}?`)
    assert.deepEqual(comparable(await read(ana, url)), comparable(before), url)
  }
})

type Operation = { responses?: Record<string, { content?: Record<string, { schema?: { type?: string } }> }> }

const grant: KeyGrant = {
  ...{ id: 'key_1', userId: 'usr_1', role: 'member', scopes: new Set(['agents']), rateLimit: 3, isActive: true },
  ...{ expiresAtMs: null, policy: 'policy' },
}

/** A server whose own handler answers "slow"; `cached` is what is known of the key. */
async function serverWith(cached: () => KeyGrant | undefined) {
  const slow = (_req: unknown, res: { end(text: string): void }) => res.end('slow')
  const server = createServer(slow)
  after(() => void server.close())
  const parts: DirectParts = {
    cachedKey: (secret) => (secret === 'known' ? cached() : undefined),
    used: () => {},
    limiter: memoryRateLimiter(),
    requestIdOf: () => 'r1',
    count: () => {},
    log: { isLevelEnabled: () => false } as never,
    open: { begin: () => {}, end: () => {} },
  }
  const direct = new DirectReads(parts)
  direct.add('/api/agents', 'agents', () => ({ json: '[]', bytes: 2 }))
  direct.add('/api/agents/:id', 'agents', (_grant, id) => (id === 'agt_1' ? { json: '{}', bytes: 2 } : undefined))
  direct.add('/api/keys', 'full', () => ({ json: '[]', bytes: 2 }))
  direct.install({ server, routing: slow, addHook: () => {} } as never)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return async (path: string, key = 'known', init: RequestInit = {}) =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers: { 'x-api-key': key } })).text()
}

test('direct reads: what is answered at once, and what goes on to Fastify', async () => {
  const read = await serverWith(() => ({ ...grant, rateLimit: 1000 }))
  assert.equal(await read('/api/agents'), '[]')
  assert.equal(await read('/api/agents/agt_1'), '{}')
  for (const path of [
    '/api/agents?limit=1',
    '/api/agents/agt_2',
    '/api/agents/a%2fb',
    '/api/keys',
    '/api/other',
    '/api/agents/',
  ])
    assert.equal(await read(path), 'slow', path)
  assert.equal(await read('/api/agents', 'unknown'), 'slow')
  assert.equal(await read('/api/agents', 'known', { method: 'POST' }), 'slow')
})

test('direct reads: a key that is revoked, expired, of a disabled user or over its limit goes on to Fastify', async () => {
  let now: KeyGrant | undefined = grant
  const read = await serverWith(() => now)
  assert.equal(await read('/api/agents'), '[]')
  for (const wrong of [
    { isActive: false },
    { isUserDisabled: true },
    { expiresAtMs: 1 },
    { scopes: new Set(['calls']) },
  ]) {
    now = { ...grant, ...wrong }
    assert.equal(await read('/api/agents'), 'slow', Object.keys(wrong)[0])
  }
  now = grant
  const rest = [
    await read('/api/agents'),
    await read('/api/agents/agt_2'),
    await read('/api/agents'),
    await read('/api/agents'),
  ]
  assert.deepEqual(rest, ['[]', 'slow', '[]', 'slow'], 'three of its own, and none for what Fastify counts')
})
