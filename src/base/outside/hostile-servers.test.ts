// @run own-process: it measures memory and the event loop, or moves the clock.
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { until } from '../../../test/until.ts'
import { openWebServer, type WebHandler } from '../../../test/web-server.ts'
import { guardedHttp } from './guarded-http.ts'
import type { HttpRequest } from './http-port.ts'

const MB = 1_048_576
const never = new AbortController().signal

async function open(t: TestContext, handle: WebHandler, idleMs?: number) {
  const server = await openWebServer(t, handle)
  const http = guardedHttp({ allowedNetworks: ['127.0.0.0/8'], ...(idleMs ? { idleMs } : {}) })
  t.after(() => http.close())
  const ask = (more: Partial<HttpRequest> = {}) => http.request({ url: server.url, method: 'GET', ...more }, never)
  return { ask, server, fetch: http.fetch }
}

/** Peak memory growth of the process during the work. */
async function growthMb(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage().rss
  let most = before
  const look = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 5)
  await work()
  clearInterval(look)
  return (Math.max(most, process.memoryUsage().rss) - before) / MB
}

/** Writes as fast as the client reads, until it disconnects; returns the bytes written. */
function pourInto(response: Parameters<WebHandler>[1], piece: Buffer, limit = Number.POSITIVE_INFINITY): () => number {
  let written = 0
  const pour = () => {
    while (!response.destroyed && written < limit) {
      written += piece.length
      if (!response.write(piece)) return void response.once('drain', pour)
    }
    response.end()
  }
  pour()
  return () => written
}

test('an endless response is aborted at its limit', async (t) => {
  let written = () => 0
  const { ask, server } = await open(t, (_asked, response) => {
    written = pourInto(response.writeHead(200), Buffer.alloc(65_536, 'x'))
  })
  const grown = await growthMb(() =>
    assert.rejects(ask(), { kind: 'too-large', wasSent: true, message: /1048576 bytes/ }),
  )
  await until('the connection ended', () => server.open() === 0)
  assert.ok(written() < 16 * MB, `${written()} bytes were taken`)
  assert.ok(grown < 60, `${grown} MB`)
})

test('a hundred megabytes of JSON in one line are aborted at the limit', async (t) => {
  const { ask, server } = await open(t, (_asked, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 * MB })
    pourInto(response, Buffer.alloc(65_536, '[1,2,3],'), 100 * MB)
  })
  const grown = await growthMb(() =>
    assert.rejects(ask({ maxBytes: 10_000 }), { kind: 'too-large', message: /10000 bytes/ }),
  )
  await until('the connection ended', () => server.open() === 0)
  assert.ok(grown < 60, `${grown} MB`)
})

test('decompression bombs are stopped early in every encoding', async (t) => {
  const zeros = Buffer.alloc(128 * MB)
  const packed: Record<string, Buffer> = { gzip: gzipSync(zeros), deflate: deflateSync(zeros) }
  packed.br = brotliCompressSync(zeros)
  const {
    ask,
    fetch: guarded,
    server,
  } = await open(t, ({ url }, response) => {
    const encoding = url.slice(1)
    response.writeHead(200, { 'content-encoding': encoding }).end(packed[encoding])
  })
  for (const encoding of Object.keys(packed)) {
    const url = `${server.url}/${encoding}`
    const grown = await growthMb(() => assert.rejects(ask({ url }), { kind: 'too-large', wasSent: true }))
    assert.ok(grown < 60, `${encoding}: ${grown} MB`)
  }
  const grown = await growthMb(() => assert.rejects(async () => (await guarded(`${server.url}/gzip`)).arrayBuffer()))
  assert.ok(grown < 100, `fetch: ${grown} MB`)
})

test('compressed responses are read, with one encoding only', async (t) => {
  const text = 'ação '.repeat(1000)
  const pack: Record<string, Buffer> = {
    gzip: gzipSync(text),
    deflate: deflateSync(text),
    br: brotliCompressSync(text),
  }
  const {
    ask,
    server,
    fetch: guarded,
  } = await open(t, ({ url }, response) => {
    const encoding = decodeURIComponent(url.slice(1))
    response.writeHead(200, { 'content-encoding': encoding })
    response.end(pack[encoding] ?? (encoding === 'gzip, gzip' ? gzipSync(gzipSync(text)) : 'not packed at all'))
  })
  for (const encoding of Object.keys(pack)) {
    assert.equal(String((await ask({ url: `${server.url}/${encoding}` })).body), text)
    assert.equal(await (await guarded(`${server.url}/${encoding}`)).text(), text)
  }
  for (const encoding of ['gzip%2C%20gzip', 'x-gzip', 'zip', 'constructor'])
    await assert.rejects(ask({ url: `${server.url}/${encoding}` }), { kind: 'protocol', wasSent: true }, encoding)
})

test('a slow response is aborted at its timeout, a stalled one sooner', async (t) => {
  const drips = (response: Parameters<WebHandler>[1]) => {
    const timer = setInterval(() => response.write('x'), 10)
    response.once('close', () => clearInterval(timer))
  }
  const { ask, server } = await open(
    t,
    ({ url }, response) => (url === '/drip' ? drips(response) : response.write('x')),
    1500,
  )
  const start = performance.now()
  await assert.rejects(ask({ url: `${server.url}/drip`, timeoutMs: 2500 }), { kind: 'timeout', wasSent: true })
  assert.ok(performance.now() - start >= 2490)
  await assert.rejects(ask({ timeoutMs: 60_000 }), { kind: 'timeout', message: /did not answer in time/ })
  await until('all connections ended', () => server.open() === 0)
})

test('oversized headers, a truncated response and non-HTTP data are errors with a kind', async (t) => {
  const says: Record<string, string> = {
    large: `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`,
    half: 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc',
    ssh: 'SSH-2.0-OpenSSH_9.6\r\n',
    both: 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
  }
  const raw = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (head) => socket.end(says[/^GET \/(\w+)/.exec(head.toString())?.[1] ?? ''] ?? ''))
  })
  raw.listen(0, '127.0.0.1')
  t.after(() => raw.close())
  await until('a port', () => raw.listening)
  const { port } = raw.address() as { port: number }
  const { ask } = await open(t, () => {})
  const kinds: Record<string, string> = { large: 'too-large', half: 'unreachable', ssh: 'protocol', both: 'protocol' }
  for (const [name, kind] of Object.entries(kinds))
    await assert.rejects(ask({ url: `http://127.0.0.1:${port}/${name}` }), { kind, wasSent: true }, name)
})
