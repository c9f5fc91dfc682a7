// What the HTTP balancer of deploy/haproxy tells a node about the client.
import assert from 'node:assert/strict'
import { test } from 'node:test'
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
