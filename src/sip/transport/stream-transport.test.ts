import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import * as tls from 'node:tls'
import { ask, newCall, openEnd, selfSigned, settled, short } from '../../../test/sip-ends.ts'
import { until } from '../../../test/until.ts'
import { reportToOwner, runContained } from '../../base/errors/error-containment.ts'
import { responseTo } from '../message/build.ts'
import type { Hop } from '../message/message.ts'
import { serialize } from '../message/serialize.ts'
import type { ServerTransaction } from '../stack.ts'
import { StreamParser } from './stream-parser.ts'

const loopback = (transport: 'tcp' | 'tls' | 'udp') => ({ transport, host: '127.0.0.1', port: 0 })
const tcp = { listeners: [loopback('tcp')] }
const accept = (one: ServerTransaction) => one.respond(responseTo(one.request, 200))

/** A TCP peer without a SIP stack: records what each of its connections received. */
async function openBare(t: TestContext, secure?: { cert: string; key: string; ALPNProtocols?: string[] }) {
  const sockets: Socket[] = []
  const texts: string[] = []
  const add = (socket: Socket) => {
    const at = sockets.push(socket) - 1
    texts[at] = ''
    socket.on('error', () => {})
    socket.on('data', (chunk) => (texts[at] += chunk.toString('latin1')))
  }
  const server = secure ? tls.createServer(secure, add) : createServer(add)
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as { port: number }
  const hop: Hop = { transport: secure ? 'tls' : 'tcp', address: '127.0.0.1', port }
  return { sockets, texts, hop, server }
}

async function openClient(t: TestContext, port: number) {
  const socket = connect(port, '127.0.0.1')
  t.after(() => socket.destroy())
  let text = ''
  let isClosed = false
  socket.on('data', (chunk) => (text += chunk.toString('latin1')))
  socket.on('error', () => {})
  socket.on('close', () => (isClosed = true))
  await once(socket, 'connect')
  return { socket, text: () => text, isClosed: () => isClosed }
}

const requestOn = (text: string) => {
  const [result] = new StreamParser().push(Buffer.from(text, 'latin1'))
  if (!result || result === 'keepalive' || !('message' in result) || result.message.kind !== 'request')
    assert.fail(text)
  return result.message
}

const bytesOf = (method: string, port: number, branch = `z9hG4bK${Math.random()}`) => {
  const request = newCall(method)
  request.headers.prepend('via', `SIP/2.0/TCP 127.0.0.1:${port};branch=${branch}`)
  return serialize(request)
}

test('on a connection nothing is repeated: timers A, E and G are for datagrams', async (t) => {
  const end = await openEnd(t, { ...tcp, answer: (one) => one.respond(responseTo(one.request, 486)) })
  const bare = await openBare(t)
  const asked = [newCall('INVITE'), newCall('OPTIONS')].map((request) => ask(end.stack, request, bare.hop))
  const client = await openClient(t, end.hop('tcp').port)
  client.socket.write(bytesOf('INVITE', 5060))
  for (const one of asked) assert.match(await one.failed(), /^timeout/)
  assert.equal(bare.sockets.length, 1)
  assert.equal(bare.texts[0]?.match(/SIP\/2.0\r\n/g)?.length, 2)
  assert.equal(client.text().match(/SIP\/2.0 486/g)?.length, 1)
  await settled(end.stack)
})

test('nobody there, nobody who answers, a connection that breaks: each fails at once and says why', async (t) => {
  const end = await openEnd(t, { ...tcp, timers: { t1: 500 } })
  const gone = await openBare(t)
  gone.server.close()
  assert.match(await ask(end.stack, newCall(), gone.hop).failed(), /^transport: connect ECONNREFUSED/)
  const mute = await openBare(t)
  const hasty = await openEnd(t, { ...tcp, limits: { connectTimeoutMs: 100 }, timers: { t1: 500 } })
  const secure = await ask(hasty.stack, newCall(), { ...mute.hop, transport: 'tls' }).failed()
  assert.equal(secure, 'transport: no connection within 100 ms')
  const breaking = await openBare(t)
  const asked = ask(end.stack, newCall(), breaking.hop)
  await until('it came', () => breaking.texts[0] || undefined)
  breaking.sockets[0]?.destroy()
  assert.equal(await asked.failed(), 'transport: the peer closed the connection')
  for (const { stack } of [end, hasty]) assert.deepEqual([stack.connections, stack.transactions], [0, 0])
})

