// Behavior that shows only on a real connection: malformed HTTP, sizes, encodings, unknown methods.
// @run sqlite
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { atEnd, startTestApp, type TestApp } from '../../test/app.ts'
import { answerClientError } from './error-handler.ts'

let started: Promise<TestApp & { port: number }> | undefined
const listening = () => {
  started ??= startTestApp().then(async (base) => ({ ...base, port: Number(new URL(await base.app.listen()).port) }))
  return started
}

type Raw = { status: number; reason: string; headers: Map<string, string>; body: string }

function read(text: string): Raw {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const [, status, reason = ''] = /^HTTP\/1\.1 (\d{3}) (.*)$/.exec(first) ?? assert.fail(`not an HTTP answer: ${text}`)
  const headers = new Map(
    lines.map((line) => line.split(': ', 2) as [string, string]).map(([k, v]) => [k.toLowerCase(), v]),
  )
  return { status: Number(status), reason, headers, body: rest.join('\r\n\r\n') }
}

/** Sends raw bytes, and reads until the server closes the connection. */
async function exchange(port: number, bytes: string | Buffer): Promise<Raw> {
  const socket = connect(port, '127.0.0.1')
  atEnd(() => socket.destroy())
  socket.on('error', () => {}) // the server may reset the connection after its response
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.write(bytes)
  await once(socket, 'close')
  return read(Buffer.concat(chunks).toString('utf8'))
}

const get = (port: number, path: string, headers: string[] = [], method = 'GET') =>
  exchange(port, [`${method} ${path} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers, '', ''].join('\r\n'))

function assertJsonError(raw: Raw, status: number): void {
  assert.equal(raw.status, status, raw.body)
  const error = JSON.parse(raw.body)
  assert.deepEqual(Object.keys(error).sort(), ['error', 'message', 'statusCode'])
  assert.equal(error.statusCode, status)
  assert.equal(error.error, raw.reason)
  assert.match(raw.headers.get('content-type') ?? '', /^application\/json/)
  assert.match(raw.headers.get('x-request-id') ?? '', /^[\w.-]+$/)
  assert.equal(raw.headers.get('cache-control'), 'no-store')
}

test('5, 31 malformed HTTP is answered in the common error shape', async () => {
  const { port } = await listening()
  const nonsense = [
    'hello\r\n\r\n',
    'GET /api/agents HTTP/1.1\r\nConnection: close\r\n\r\n',
    'GET /api/agents HTTP/9.9\r\n\r\n',
    'GET /api/agents HTTP/1.1\r\nno colon here\r\n\r\n',
    'GET /api/agents HTTP/1.1\r\nHost: x\r\nBad\0Name: x\r\n\r\n',
    'GET /api/agents HTTP/1.1\r\nHost: x\r\nX-Api-Key: a\0b\r\n\r\n',
    'POST /api/agents HTTP/1.1\r\nHost: x\r\nContent-Length: minus\r\n\r\n',
    'POST /api/agents HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'POST /api/agents HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd',
    'NONSENSE /api/agents HTTP/1.1\r\nHost: x\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  ]
  for (const bytes of nonsense) assertJsonError(await exchange(port, Buffer.from(bytes, 'latin1')), 400)
})

test('17 headers of more than 16 KB are a 431', async () => {
  const { port, ana } = await listening()
  const key = `X-Api-Key: ${ana.key}`
  assertJsonError(await get(port, '/api/agents', [key, `X-Filler: ${'x'.repeat(17_000)}`]), 431)
  assertJsonError(
    await get(port, '/api/agents', [key, ...Array.from({ length: 500 }, (_, i) => `X-${i}: ${'y'.repeat(50)}`)]),
    431,
  )
  assertJsonError(await get(port, `/api/agents/${'x'.repeat(20_000)}`, [key]), 431)
  assert.equal((await get(port, '/api/agents', [key, `X-Filler: ${'x'.repeat(15_000)}`])).status, 200)
})

test('5 a request that never ends is a 408', async () => {
  const server = createServer((socket: Socket) =>
    answerClientError(Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket),
  )
  server.listen(0, '127.0.0.1')
  atEnd(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  assertJsonError(await exchange(port, 'GET /api/agents HTTP/1.1\r\nHost:'), 408)
  const { app } = await listening()
  assert.ok(app.http.server.headersTimeout > 0 && app.http.server.headersTimeout <= 30_000)
  assert.ok(app.http.server.requestTimeout > 0 && app.http.server.requestTimeout <= 60_000)
})

test('17 the 413 for a body of more than 1 MB reaches the client, however the body is sent', async () => {
  const { port, ana } = await listening()
  const post = (body: Buffer, isChunked: boolean) =>
    new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const headers = { 'x-api-key': ana.key, 'content-type': 'application/json' }
      const length = isChunked ? {} : { 'content-length': body.length }
      const req = httpRequest({ port, method: 'POST', path: '/api/agents', headers: { ...headers, ...length } })
      req.on('response', (res) => {
        const chunks: Buffer[] = []
        res.on('data', (chunk) => chunks.push(chunk))
        res.on('end', () => resolve({ status: res.statusCode, body: Buffer.concat(chunks).toString() }))
        res.on('error', reject)
      })
      req.on('error', reject)
      if (isChunked) for (let at = 0; at < body.length; at += 65_536) req.write(body.subarray(at, at + 65_536))
      req.end(isChunked ? undefined : body)
    })
  for (const isChunked of [false, true]) {
    const { status, body } = await post(Buffer.alloc(1_048_577, 0x20), isChunked)
    assert.equal(status, 413)
    assert.equal(JSON.parse(body).error, 'Payload Too Large')
    const within = await post(Buffer.alloc(1_048_576, 0x20), isChunked)
    assert.equal(within.status, 400, within.body)
  }
  const answers = await Promise.all(
    Array.from({ length: 5 }, () =>
      fetch(`http://127.0.0.1:${port}/api/agents`, {
        method: 'POST',
        headers: { 'x-api-key': ana.key, 'content-type': 'application/json' },
        body: Buffer.alloc(20 * 1_048_576, 0x20),
      }),
    ),
  )
  for (const answer of answers) assert.equal(answer.status, 413, await answer.text())
  const huge = await exchange(
    port,
    `POST /api/agents HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${ana.key}\r\nContent-Type: application/json\r\nContent-Length: 9999999999\r\n\r\n{`,
  )
  assertJsonError(huge, 413)
})

