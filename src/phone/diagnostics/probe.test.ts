// Port probes: open, silent and closed UDP, TCP and TLS ports.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import * as tls from 'node:tls'
import { freeSipPort } from '../../../test/phones/ports.ts'
import { openPeer, selfSigned } from '../../../test/sip-ends.ts'
import { until } from '../../../test/until.ts'
import { responseTo } from '../../sip/message/build.ts'
import type { Hop, TransportName } from '../../sip/message/message.ts'
import { commonEndpoints, firstAnswering, probe } from './probe.ts'

const hop = (port: number, transport: TransportName = 'udp'): Hop => ({ transport, address: '127.0.0.1', port })

/** For targets that answer at once. */
const LONG_MS = 20_000

async function listen(t: TestContext, server: ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return (server.address() as { port: number }).port
}

test('answering, silent and closed UDP ports are distinguished', async (t) => {
  const speaks = await openPeer(t, ({ message, from }, peer) => {
    if (message.kind === 'request') peer.send(responseTo(message, 405), from)
  })
  const silent = await openPeer(t)
  assert.equal((await probe(hop(speaks.port), LONG_MS)).is, 'answers')
  assert.equal((await probe(hop(silent.port), 700)).is, 'silent')
  await until('it is asked again: one may be lost', () => silent.arrivals.length >= 2)
  const closed = await freeSipPort()
  assert.equal((await probe(hop(closed), LONG_MS)).is, 'refused')
  assert.equal(
    await firstAnswering([hop(closed), hop(silent.port), hop(speaks.port)], 2000).then((it) => it?.port),
    speaks.port,
  )
  assert.equal(await firstAnswering([hop(closed)], 700), undefined)
})

test('closed, open and SIP-speaking TCP ports are distinguished', async (t) => {
  const mute = await listen(
    t,
    createServer((socket) => socket.resume().on('error', () => {})),
  )
  const speaks = await listen(
    t,
    createServer((socket) => socket.on('error', () => {}).once('data', () => socket.end('SIP/2.0 200 OK\r\n\r\n'))),
  )
  const closed = await freeSipPort()
  assert.equal((await probe(hop(mute, 'tcp'), 2000)).is, 'open')
  assert.equal((await probe(hop(speaks, 'tcp'), LONG_MS)).is, 'answers')
  assert.equal((await probe(hop(closed, 'tcp'), LONG_MS)).is, 'refused')
})

test('the cause of a failed TLS handshake is named', async (t) => {
  const own = tls.createServer(selfSigned(t))
  own.on('tlsClientError', () => {})
  const refused = await probe(hop(await listen(t, own), 'tls'), LONG_MS)
  assert.deepEqual([refused.is, refused.problem], ['certificate', 'it is signed by itself'])
  const plain = await listen(
    t,
    createServer((socket) => socket.on('error', () => {}).once('data', () => socket.end('SIP/2.0 400 Bad\r\n\r\n'))),
  )
  assert.equal((await probe(hop(plain, 'tls'), LONG_MS)).is, 'handshake')
})

test("common endpoints are the SIP ports and the trunk's port on every other transport, each once", () => {
  const places = (of: Hop) => commonEndpoints(of).map(({ transport, port }) => `${transport} ${port}`)
  assert.deepEqual(places(hop(5080)), ['udp 5060', 'tcp 5060', 'tls 5061', 'tcp 5080', 'tls 5080'])
  assert.deepEqual(places(hop(5060, 'tcp')), ['udp 5060', 'tls 5061', 'tls 5060'])
})