test('when it rings already, the answer may come by another connection', async (t) => {
  const end = await openEnd(t, { ...tcp, timers: { t1: 500 } })
  const bare = await openBare(t)
  const call = ask(end.stack, newCall(), bare.hop)
  const invite = requestOn(await until('it came', () => bare.texts[0] || undefined))
  bare.sockets[0]?.write(serialize(responseTo(invite, 180)))
  await until('it rings', () => call.responses.length > 0)
  bare.sockets[0]?.destroy()
  await until('it is gone', () => end.stack.connections === 0)
  const client = await openClient(t, end.hop('tcp').port)
  client.socket.write(serialize(responseTo(invite, 200)))
  assert.equal((await call.final()).status, 200)
})

test('an answer whose connection is gone goes to the address in the Via', async (t) => {
  const end = await openEnd(t, { ...tcp, answer: (one) => one.respond(responseTo(one.request, 180)) })
  const bare = await openBare(t)
  const client = await openClient(t, end.hop('tcp').port)
  client.socket.write(bytesOf('INVITE', bare.hop.port))
  const transaction = await until('it came', () => end.requests[0])
  client.socket.destroy()
  await until('it is gone', () => end.stack.connections === 0)
  transaction.respond(responseTo(transaction.request, 486))
  await until('it arrives', () => bare.texts[0]?.includes('SIP/2.0 486'))
})

test('requests go back by the connection that came, and to the same place by the one that is there', async (t) => {
  const a = await openEnd(t, { ...tcp, answer: accept })
  const b = await openEnd(t, { ...tcp, answer: accept })
  await ask(a.stack, newCall('REGISTER'), b.hop('tcp')).final()
  const { flow } = b.requests[0] ?? assert.fail()
  await ask(b.stack, newCall('OPTIONS'), flow).final()
  const { address, port } = flow.remote
  await ask(b.stack, newCall('OPTIONS'), { transport: 'tcp', address, port }).final()
  await ask(a.stack, newCall('OPTIONS'), b.hop('tcp')).final()
  assert.deepEqual([a.stack.connections, b.stack.connections], [1, 1])
})

test('two empty lines are answered with one, and we send them on connections of ours', async (t) => {
  const end = await openEnd(t, { ...tcp, limits: { keepAliveMs: 30, idleMs: 2000, unauthenticatedMs: 1000 } })
  const client = await openClient(t, end.hop('tcp').port)
  client.socket.write('\r\n\r\n')
  await until('the answer', () => client.text() === '\r\n')
  const bare = await openBare(t)
  const asked = ask(end.stack, newCall('OPTIONS'), bare.hop)
  await until('our own', () => bare.texts[0]?.endsWith('\r\n\r\n\r\n\r\n\r\n\r\n'))
  asked.transaction.abandon()
  const answering = setInterval(() => bare.sockets[0]?.write('\r\n'), 50)
  await until('the one who says nothing more is closed', () => client.isClosed())
  const heard = bare.texts[0]?.length ?? 0
  await until('80 more of ours', () => (bare.texts[0]?.length ?? 0) >= heard + 320) // longer than idleMs
  assert.equal(end.stack.connections, 1, 'who answers our keep-alives is not idle')
  clearInterval(answering)
  await until('then it is', () => end.stack.connections === 0)
})

test('who connects and says nothing, or what is no SIP, does not stay', async (t) => {
  const end = await openEnd(t, { ...tcp, limits: { unauthenticatedMs: 1000 } })
  const silent = await openClient(t, end.hop('tcp').port)
  const drop = await openClient(t, end.hop('tcp').port)
  const web = await openClient(t, end.hop('tcp').port)
  web.socket.write('GET / HTTP/1.1\r\nHost: sip\r\n\r\n')
  await until('the web is sent away', () => web.isClosed())
  assert.equal(end.garbage.length, 1)
  const dribble = setInterval(() => drop.socket.write('O'), 20)
  await until('both are closed', () => silent.isClosed() && drop.isClosed())
  clearInterval(dribble)
  assert.equal(end.stack.connections, 0)
})

