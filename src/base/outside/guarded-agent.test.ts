// WebSocket connections to addresses given by users: checked and pinned like HTTP requests.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { WebSocketServer } from 'ws'
import { openDnsServer, type Zone } from '../../../test/dns-server.ts'
import { openSocket } from '../../speech/vendor-socket.ts'
import { guardedAgent } from './guarded-agent.ts'

const PUBLIC = '93.184.216.34'
const never = new AbortController().signal

async function socketServer(t: TestContext) {
  const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  t.after(() => sockets.close())
  await once(sockets, 'listening')
  let opened = 0
  sockets.on('connection', () => opened++)
  return { port: (sockets.address() as { port: number }).port, opened: () => opened }
}

const vendorAt = (baseUrl: string, connections: ReturnType<typeof guardedAgent>) => ({
  name: 'Vendor',
  apiKey: 'k',
  baseUrl,
  connections,
  headers: (apiKey: string) => ({ authorization: apiKey }),
})

test('a socket goes to the checked address, and a name that points elsewhere later is refused', async (t) => {
  const server = await socketServer(t)
  const zone: Zone = { 'rebind.test': [{ a: PUBLIC, ttl: 0 }] }
  const { resolver: names } = await openDnsServer(t, zone)
  const dialed: string[][] = []
  const agent = guardedAgent({
    names,
    who: 'provider accounts',
    connectMs: 2000,
    dial: ({ addresses }) => {
      dialed.push([...addresses])
      zone['rebind.test'] = [{ a: '127.0.0.1', ttl: 0 }]
      return connect({ host: '127.0.0.1', port: server.port })
    },
  })
  t.after(() => agent.close())
  const vendor = vendorAt('http://rebind.test', agent)
  const socket = await openSocket(vendor, '/v1/listen', never, { maxBytes: 65_536 })
  socket.close()
  assert.deepEqual([dialed, server.opened()], [[[PUBLIC]], 1])
  await assert.rejects(openSocket(vendor, '/v1/listen', never, { maxBytes: 65_536 }), /may not reach/)
  assert.equal(dialed.length, 1, 'nothing was dialled')
})

test('private addresses are refused, reached where they are allowed, and a redirect is not followed', async (t) => {
  const server = await socketServer(t)
  const shared = { who: 'provider accounts', connectMs: 2000 }
  const [member, admin] = [guardedAgent(shared), guardedAgent({ ...shared, allowedNetworks: ['127.0.0.0/8'] })]
  t.after(() => member.close())
  t.after(() => admin.close())
  const at = `http://127.0.0.1:${server.port}`
  await assert.rejects(openSocket(vendorAt(at, member), '/', never, { maxBytes: 65_536 }), /may not reach/)
  assert.equal(server.opened(), 0)
  const socket = await openSocket(vendorAt(at, admin), '/', never, { maxBytes: 65_536 })
  socket.close()
  const redirecting = createServer((client) =>
    client.end(`HTTP/1.1 302 Found\r\nlocation: ${at}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`),
  )
  t.after(() => redirecting.close())
  await once(redirecting.listen(0, '127.0.0.1'), 'listening')
  const { port } = redirecting.address() as { port: number }
  await assert.rejects(openSocket(vendorAt(`http://127.0.0.1:${port}`, admin), '/', never, { maxBytes: 65_536 }), /302/)
  assert.equal(server.opened(), 1)
})
