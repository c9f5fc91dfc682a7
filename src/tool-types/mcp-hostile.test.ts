// MCP servers that are malicious or unusable.
// @run own-process: it measures memory and the event loop, or moves the clock.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import { freeSipPort } from '../../test/phones/ports.ts'
import { aTool, loopbackTools } from '../../test/tool-runs.ts'
import { until } from '../../test/until.ts'
import { openWebServer, type WebRequest } from '../../test/web-server.ts'
import { guardedHttp } from '../base/outside/guarded-http.ts'
import { tokenSource } from './http/oauth.ts'
import { mcp } from './mcp.ts'
import type { McpTimes } from './mcp-link.ts'
import type { Json } from './ports.ts'

const MB = 1_048_576

type Hostile = {
  tools?: () => object[]
  /** Response to a GET, which opens the server's stream. */
  stream?: (response: ServerResponse) => unknown
  /** Runs before the protocol handler. */
  first?: (asked: WebRequest, response: ServerResponse) => boolean
}

/** A minimal server; counts tool listings. */
async function startServer(t: TestContext, { tools = () => [], stream, first }: Hostile) {
  let listings = 0
  const initialized = {
    protocolVersion: '2025-03-26',
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 's', version: '1' },
  }
  const server = await openWebServer(t, (asked, response) => {
    if (first?.(asked, response)) return
    if (asked.method !== 'POST') return stream ? stream(response) : response.writeHead(405).end()
    const { id, method } = JSON.parse(asked.body)
    if (id === undefined) return response.writeHead(202).end()
    if (method === 'tools/list') listings++
    const result = method === 'initialize' ? initialized : { tools: tools() }
    response.writeHead(200, { 'content-type': 'application/json' })
    return response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  })
  return { ...server, listings: () => listings }
}

function open(t: TestContext, url: string, times: McpTimes = {}, fields: object = {}) {
  const kind = mcp({ ...loopbackTools(t), times })
  t.after(() => kind.close())
  const tool = aTool({ type: 'mcp', name: 'office', requestUrl: url, ...fields })
  return { kind, tool, ready: () => kind.ready(tool), names: () => kind.functions(tool).map(({ name }) => name) }
}

const plain = { type: 'object', properties: { a: { type: 'string' } } }
const large = (letters: number) => ({ ...plain, description: 'x'.repeat(letters) })
const changed = `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })}\n\n`
const asStream = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' })

test('a server with thousands of tools is listed up to the limit, without blocking the event loop', async (t) => {
  const wide = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [`p${i}`, { type: 'string', pattern: `^a${i}` }]),
  )
  const many = Array.from({ length: 2000 }, (_, i) => ({ name: `t${i}`, inputSchema: { ...plain, properties: wide } }))
  const { url } = await startServer(t, { tools: () => many })
  const { ready, names } = open(t, url)
  let breaths = 0
  const beat = setInterval(() => breaths++, 1)
  await ready()
  clearInterval(beat)
  assert.ok(names().length > 50 && names().length <= 128, `${names().length} tools`)
  assert.ok(breaths >= names().length / 2, `${breaths} breaths`)
})

test('schemas over the size limits are skipped, and so are tools that only run as tasks', async (t) => {
  const tools = [
    { name: 'huge', inputSchema: large(17_000) },
    { name: 'task', inputSchema: plain, execution: { taskSupport: 'required' } },
    { name: 'maybe', inputSchema: plain, execution: { taskSupport: 'optional' } },
    ...Array.from({ length: 30 }, (_, i) => ({ name: `big${i}`, inputSchema: large(15_000) })),
  ]
  const evil = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } }
  const { url } = await startServer(t, { tools: () => tools.map((tool) => ({ ...tool, outputSchema: evil })) })
  const { ready, names } = open(t, url)
  await ready()
  assert.deepEqual(names().slice(0, 2), ['office__maybe', 'office__big0'])
  assert.equal(names().length, 1 + 17, '256 KB of schemas in all')
})

test('a server that keeps reporting tool changes is listed only at intervals', async (t) => {
  let told = 0
  const { url, listings } = await startServer(t, {
    tools: () => [{ name: listings() > 1 ? 'later' : 'first', inputSchema: plain }],
    stream(response) {
      asStream(response)
      const tell = setInterval(() => {
        response.write(changed)
        told++
      }, 5)
      response.once('close', () => clearInterval(tell))
    },
  })
  const relistMs = 300
  const { ready, names } = open(t, url, { relistMs })
  const begun = performance.now()
  await ready()
  assert.deepEqual(names(), ['office__first'])
  await until('the new tools are known', () => names()[0] === 'office__later')
  await until('it was told often', () => told > 20)
  const most = 2 + (performance.now() - begun) / relistMs
  assert.ok(listings() <= most, `it was asked ${listings()} times, at most ${most}`)
})