test('empty lines and requests that nobody authenticates do not prolong a connection', async (t) => {
  const end = await openEnd(t, {
    ...tcp,
    limits: { unauthenticatedMs: 1500 },
    answer: (one) => {
      accept(one)
      if (one.request.method === 'REGISTER') end.stack.authenticate(one.flow)
    },
  })
  const { port } = end.hop('tcp')
  const [pinging, asking, phone] = [await openClient(t, port), await openClient(t, port), await openClient(t, port)]
  phone.socket.write(bytesOf('REGISTER', 5060))
  const talking = setInterval(() => {
    pinging.socket.write('\r\n\r\n')
    asking.socket.write(bytesOf('OPTIONS', 5060))
  }, 20)
  t.after(() => clearInterval(talking))
  await until('both are closed', () => pinging.isClosed() && asking.isClosed())
  assert.match(asking.text(), /^SIP\/2.0 200/)
  assert.equal(phone.isClosed(), false)
  phone.socket.write(bytesOf('OPTIONS', 5060))
  await until('the phone is heard', () => phone.text().match(/SIP\/2.0 200/g)?.length === 2)
})

test('one address holds 20 connections until it authenticates, also where no TLS handshake begins', async (t) => {
  const listeners = [loopback('tcp'), loopback('tls')]
  const end = await openEnd(t, { listeners, tls: selfSigned(t), answer: (one) => end.stack.authenticate(one.flow) })
  const phone = await openClient(t, end.hop('tcp').port)
  await until('the phone is connected', () => end.stack.connections === 1)
  const mute = await Promise.all(Array.from({ length: 22 }, () => openClient(t, end.hop('tls').port)))
  await until('three are closed', () => mute.filter(({ isClosed }) => isClosed()).length === 3)
  const late = await openClient(t, end.hop('tcp').port)
  await until('one more is closed', () => late.isClosed())
  phone.socket.write(bytesOf('REGISTER', 5060))
  await until('it is authenticated', () => end.requests.length === 1)
  const another = await openClient(t, end.hop('tcp').port)
  another.socket.write(bytesOf('OPTIONS', 5060))
  await until('there is room for another', () => end.requests.length === 2)
  assert.equal(phone.isClosed(), false)
})

test('an answer to a request of ours authenticates the connection it comes by', async (t) => {
  const end = await openEnd(t, { ...tcp, timers: { t1: 500 }, limits: { unauthenticatedMs: 1500 } })
  const bare = await openBare(t)
  const call = ask(end.stack, newCall(), bare.hop)
  const invite = requestOn(await until('it came', () => bare.texts[0] || undefined))
  const [answering, stranger] = [await openClient(t, end.hop('tcp').port), await openClient(t, end.hop('tcp').port)]
  answering.socket.write(serialize(responseTo(invite, 180)))
  stranger.socket.write(serialize(responseTo(requestOn(bytesOf('INVITE', 1).toString('latin1')), 180)))
  await until('the stranger is closed', () => stranger.isClosed())
  assert.deepEqual([call.statuses(), answering.isClosed()], [[180], false])
  call.transaction.abandon()
})

test('the number of connections and what waits in one are bounded', async (t) => {
  const limits = { maxConnections: 2, outboundReserve: 0, maxWaitingBytes: 1 << 20 }
  const shared = await openEnd(t, { ...tcp, limits: { maxPerNetwork: 1 } })
  await openClient(t, shared.hop('tcp').port)
  const second = await openClient(t, shared.hop('tcp').port)
  await until('one address has its share', () => second.isClosed())
  assert.equal(shared.stack.connections, 1)
  const end = await openEnd(t, { ...tcp, limits, answer: accept, timers: { t1: 500 } })
  const { port } = end.hop('tcp')
  const clients = [await openClient(t, port), await openClient(t, port)]
  await until('both are there', () => end.stack.connections === 2)
  const third = await openClient(t, port)
  await until('a third is not', () => third.isClosed())
  const bare = await openBare(t)
  assert.equal(await ask(end.stack, newCall('OPTIONS'), bare.hop).failed(), 'transport: too many connections')
  for (const { socket } of clients) socket.destroy()
  await until('there is room', () => end.stack.connections === 0)
  const asked = ask(end.stack, newCall('OPTIONS'), bare.hop)
  await until('connected', () => bare.sockets[0])
  bare.sockets[0]?.pause()
  const large = Array.from({ length: 600 }, () => ask(end.stack, newCall('MESSAGE', {}, 'x'.repeat(60_000)), bare.hop))
  assert.equal(await asked.failed(), 'transport: the peer does not read')
  for (const one of large) one.transaction.abandon()
})

