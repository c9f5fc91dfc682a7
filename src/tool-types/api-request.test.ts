import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { aRun, aTool, loopbackTools, runTool } from '../../test/tool-runs.ts'
import { until } from '../../test/until.ts'
import { openWebServer, sendJson, type WebHandler } from '../../test/web-server.ts'
import { guardedHttp } from '../base/outside/guarded-http.ts'
import { apiRequest } from './api-request.ts'
import { tokenSource } from './http/oauth.ts'
import type { Json, ToolContext, ToolRecord } from './ports.ts'

async function open(t: TestContext, handle: WebHandler) {
  const server = await openWebServer(t, handle)
  const kind = apiRequest(loopbackTools(t))
  const ask = (tool: Partial<ToolRecord>, args: Json = {}, place: Partial<ToolContext> = {}, signal?: AbortSignal) =>
    runTool(kind, aTool({ requestUrl: server.url, ...tool }), aRun(args, place), signal)
  return { server, kind, ask }
}
const quick = { maxRetries: 2, baseDelayMs: 1, type: 'fixed' }

test('a request is filled from the arguments and the call, and its response is filtered', async (t) => {
  const { server, ask } = await open(t, (_asked, response) =>
    sendJson(response, { order: { id: 'A1', status: 'sent', secret: 'x' }, customer: { name: 'Rui' } }),
  )
  const outcome = await ask(
    {
      method: 'post',
      requestUrl: `${server.url}/orders/{id}?lang={language}`,
      headers: { 'X-Caller': '{caller}' },
      body: { id: '{id}', n: '{n}', note: 'for {caller}', nested: [{ ok: '{ok}' }] },
      config: { responseFilter: ['order.status'], responseVariables: { customerName: 'customer.name' } },
    },
    { id: 'A/1', n: 3, ok: true },
    { variables: { caller: '+5511999', language: 'pt' } },
  )
  assert.deepEqual(outcome, { ok: true, text: '{"order.status":"sent"}', variables: { customerName: 'Rui' } })
  const [asked] = server.asked
  assert.equal(asked?.method, 'POST')
  assert.equal(asked?.url, '/orders/A%2F1?lang=pt')
  assert.equal(asked?.headers['x-caller'], '+5511999')
  assert.equal(asked?.headers['content-type'], 'application/json')
  assert.equal(asked?.headers['idempotency-key'], 'tcl_1')
  assert.deepEqual(JSON.parse(asked?.body ?? ''), { id: 'A/1', n: 3, note: 'for +5511999', nested: [{ ok: true }] })
})

test('without a configured body the unused arguments are the body; a form is sent as a form', async (t) => {
  const { server, ask } = await open(t, (_asked, response) => sendJson(response, {}))
  const requestUrl = `${server.url}/{id}`
  await ask({ method: 'PUT', requestUrl }, { id: 'x', a: 1, b: '{id}' })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  await ask({ method: 'POST', requestUrl, headers: form }, { id: 'x', a: 'b&c', d: '{id}' })
  await ask({ method: 'POST', requestUrl, headers: form, body: { q: '{id} {id}' } }, { id: 'x&y' })
  await ask({ method: 'GET', requestUrl, body: { ignored: '{nothing}' } }, { id: 'x', a: 1 })
  await ask({ method: 'DELETE', requestUrl }, { id: 'x', a: 1 })
  const bodies = ['{"a":1,"b":"{id}"}', 'a=b%26c&d=%7Bid%7D', 'q=x%26y+x%26y', '', '']
  assert.deepEqual(
    server.asked.map(({ body }) => body),
    bodies,
  )
  assert.equal(server.asked[3]?.headers['idempotency-key'], undefined)
  assert.equal(server.asked[4]?.headers['idempotency-key'], 'tcl_1')
})