test('an endless event is aborted, and a stream of complete events may continue', async (t) => {
  const ends = ['\n\n', '\r\n\r\n', '\r\r']
  const server = await openWebServer(t, ({ url }, response) => {
    asStream(response)
    const end = url === '/endless' ? '\n' : (ends[Number(url.slice(1))] ?? '')
    const piece = Buffer.from(`data: ${'x'.repeat(65_536)}${end}`)
    let written = 0
    const pour = () => {
      while (!response.destroyed && written < 20 * MB) {
        written += piece.length
        if (!response.write(piece)) return void response.once('drain', pour)
      }
      response.end()
    }
    pour()
  })
  const { http } = loopbackTools(t)
  const read = async (path: string) => {
    let size = 0
    for await (const piece of (await http.fetch(`${server.url}${path}`)).body ?? []) size += piece.length
    return size
  }
  for (const path of ['/0', '/1', '/2']) assert.ok((await read(path)) >= 20 * MB, path)
  await assert.rejects(read('/endless'), /an event has more than 4194304 bytes/)
  await until('its connection ended', () => server.open() <= 3)
})

test('an idle or endless stream is closed', async (t) => {
  const server = await openWebServer(t, ({ url }, response) => {
    asStream(response).write('data: 1\n\n')
    if (url === '/silent') return
    const tell = setInterval(() => response.write('data: 1\n\n'), 5)
    response.once('close', () => clearInterval(tell))
  })
  const http = guardedHttp({ allowedNetworks: ['127.0.0.0/8'], streamIdleMs: 200, streamMs: 600 })
  t.after(() => http.close())
  const read = async (path: string) => {
    for await (const _ of (await http.fetch(`${server.url}${path}`)).body ?? []);
  }
  await assert.rejects(read('/silent'))
  await assert.rejects(read('/endless'))
  await until('no connection is left', () => server.open() === 0)
})

test('an unused connection is closed with its streams, and reopened when it is needed', async (t) => {
  const server = await startServer(t, { tools: () => [{ name: 'a', inputSchema: plain }], stream: asStream })
  const { ready, names } = open(t, server.url, { unusedMs: 200 })
  await ready()
  assert.deepEqual(names(), ['office__a'])
  const streams = () => server.asked.filter(({ method }) => method === 'GET').length
  await until('its stream is open', () => streams() === 1)
  const listed = server.listings()
  await until('the link is let go and made anew', async () => {
    await new Promise((wake) => setTimeout(wake, 250))
    await ready()
    return server.listings() > listed
  })
  assert.deepEqual(names(), ['office__a'])
})

test('a server that closes its streams at once is not reconnected forever', async (t) => {
  let streams = 0
  const { url } = await startServer(t, {
    tools: () => [{ name: 'a', inputSchema: plain }],
    stream(response) {
      streams++
      asStream(response).end('retry: 0\ndata: {}\n\n')
    },
  })
  const { ready, names } = open(t, url)
  await ready()
  await until('it was asked some times', () => streams >= 10)
  await new Promise((wake) => setTimeout(wake, 300))
  assert.ok(streams <= 11, `${streams} streams`)
  assert.deepEqual(names(), ['office__a'], 'what is known stays on offer')
})

test('the connection error says why a server cannot be used, without secrets', async (t) => {
  const secret = 'planted-secret'
  const answer = (status: number, type: string, body: string) => (_: WebRequest, response: ServerResponse) => {
    response.writeHead(status, { 'content-type': type }).end(body)
    return true
  }
  const cases: [what: string, first: NonNullable<Hostile['first']>, told: RegExp][] = [
    ['refused', answer(401, 'text/plain', `no entry for ${secret}`), /401.*no entry for \*{8}/s],
    ['a page', answer(200, 'text/html', '<html>'), /content type: text\/html/],
    ['not there', answer(404, 'text/plain', 'nothing'), /404/],
    ['silence', () => true, /timed out/i],
  ]
  const headers = { 'x-key': secret }
  for (const [what, first, told] of cases) {
    const config: Json = what === 'silence' ? { connectTimeoutMs: 300 } : {}
    const { url } = await startServer(t, { first })
    const { kind, tool, ready, names } = open(t, url, {}, { headers, config })
    assert.equal(kind.problem?.(tool), null, 'nothing is known yet')
    await ready()
    assert.match(kind.problem?.(tool) ?? '', told, what)
    assert.doesNotMatch(kind.problem?.(tool) ?? '', /planted/)
    assert.deepEqual(names(), [])
  }
  const empty = open(t, (await startServer(t, {})).url)
  await empty.ready()
  assert.match(empty.kind.problem?.(empty.tool) ?? '', /has no tool that can be used/)
  const denied = open(
    t,
    (await startServer(t, { tools: () => [{ name: 'a', inputSchema: plain }] })).url,
    {},
    { config: { allowTools: ['b'] } },
  )
  await denied.ready()
  assert.match(denied.kind.problem?.(denied.tool) ?? '', /leave nothing; the server has: a/)
})

test('a closed port and a forbidden network are reported as such', async (t) => {
  const server = await startServer(t, {})
  const http = guardedHttp()
  t.after(() => http.close())
  const kind = mcp({ http, tokens: tokenSource(http) })
  t.after(() => kind.close())
  const tool = aTool({ type: 'mcp', requestUrl: server.url })
  await kind.ready(tool)
  assert.match(kind.problem?.(tool) ?? '', /network that tools may not reach/)
  const closed = open(t, `http://127.0.0.1:${await freeSipPort()}/`)
  await closed.ready()
  assert.match(closed.kind.problem?.(closed.tool) ?? '', /could not be reached/)
})