test('TLS: the certificate must be for the name and from somebody we trust, unless we trust anybody', async (t) => {
  const ours = selfSigned(t, 'DNS:sip.test')
  const bare = await openBare(t, { ...ours, ALPNProtocols: ['h2'] })
  const to = (serverName?: string): Hop => ({ ...bare.hop, serverName })
  const slow = { ...tcp, timers: { t1: 500 } } // handshakes are slow on a busy machine
  const trusting = await openEnd(t, { ...slow, tlsClient: { ca: ours.cert } })
  const strict = await openEnd(t, slow)
  const careless = await openEnd(t, { ...slow, tlsClient: { rejectUnauthorized: false } })
  const failure = async (end: typeof strict, hop: Hop) => await ask(end.stack, newCall(), hop).failed()
  assert.match(await failure(strict, to('sip.test')), /^transport: self-signed certificate/)
  assert.match(await failure(trusting, to('other.test')), /^transport: .*other\.test/)
  assert.match(await failure(trusting, to()), /^transport: .*127\.0\.0\.1/)
  assert.deepEqual(
    bare.texts.filter((text) => text.includes('INVITE')),
    [],
    'nothing was said to a stranger',
  )
  for (const [end, name] of [
    [trusting, 'sip.test'],
    [careless, 'other.test'],
  ] as const) {
    const before = bare.texts.filter((text) => text.includes('OPTIONS')).length
    ask(end.stack, newCall('OPTIONS'), to(name))
    await until('it is said', () => bare.texts.filter((text) => text.includes('OPTIONS')).length > before)
  }
  const sockets = bare.sockets as tls.TLSSocket[]
  assert.deepEqual([...new Set(sockets.map(({ alpnProtocol }) => alpnProtocol))], [false], 'no ALPN is sent')
})

test('TLS: a connection made for one name is not used for another, and one that broke is made again by its flow', async (t) => {
  const ours = selfSigned(t, 'DNS:sip.test,DNS:other.test')
  const end = await openEnd(t, { ...tcp, tlsClient: { ca: ours.cert }, timers: { t1: 500 } })
  const server = await openEnd(t, { listeners: [loopback('tls')], tls: ours, answer: accept })
  for (const name of ['sip.test', 'other.test', 'sip.test'])
    assert.equal((await ask(end.stack, newCall('OPTIONS'), server.hop('tls', name)).final()).status, 200)
  assert.equal(end.stack.connections, 2)
  const asked = ask(end.stack, newCall('OPTIONS'), server.hop('tls', 'sip.test'))
  await asked.final()
  const { port } = server.hop('tls')
  await server.stack.close()
  await until('both broke', () => end.stack.connections === 0)
  const again = await openEnd(t, {
    listeners: [{ transport: 'tls', host: '127.0.0.1', port }],
    tls: ours,
    answer: accept,
  })
  const flow = asked.flows[0] ?? assert.fail()
  assert.equal((await ask(end.stack, newCall('OPTIONS'), flow).final()).status, 200)
  assert.equal(again.requests.length, 1)
})

test('a request of 60 KB goes by every transport', async (t) => {
  const ours = selfSigned(t)
  const listeners = [loopback('udp'), loopback('tcp'), loopback('tls')]
  const a = await openEnd(t, { tlsClient: { ca: ours.cert }, timers: { t1: 500 } })
  const b = await openEnd(t, { listeners, tls: ours, answer: accept, timers: short })
  for (const transport of ['udp', 'tcp', 'tls'] as const) {
    await ask(a.stack, newCall('MESSAGE', {}, 'é'.repeat(30_000)), b.hop(transport)).final()
    assert.equal(b.requests.at(-1)?.request.body.length, 60_000)
  }
})

test('a fault while a message is handled closes its connection, and no other', async (t) => {
  const told: unknown[] = []
  const end = await openEnd(t, {
    ...tcp,
    contain(_flow, disconnect, work) {
      const onFault = (error: unknown) => {
        told.push(error)
        disconnect()
      }
      runContained(onFault, work)
    },
    onFault: (error) => reportToOwner(error),
    answer(one) {
      if (one.request.method === 'OPTIONS') throw new Error('planted')
      accept(one)
    },
  })
  const { port } = end.hop('tcp')
  const [one, other] = [await openClient(t, port), await openClient(t, port)]
  one.socket.write(bytesOf('OPTIONS', port))
  await until('its connection is closed', () => one.isClosed())
  other.socket.write(bytesOf('MESSAGE', port))
  await until('the other is answered', () => other.text().includes('SIP/2.0 200'))
  assert.deepEqual([told.length, other.isClosed()], [1, false])
})