test('17 a client reads its 413 also when it goes on sending, or sends everything before it reads', async () => {
  const { port, ana } = await listening()
  const size = 20 * 1_048_576
  const head = `POST /api/agents HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${ana.key}\r\nContent-Type: application/json\r\n`
  const begin = (length: string) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    atEnd(() => socket.destroy())
    socket.write(`${head}${length}\r\n\r\n`)
    return socket
  }
  const wholeAnswer = async (socket: Socket) => {
    const chunks: Buffer[] = []
    for await (const chunk of socket) chunks.push(chunk)
    return read(Buffer.concat(chunks).toString())
  }
  const early = begin(`Content-Length: ${size}`)
  early.write(Buffer.alloc(size, 0x20))
  await once(early, 'drain') // a socket error rejects
  assertJsonError(await wholeAnswer(early), 413)

  const slow = begin('Transfer-Encoding: chunked')
  const piece = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(1_048_576, 0x20), Buffer.from('\r\n')])
  slow.write(piece)
  slow.write(piece)
  const answered = wholeAnswer(slow)
  await once(slow, 'end')
  for (let sent = 2; sent < 20; sent++) if (!slow.write(piece)) await once(slow, 'drain')
  slow.write('0\r\n\r\n')
  assertJsonError(await answered, 413)
})

test('4, 5 raw bytes in ids, which a client library would not send, are handled', async () => {
  const { port, ana } = await listening()
  const key = `X-Api-Key: ${ana.key}`
  for (const id of [
    'x'.repeat(5120),
    '%00',
    '%',
    '%zz',
    '%c3%28',
    '%F0%9F%98%80',
    '..',
    '%2e%2e',
    '..%2f..%2fetc',
    '.',
    'a;b',
    '[x]',
    '"',
    '%2F',
  ])
    assertJsonError(await get(port, `/api/agents/${id}/tools`, [key]), 404)
  const raw = Buffer.from(`GET /api/agents/\u{1f600} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${key}\r\n\r\n`)
  const answer = await exchange(port, raw)
  assertJsonError(answer, answer.status === 400 ? 400 : 404)
})

test('7 a repeated key header is a 401, even if both values are the same valid key', async () => {
  const { port, ana, bia } = await listening()
  assert.equal((await get(port, '/api/agents', [`X-Api-Key: ${ana.key}`])).status, 200)
  for (const second of [ana.key, bia.key, ''])
    assertJsonError(await get(port, '/api/agents', [`X-Api-Key: ${ana.key}`, `x-api-key: ${second}`]), 401)
})

test('26 a method that no route has is answered on a known path and on an unknown one', async () => {
  const { port, ana } = await listening()
  const key = `X-Api-Key: ${ana.key}`
  for (const method of ['PROPFIND', 'SEARCH', 'LINK', 'PURGE', 'TRACE', 'PUT']) {
    const refused = await get(port, '/api/agents', [key], method)
    assertJsonError(refused, 405)
    assert.equal(refused.headers.get('allow'), 'GET, HEAD, POST')
    assertJsonError(await get(port, '/api/agents', [], method), 401)
    assertJsonError(await get(port, '/api/nothing', [key], method), 404)
  }
})

test('26 HEAD sends no body, whatever the response', async () => {
  const { port, ana } = await listening()
  await ana.post('/api/agents', { name: 'x', systemPrompt: 'x' })
  const key = `X-Api-Key: ${ana.key}`
  for (const [path, headers, status] of [
    ['/api/agents', [key], 200],
    ['/api/agents/x', [key], 404],
    ['/api/nothing', [key], 404],
    ['/api/agents', [], 401],
  ] as const) {
    const head = await get(port, path, [...headers], 'HEAD')
    assert.deepEqual([head.status, head.body], [status, ''])
    assert.ok(Number(head.headers.get('content-length')) > 2)
  }
})

test('10, 26 unusual request targets are answered as well', async () => {
  const { port, ana } = await listening()
  const key = `X-Api-Key: ${ana.key}`
  assertJsonError(await get(port, '//api/agents', [key]), 404)
  assertJsonError(await get(port, '/api//agents', [key]), 404)
  assertJsonError(await get(port, '*', [key], 'OPTIONS'), 404)
  assert.equal((await get(port, '/api/agents', [key, 'Expect: nonsense'])).status, 200)
  assert.equal((await get(port, '/api/agents?', [key])).status, 200)
  assert.equal((await get(port, '/api/agents?%zz=%&a=%00', [key])).status, 200)
  assert.equal((await get(port, '/api/%61gents', [key])).status, 200)
  assert.equal((await get(port, 'http://x/api/agents', [key])).status, 200)
})

test('a connection without a request does not delay shutdown', async () => {
  const { app } = await startTestApp()
  const silent = connect(Number(new URL(await app.listen()).port), '127.0.0.1')
  await once(silent, 'connect')
  const dropped = once(silent, 'close')
  await app.http.close()
  await dropped
})
