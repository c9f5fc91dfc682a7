// The mcp tool against the reference server and against misbehaving servers.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startMcpServer } from '../../test/mcp-server.ts'
import { aRun, aTool, loopbackTools } from '../../test/tool-runs.ts'
import { openWebServer } from '../../test/web-server.ts'
import { guardedHttp } from '../base/outside/guarded-http.ts'
import { tokenSource } from './http/oauth.ts'
import { mcp } from './mcp.ts'
import type { Json, ToolRecord, ToolType } from './ports.ts'

const never = new AbortController().signal

function open(t: TestContext, parts = loopbackTools(t)) {
  const kind = mcp(parts)
  t.after(() => kind.close())
  return kind
}

const server = (requestUrl: string, config: Json = {}) => aTool({ type: 'mcp', name: 'office', requestUrl, config })

async function ask(kind: ToolType, tool: ToolRecord, name: string, args: Json) {
  await kind.ready?.(tool)
  const offer = kind.functions(tool).find((each) => each.name === `office__${name}`) ?? assert.fail(`no ${name}`)
  return offer.run(aRun(args), never)
}

test("the reference server's tools are listed and called, within the allow and deny lists", async (t) => {
  const { url } = await startMcpServer(t, 'streamableHttp')
  const kind = open(t)
  const all = server(url)
  assert.deepEqual(kind.functions(all), [], 'nothing is waited for')
  await kind.ready(all)
  const offers = kind.functions(all)
  assert.ok(offers.length > 5)
  const echo = offers.find(({ name }) => name === 'office__echo')
  assert.match(echo?.description ?? '', /echo/i)
  assert.deepEqual(Object.keys((echo?.parameters.properties ?? {}) as Json), ['message'])
  assert.deepEqual(await ask(kind, all, 'echo', { message: 'bom dia' }), { ok: true, text: 'Echo: bom dia' })
  const sum = await ask(kind, all, 'get-sum', { a: 2, b: 40 })
  assert.ok(sum.ok && sum.text.includes('42'), JSON.stringify(sum))
  const image = await ask(kind, all, 'get-tiny-image', {})
  assert.ok(image.ok && image.text.includes('(image: image/png)'), JSON.stringify(image))

  const some = server(url, { allowTools: ['echo', 'get-sum'], denyTools: ['get-sum'] })
  await kind.ready(some)
  assert.deepEqual(
    kind.functions(some).map(({ name }) => name),
    ['office__echo'],
  )
  const spoken = server(url, { allowTools: ['echo'], toolMessages: { echo: { start: 'Um momento.' } } })
  await kind.ready(spoken)
  assert.deepEqual(kind.functions(spoken)[0]?.messages, { start: 'Um momento.' })
})

test('refused arguments and a timeout are failures with a readable message', async (t) => {
  const { url } = await startMcpServer(t, 'streamableHttp')
  const kind = open(t)
  const refused = await ask(kind, server(url), 'get-sum', { a: 'two' })
  assert.ok(!refused.ok && /a/.test(refused.error), JSON.stringify(refused))
  const slow = server(url, { timeoutMs: 300 })
  const late = await ask(kind, slow, 'trigger-long-running-operation', { duration: 5, steps: 5 })
  assert.ok(!late.ok)
  assert.equal(late.error, 'The server did not answer in time')
  assert.equal(late.isDoubtful, undefined, 'the server says that it only reads')
})

test('a restarted server is reconnected, and a missing server is reported', async (t) => {
  const first = await startMcpServer(t, 'streamableHttp')
  const kind = open(t)
  const tool = server(first.url)
  assert.ok((await ask(kind, tool, 'echo', { message: 'one' })).ok)
  await first.stop()
  const again = await startMcpServer(t, 'streamableHttp', first.port)
  assert.deepEqual(await ask(kind, tool, 'echo', { message: 'two' }), { ok: true, text: 'Echo: two' })
  await again.stop()
  const gone = await ask(kind, tool, 'echo', { message: 'three' })
  assert.ok(!gone.ok && /could not be reached/.test(gone.error), JSON.stringify(gone))
})

test('the older SSE transport works', async (t) => {
  const { url } = await startMcpServer(t, 'sse')
  const kind = open(t)
  const tool = server(url, { transport: 'sse' })
  assert.deepEqual(await ask(kind, tool, 'echo', { message: 'olá' }), { ok: true, text: 'Echo: olá' })
})

test('a server in a forbidden network is not reached', async (t) => {
  let hits = 0
  const { url } = await openWebServer(t, (_asked, response) => {
    hits++
    response.end()
  })
  const http = guardedHttp()
  t.after(() => http.close())
  const kind = open(t, { http, tokens: tokenSource(http) })
  const tool = server(url)
  await kind.ready(tool)
  assert.deepEqual(kind.functions(tool), [])
  assert.equal(hits, 0)
})

test("the tool's authorization is sent, and a hostile schema is skipped", async (t) => {
  const tools = [
    { name: 'good', inputSchema: { type: 'object', properties: { a: { type: 'string' } } } },
    { name: 'far', inputSchema: { type: 'object', $ref: 'https://evil.example/schema' } },
    { name: 'slow', inputSchema: { type: 'object', properties: { a: { type: 'string', pattern: '(?=x)y' } } } },
  ]
  const results: Record<string, unknown> = {
    initialize: { protocolVersion: '2025-03-26', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
    'tools/list': { tools },
  }
  const { url, asked } = await openWebServer(t, ({ method, body }, response) => {
    if (method !== 'POST') return response.writeHead(405).end()
    const { id, method: named } = JSON.parse(body)
    if (id === undefined) return response.writeHead(202).end()
    response.writeHead(200, { 'content-type': 'application/json' })
    return response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[named] }))
  })
  const kind = open(t)
  const tool = { ...server(url), authorization: { type: 'bearer', token: 'planted' }, headers: { 'x-office': 'north' } }
  await kind.ready(tool)
  assert.deepEqual(
    kind.functions(tool).map(({ name }) => name),
    ['office__good'],
  )
  assert.ok(asked.length >= 2)
  for (const { headers } of asked) {
    assert.equal(headers.authorization, 'Bearer planted')
    assert.equal(headers['x-office'], 'north')
  }
})
