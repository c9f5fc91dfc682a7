// Health checks, metrics, the OpenAPI document and the API reference.
// @run rest-nodes
import assert from 'node:assert/strict'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { test } from 'node:test'
import {
  anAgent,
  assertError,
  atEnd,
  newPostgresDatabase,
  startTestApp,
  testApp,
  usesTwoNodes,
} from '../../test/app.ts'
import { scopeNames } from './scopes.ts'

const elsewhere = { remoteAddress: '203.0.113.7' } // an address reserved for documentation

test('136 /healthz and /readyz need no key', async () => {
  const { anonymous } = await testApp()
  for (const [url, status] of [
    ['/healthz', 'ok'],
    ['/readyz', 'ready'],
  ] as const) {
    for (const headers of [{}, { 'x-api-key': 'wrong' }]) {
      const answer = await anonymous({ url, headers, ...elsewhere })
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.json, { status })
    }
    assert.equal((await anonymous({ method: 'HEAD', url })).status, 200)
    assertError(await anonymous({ method: 'POST', url }), 405)
  }
})

test('136 ready means that the port is open', async () => {
  const { app } = await startTestApp()
  const base = await app.listen()
  assert.equal((await fetch(`${base}/readyz`)).status, 200)
  assert.equal((await fetch(`${base}/healthz`)).status, 200)
})

test('136 without its database the service is alive but not ready, and ready again when the database is back', async () => {
  const url = new URL(await newPostgresDatabase())
  const line = await breakableLine(url)
  const { anonymous, ana } = await startTestApp({ DATABASE_URL: line.url })
  assert.equal((await anonymous({ url: '/readyz' })).status, 200)
  await line.cut()
  assertError(await anonymous({ url: '/readyz' }), 503)
  assertError(await ana.post('/api/agents', anAgent), 503)
  assert.equal((await anonymous({ url: '/healthz' })).status, 200)
  await line.mend()
  assert.equal((await anonymous({ url: '/readyz' })).status, 200)
  assert.equal((await ana.post('/api/agents', anAgent)).status, 201)
})

test('136 during shutdown the service is alive but not ready', async () => {
  const { nodes, anonymous, ana } = await startTestApp()
  for (const node of nodes) node.drain()
  assertError(await anonymous({ url: '/readyz' }), 503)
  assert.equal((await anonymous({ url: '/healthz' })).status, 200)
  assert.equal((await ana.get('/api/agents')).status, 200, 'what is not a call is still done')
})

test('136 health endpoints are not part of the API: their paths are not below /api', async () => {
  const { ana } = await testApp()
  for (const path of ['healthz', 'readyz', 'metrics', 'docs', 'openapi.json'])
    assertError(await ana.get(`/api/${path}`), 404)
})

test('136 /metrics answers loopback without a key, in the Prometheus text format', {
  skip: usesTwoNodes && 'each node has its own metrics',
}, async () => {
  const { ana, anonymous } = await startTestApp()
  await ana.get('/api/agents/some-id')
  await anonymous({ url: '/no/such/path' })
  for (const remoteAddress of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
    const { status, headers, text } = await anonymous({ url: '/metrics', remoteAddress })
    assert.equal(status, 200)
    assert.match(String(headers['content-type']), /^text\/plain/)
    assert.match(text, /^# TYPE http_request_duration_seconds histogram$/m)
    assert.match(text, /http_request_duration_seconds_count\{method="GET",route="\/api\/agents\/:id",status="404"\} 1/)
    assert.match(text, /route="unknown",status="404"/)
    assert.doesNotMatch(text, /some-id|no\/such/, 'labels hold routes, never what was asked for')
    assert.match(text, /^process_cpu_seconds_total /m)
  }
})

test('136 /metrics answers others only with a full-access key of an administrator', async () => {
  const { ana: member, newUser, anonymous } = await testApp()
  const ana = await newUser('ana', 'admin')
  assertError(await member.send({ url: '/metrics', ...elsewhere }), 403, /administrator/)
  assertError(await anonymous({ url: '/metrics', ...elsewhere }), 401)
  assertError(await anonymous({ url: '/metrics', headers: { 'x-api-key': 'wrong' }, ...elsewhere }), 401)
  assert.equal((await ana.send({ url: '/metrics', ...elsewhere })).status, 200)
  const scoped = await ana.withKey({ scopes: [...scopeNames] })
  assertError(await scoped.send({ url: '/metrics', ...elsewhere }), 403)
})

test('136 a proxied request is not loopback, whatever its headers say', async () => {
  for (const env of [{}, { TRUST_PROXY: 'true' }, { TRUST_PROXY: '127.0.0.1' }]) {
    const { anonymous } = await startTestApp(env as Record<string, string>)
    for (const headers of [
      { 'x-forwarded-for': '203.0.113.7' },
      { 'x-forwarded-for': '127.0.0.1' },
      { 'x-forwarded-for': '127.0.0.1, 203.0.113.7' },
      { forwarded: 'for=127.0.0.1' },
    ] as Record<string, string>[])
      assertError(await anonymous({ url: '/metrics', headers }), 401)
    assert.equal((await anonymous({ url: '/metrics' })).status, 200)
  }
})

test('136 /openapi.json and /docs need no key, and the reference lists every operation', async () => {
  const { anonymous } = await testApp()
  const { status, json: document } = await anonymous({ url: '/openapi.json', ...elsewhere })
  assert.equal(status, 200)
  assert.match(document.openapi, /^3\.1\./)
  const page = await anonymous({ url: '/docs', ...elsewhere })
  assert.equal(page.status, 200)
  assert.equal(page.headers['content-type'], 'text/html; charset=utf-8')
  const operations = Object.entries(document.paths as Record<string, Record<string, { operationId: string }>>).flatMap(
    ([path, methods]) => Object.entries(methods).map(([method, { operationId }]) => ({ path, method, operationId })),
  )
  assert.ok(operations.length >= 52)
  for (const { path, method, operationId } of operations) {
    const section = page.text.split(`<details class="operation" id="${operationId}"`)[1]
    assert.ok(section, `${method} ${path} has no section`)
    assert.ok(section.includes(`${method.toUpperCase()}</b> <code>${path}</code></h3>`), `${method} ${path}`)
    assert.ok(page.text.includes(`<a href="#${operationId}"`), `${method} ${path} is not in the index`)
  }
  assert.equal(page.text.split('<details class="operation"').length - 1, operations.length)
})

/** A TCP relay to a server, which can be cut like a cable. */
async function breakableLine(to: URL) {
  const open = new Set<Socket>()
  const keep = (socket: Socket) => {
    open.add(socket)
    return socket.once('close', () => open.delete(socket)).on('error', () => {})
  }
  const listen = (port: number) =>
    new Promise<Server>((resolve) => {
      const server = createServer((socket) => {
        const beyond = keep(connect(Number(to.port), to.hostname))
        keep(socket).pipe(beyond).pipe(socket)
        socket.once('close', () => beyond.destroy())
        beyond.once('close', () => socket.destroy())
      }).listen(port, '127.0.0.1', () => resolve(server))
    })
  let server = await listen(0)
  const { port } = server.address() as { port: number }
  const cut = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const socket of open) socket.destroy()
    })
  atEnd(cut)
  return {
    url: Object.assign(new URL(to), { port: String(port) }).href,
    cut,
    mend: async () => {
      server = await listen(port)
    },
  }
}
