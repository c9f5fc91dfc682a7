// What the HTTP load balancer of deploy/haproxy tells a node about the client.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../until.ts'
import { openWebServer } from '../web-server.ts'
import { startHaproxy } from './haproxy.ts'

test('a node learns the real address of the client, and a write is never sent twice', async (t) => {
  const server = await openWebServer(t, ({ url }, response) => {
    if (url === '/readyz') return response.end('{}')
    response.writeHead(url === '/busy' ? 503 : 200).end('{}')
  })
  const balancer = await startHaproxy([server.url, server.url])
  t.after(balancer.stop)
  const forged = { 'x-forwarded-for': '203.0.113.7', forwarded: 'for=203.0.113.7', 'x-forwarded-proto': 'https' }
  const ask = (path: string, init: RequestInit = {}) => fetch(`${balancer.url}${path}`, init)
  await ask('/api/agents', { headers: { ...forged, 'x-forwarded-host': 'evil.example' } })
  const [request] = server.asked.filter(({ url }) => url === '/api/agents')
  assert.deepEqual(
    ['x-forwarded-for', 'x-forwarded-proto', 'forwarded', 'x-forwarded-host'].map((name) => request?.headers[name]),
    ['127.0.0.1', 'http', undefined, undefined],
  )
  const busy = () => server.asked.filter(({ url }) => url === '/busy').length
  assert.equal((await ask('/busy', { method: 'POST', body: '{}' })).status, 503)
  assert.equal(busy(), 1)
  await ask('/busy')
  assert.ok(busy() > 2, 'a read is tried at another node')
  assert.equal((await ask('/metrics')).status, 404)
})

test('while no node is ready, the nodes still answer: with their error, and the page', async (t) => {
  let isReady = true
  const server = await openWebServer(t, ({ url }, response) => {
    if (isReady || url === '/') return response.end('{}')
    response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '5' })
    response.end('{"error":"database_unreachable"}')
  })
  const balancer = await startHaproxy([server.url, server.url])
  t.after(balancer.stop)
  assert.match((await balancer.servedBy()) ?? '', /^node-/, 'a ready node')
  isReady = false
  await until('both are out', async () => /^last-/.test((await fetch(balancer.url)).headers.get('x-served-by') ?? ''))
  const refused = await fetch(`${balancer.url}/api/agents`)
  assert.deepEqual(
    [refused.status, refused.headers.get('retry-after'), await refused.json()],
    [503, '5', { error: 'database_unreachable' }],
  )
  assert.equal((await fetch(balancer.url)).status, 200)
  isReady = true
  await until('one is back', async () => /^node-/.test((await balancer.servedBy()) ?? ''))
})
