// Relaying a browser's socket when the browser, or its node, leaves while the other node is being reached.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { WebSocket, WebSocketServer } from 'ws'
import { until } from '../../../test/until.ts'
import type { LinkStream } from '../../cluster/link-stream.ts'
import { allNodesWebCalls } from './all-nodes-web-calls.ts'
import { relaySocket } from './relayed-socket.ts'

/** A browser and its server-side socket, which is paused until something takes it. */
async function connected(t: TestContext) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  t.after(() => server.close())
  await once(server, 'listening')
  const accepted = once(server, 'connection')
  const browser = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  t.after(() => browser.terminate())
  const [socket] = (await accepted) as [WebSocket]
  await once(browser, 'open')
  socket.on('error', () => {})
  socket.pause()
  return { browser, socket }
}

/** A stream to another node that records how it ends. */
function stream() {
  const ends: string[] = []
  const fake: LinkStream = {
    bufferedBytes: 0,
    send: async () => {},
    listen() {},
    end: ({ code }) => void ends.push(`end ${code}`),
    destroy: () => void ends.push('destroyed'),
    fail: () => void ends.push('failed'),
  }
  return { ends, fake }
}

test('a browser that left while the other node was being reached ends the stream', async (t) => {
  const { browser, socket } = await connected(t)
  const closed = once(socket, 'close')
  browser.terminate()
  await closed
  const { ends, fake } = stream()
  const relay = relaySocket(socket, fake)
  // The connection broke: the call waits for the browser, as after any other break.
  assert.deepEqual(ends, ['destroyed'])
  await relay.ended
})

test('a node that stopped while the other one was being reached breaks the connection, and the call waits', async (t) => {
  const { browser, socket } = await connected(t)
  const { ends, fake } = stream()
  const reached = Promise.withResolvers<LinkStream>()
  const never = () => Promise.reject(new Error('not asked for'))
  const cluster = { handle() {}, serve() {}, request: never, connect: () => reached.promise }
  const here = { find: () => ({ userId: 'usr', callId: 'cal', isHere: false }), resume() {}, restartIce: never }
  const calls = { get: async () => ({ endedAt: null, nodeId: 'other' }) as never }
  const web = allNodesWebCalls({ cluster, nodeName: 'this' }, { here, calls })
  const resuming = web.resume({ token: 't', origin: undefined }, socket)
  web.stop()
  reached.resolve(fake)
  await resuming
  await until('the browser notices it', () => browser.readyState === browser.CLOSED)
  assert.equal(ends[0], 'destroyed')
})