test('hostile values produce one request to the same server with no extra header', async (t) => {
  const { server, ask } = await open(t, (_asked, response) => sendJson(response, {}))
  const tool = { method: 'POST', requestUrl: `${server.url}/v1/{v}/end`, headers: { 'X-V': 'v' }, body: { v: '{v}' } }
  const values = ['?x=1#', '@evil', '%2e%2e', '\r\nX: y', '．．', '{other}', '//evil.test', '"},{"admin":true', 'x\0y']
  for (const v of values) {
    server.asked.length = 0
    assert.ok((await ask(tool, { v, other: 'no' })).ok, v)
    assert.equal(server.asked.length, 1)
    const [asked] = server.asked
    assert.equal(asked?.url, `/v1/${encodeURIComponent(v)}/end`)
    assert.deepEqual(JSON.parse(asked?.body ?? ''), { v })
    assert.equal(asked?.headers.x, undefined)
  }
  server.asked.length = 0
  for (const v of ['..', '../../admin', 'x'.repeat(1_048_576), '']) assert.equal((await ask(tool, { v })).ok, false)
  const inHeader = await ask({ requestUrl: server.url, headers: { 'X-V': '{v}' } }, { v: 'a\r\nX-Admin: 1' })
  assert.deepEqual(inHeader, { ok: false, error: 'The value of v holds characters that a header cannot carry' })
  assert.equal(server.asked.length, 0)
})

test('missing values are listed, and nothing is sent', async (t) => {
  const { server, ask } = await open(t, (_asked, response) => response.end())
  const tool = { method: 'POST', requestUrl: `${server.url}/{a}`, headers: { x: '{b}' }, body: { c: '{c}', d: '{d}' } }
  const outcome = await ask(tool, { d: null })
  assert.deepEqual(outcome, { ok: false, error: 'Missing: a, b, c. Ask for it, then try again.' })
  assert.equal(server.asked.length, 0)
})

