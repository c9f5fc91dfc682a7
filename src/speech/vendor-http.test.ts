// Faults that no vendor's protocol server covers: unreachable, redirecting, no handshake, oversized responses.
import assert from 'node:assert/strict'
import { createServer as createHttp, type RequestListener } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { freeSipPort } from '../../test/phones/ports.ts'
import { failureOf, until } from '../../test/vendors/tts-cases.ts'
import { limits } from '../base/outside/limits.ts'
import { type Vendor, vendorHttp } from './vendor-http.ts'
import { openSocket } from './vendor-socket.ts'

const KEY = 'test-key-3f9a7c51e0'
const never = new AbortController().signal
const vendorAt = (port: number): Vendor => ({
  name: 'Someone',
  apiKey: KEY,
  baseUrl: `http://127.0.0.1:${port}`,
  headers: (apiKey) => ({ authorization: apiKey }),
  timeouts: { connectMs: 10_000, firstByteMs: 30_000, idleMs: 30_000 },
})

async function answering(t: TestContext, answer: RequestListener): Promise<Vendor> {
  const server = createHttp(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return vendorAt((server.address() as AddressInfo).port)
}

/** Accepts connections and sends nothing. */
async function mute(t: TestContext) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.resume()
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { vendor: vendorAt((server.address() as AddressInfo).port), open: () => sockets.size }
}

test('an unreachable vendor is a 502, over HTTP and over WebSocket', async () => {
  const vendor = vendorAt(await freeSipPort())
  const http = vendorHttp(vendor)
  assert.equal((await failureOf(http.json({ path: '/' }, limits.voiceList, never))).status, 502)
  assert.equal((await failureOf(openSocket(vendor, '/', never, { maxBytes: 65_536 }))).status, 502)
  await http.close()
})

test('a WebSocket that never opens is a 504 and leaves no connection', async (t) => {
  const { vendor, open } = await mute(t)
  const hasty = { ...vendor, timeouts: { connectMs: 200, firstByteMs: 400, idleMs: 400 } }
  assert.equal((await failureOf(openSocket(hasty, '/', never, { maxBytes: 65_536 }))).status, 504)
  await until(() => open() === 0, 'the connection is closed')
})

test('a WebSocket aborted while it opens leaves no connection', async (t) => {
  const { vendor, open } = await mute(t)
  const leaving = new AbortController()
  const opening = openSocket(vendor, '/', leaving.signal, { maxBytes: 65_536 })
  opening.catch(() => {})
  await until(() => open() === 1, 'it is opening')
  leaving.abort()
  await assert.rejects(opening, { name: 'AbortError' })
  await until(() => open() === 0, 'the connection is closed')
})

test('the key is not sent to the target of a redirect', async (t) => {
  const asked: string[] = []
  const vendor = await answering(t, (request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(302, { location: '/elsewhere' }).end()
  })
  const http = vendorHttp(vendor)
  assert.equal((await failureOf(http.json({ path: '/here' }, limits.voiceList, never))).status, 502)
  assert.deepEqual(asked, ['/here'])
  await http.close()
})

test("a key repeated in the vendor's response does not reach the error", async (t) => {
  const vendor = await answering(t, (_, response) => {
    response.writeHead(422).end(`the key ${KEY} may not do this`)
  })
  const http = vendorHttp(vendor)
  const error = await failureOf(http.json({ path: '/' }, limits.voiceList, never))
  assert.match((error.cause as Error).message, /the key \[key\] may not do this/)
  await http.close()
})

test('an endless response is aborted', async (t) => {
  const vendor = await answering(t, (_, response) => {
    const fill = () => {
      while (response.write(Buffer.alloc(1_000_000, 32)));
    }
    response.on('drain', fill)
    response.on('error', () => {})
    fill()
  })
  const http = vendorHttp(vendor)
  assert.equal((await failureOf(http.json({ path: '/' }, limits.voiceList, never))).status, 502)
  await http.close()
})
