// TLS at the Kamailio of deploy/kamailio, with scripted peers: which peers it connects to, and how its certificate is
// renewed.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { connect, createServer } from 'node:tls'
import { responseTo } from '../../src/sip/message/build.ts'
import { parseMessage } from '../../src/sip/message/parse.ts'
import { serialize } from '../../src/sip/message/serialize.ts'
import { selfSigned } from '../sip-ends.ts'
import { until } from '../until.ts'
import { openByHand } from './by-hand.ts'
import { startBalancer } from './kamailio.ts'

async function front(t: TestContext, address: string) {
  const node = await openByHand(t, address)
  node.onRequest = (request) => node.answer(request, 200)
  const tls = selfSigned(t)
  const proxy = await startBalancer({ nodes: [`sip:${address}:${node.port}`], tls })
  t.after(proxy.stop)
  return { node, proxy, tls }
}

/** A TLS server that answers each INVITE with 486, and counts its connections. */
async function openCarrier(t: TestContext, address: string, tls: { cert: string; key: string }) {
  const carrier = { port: 0, connections: 0, refusals: 0, invites: 0 }
  const server = createServer(tls, (socket) => {
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      const result = parseMessage(bytes)
      if ('problem' in result || result.message.kind !== 'request' || result.message.method !== 'INVITE') return
      carrier.invites++
      socket.write(serialize(responseTo(result.message, 486, undefined, { toTag: 'busy' })))
    })
    t.after(() => socket.destroy())
  })
  server.on('connection', () => carrier.connections++)
  server.on('tlsClientError', () => carrier.refusals++)
  server.listen(0, address)
  await once(server, 'listening')
  t.after(() => server.close())
  carrier.port = (server.address() as { port: number }).port
  return carrier
}

test('the proxy opens a connection to a carrier with a valid certificate, and never to a registered phone', async (t) => {
  const { node, proxy, tls } = await front(t, '127.0.38.1')
  const carrier = await openCarrier(t, '127.0.38.21', tls)
  const target = `127.0.38.21:${carrier.port}`
  const received = `sip:${target}%3Btransport%3Dtls`
  const path: [string, string] = ['route', `<sip:127.0.0.1:${proxy.port};lr;received=${received}>`]
  const gone = await node.call(proxy.port, { uri: 'sip:desk@192.0.2.77;transport=tls', headers: [path] })
  assert.equal((await gone.final()).status, 430)
  assert.equal(carrier.connections, 0)
  const call = await node.call(proxy.port, { uri: `sip:+1@${target};transport=tls` })
  assert.equal((await call.final()).status, 486)
  assert.equal(carrier.connections, 1)

  const impostor = await openCarrier(t, '127.0.38.22', selfSigned(t))
  await node.call(proxy.port, { uri: `sip:+1@127.0.38.22:${impostor.port};transport=tls` })
  await until('the proxy refuses the certificate', () => impostor.refusals > 0)
  assert.equal(impostor.invites, 0)
})

test('a renewed certificate is loaded while connections stay', async (t) => {
  const { proxy, tls } = await front(t, '127.0.39.1')
  const open = async (cert: string) => {
    const socket = connect({ host: '127.0.0.1', port: proxy.tlsPort, ca: cert, servername: 'sip.test' })
    t.after(() => socket.destroy())
    await once(socket, 'secureConnect')
    return socket
  }
  const before = await open(tls.cert)
  const renewed = selfSigned(t)
  writeFileSync(join(proxy.folder, 'sip.crt'), renewed.cert)
  writeFileSync(join(proxy.folder, 'sip.key'), renewed.key)
  await proxy.command('tls.reload')
  await open(renewed.cert)
  await assert.rejects(open(tls.cert), /self-signed certificate/)
  // The proxy answers the keep-alive of RFC 5626 section 4.4.1.
  before.write('\r\n\r\n')
  assert.equal(String((await once(before, 'data'))[0]), '\r\n')
})