test('an error status is a failure with a short reason', async (t) => {
  const { ask, server } = await open(t, ({ url }, response) =>
    url === '/moved'
      ? response.writeHead(302, { location: '/x' }).end()
      : sendJson(response, { message: 'No such order', more: 'x'.repeat(1000) }, 404),
  )
  const outcome = await ask({ method: 'POST' })
  assert.ok(!outcome.ok && !outcome.isDoubtful)
  assert.match(outcome.error, /^The server answered with status 404: \{"message":"No such order"/)
  assert.ok(outcome.error.length < 360)
  const moved = await ask({ method: 'POST', requestUrl: `${server.url}/moved` })
  assert.ok(!moved.ok)
  assert.match(moved.error, /status 302: redirects elsewhere/)
})

test('only repeatable requests are retried after a failure', async (t) => {
  const failing: Record<string, (response: Parameters<WebHandler>[1]) => unknown> = {
    '/500': (response) => sendJson(response, {}, 500),
    '/502': (response) => sendJson(response, {}, 502),
    '/break': (response) => response.destroy(),
    '/429': (response) => sendJson(response, {}, 429),
    '/503-later': (response) => sendJson(response, {}, 503, { 'retry-after': '0' }),
    '/429-later': (response) => sendJson(response, {}, 429, { 'retry-after': new Date().toUTCString() }),
    '/404': (response) => sendJson(response, {}, 404),
  }
  const { server, ask } = await open(t, ({ url }, response) => failing[url]?.(response))
  const tries = async (method: string, path: string, more: Json = {}) => {
    server.asked.length = 0
    const outcome = await ask({ method, requestUrl: `${server.url}${path}`, config: { retry: quick, ...more } })
    assert.ok(!outcome.ok)
    return `${server.asked.length}${outcome.isDoubtful ? ' in doubt' : ''}`
  }
  for (const path of ['/500', '/break', '/429', '/503-later', '/429-later'])
    assert.equal(await tries('GET', path), '3', path)
  assert.equal(await tries('GET', '/404'), '1')
  for (const method of ['PUT', 'DELETE']) assert.equal(await tries(method, '/break'), '3 in doubt')
  for (const method of ['POST', 'PATCH']) {
    assert.equal(await tries(method, '/500'), '1')
    assert.equal(await tries(method, '/502'), '1 in doubt')
    assert.equal(await tries(method, '/break'), '1 in doubt')
    assert.equal(await tries(method, '/429'), '1')
    assert.equal(await tries(method, '/503-later'), '3')
    assert.equal(await tries(method, '/break', { idempotent: true }), '3 in doubt')
    assert.equal(await tries(method, '/500', { retry: null }), '1')
  }
  assert.ok(server.asked.every(({ headers }) => headers['idempotency-key'] === 'tcl_1'))
})

test('a request that never reached the server is always retried, and a forbidden address never', async (t) => {
  const server = await openWebServer(t, (_asked, response) => sendJson(response, { ok: 1 }))
  let dialed = 0
  const http = guardedHttp({
    allowedNetworks: ['127.0.0.0/8'],
    dial: () => {
      const socket = connect({ host: '127.0.0.1', port: server.port })
      return ++dialed < 3 ? socket.destroy(new Error('nobody there')) : socket
    },
  })
  t.after(() => http.close())
  const kind = apiRequest({ http, tokens: tokenSource(http) })
  const ask = (requestUrl: string, maxRetries: number) => {
    const config = { retry: { ...quick, maxRetries } }
    return runTool(kind, aTool({ method: 'POST', requestUrl, config }), aRun())
  }
  assert.deepEqual(await ask('http://127.0.0.1/', 0), { ok: false, error: '127.0.0.1 could not be reached' })
  assert.deepEqual(await ask('http://127.0.0.1/', 1), { ok: true, text: '{"ok":1}' })
  assert.equal(dialed, 3)
  const refused = await ask('http://10.0.0.1/', 2)
  assert.deepEqual(refused, { ok: false, error: '10.0.0.1 is in a network that tools may not reach' })
  assert.deepEqual([dialed, server.asked.length], [3, 1])
})

test('all attempts share one timeout, and a delay beyond it is not waited for', async (t) => {
  const { server, ask } = await open(t, ({ url }, response) => {
    if (url === '/later') sendJson(response, {}, 503, { 'retry-after': '3600' })
  })
  const config = { timeoutMs: 30_000, retry: { maxRetries: 10, baseDelayMs: 1 } }
  const silent = await ask({ method: 'POST', config: { ...config, timeoutMs: 1500 } })
  assert.deepEqual(silent, {
    ok: false,
    error: `127.0.0.1:${server.port} did not answer in time; nobody knows whether it was done`,
    isDoubtful: true,
  })
  const later = await ask({ requestUrl: `${server.url}/later`, config })
  assert.ok(!later.ok)
  assert.match(later.error, /status 503/) // the requested hour is not waited for
  const leave = new AbortController()
  const asking = ask({ method: 'POST' }, {}, {}, leave.signal)
  await until('it arrived', () => server.asked.length === 3)
  leave.abort()
  const left = await asking
  assert.ok(!left.ok && left.isDoubtful)
})

test('a response over the size limit is a failure that says so', async (t) => {
  const { ask } = await open(t, (_asked, response) => sendJson(response, { a: 'x'.repeat(5000) }))
  assert.ok((await ask({ config: { maxResponseBytes: 10_000 } })).ok)
  const outcome = await ask({ config: { maxResponseBytes: 1000 } })
  const words = 'The server has answered, but the answer has more than 1000 bytes, more than is read'
  assert.deepEqual(outcome, { ok: false, error: words })
  const posted = await ask({ method: 'POST', config: { maxResponseBytes: 1000 } })
  assert.deepEqual(posted, { ok: false, error: `${words}. Do not send it again` }, 'answered: not in doubt')
})

test('an unusable tool offers nothing and says why', async (t) => {
  const { kind } = await open(t, () => {})
  const problems: [Partial<ToolRecord>, RegExp][] = [
    [{}, /requestUrl/],
    [{ requestUrl: 'http://x.test/', authorization: { type: 'bearer' } }, /token/],
    [{ requestUrl: 'http://x.test/', config: { responseFilter: ['a..b'] } }, /responseFilter: a\.\.b is no path/],
    [{ requestUrl: 'http://x.test/', config: { responseVariables: { a: '[' } } }, /responseVariables/],
  ]
  for (const [fields, why] of problems) {
    assert.match(kind.problem?.(aTool(fields)) ?? '', why)
    assert.deepEqual(kind.functions(aTool(fields)), [])
  }
  const [get] = kind.functions(aTool({ requestUrl: 'http://x.test/' }))
  assert.deepEqual([get?.hasEffect, get?.isRepeatable, get?.timeoutMs], [false, true, 15_000])
  const [post] = kind.functions(aTool({ requestUrl: 'http://x.test/', method: 'POST', config: { timeoutMs: 500 } }))
  assert.deepEqual([post?.hasEffect, post?.isRepeatable, post?.timeoutMs], [true, false, 500])
})
