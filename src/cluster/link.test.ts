// The link between nodes over real TLS: streams, unknown peers, malformed frames, and limits.
import assert from 'node:assert/strict'
import { connect as connectTcp, type Socket } from 'node:net'
import { test } from 'node:test'
import { connect as connectTls, createServer } from 'node:tls'
import { selfSigned } from '../../test/sip-ends.ts'
import { until } from '../../test/until.ts'
import { appError, notFound } from '../base/errors/errors.ts'
import { linkKeys } from './keys.ts'
import { connectLink } from './link-client.ts'
import { encodeFrame, FrameKind, frameDecoder, MAX_FRAME, MAX_OPEN_FRAME } from './link-frames.ts'
import { type LinkHandler, type LinkServerParts, linkServer } from './link-server.ts'
import type { LinkStream, StreamEnd } from './link-stream.ts'
import { clientTls } from './link-tls.ts'

const [KEY, OLD, OTHER] = ['k'.repeat(32), 'o'.repeat(32), 's'.repeat(32)]
const TO = 'prc_b'
const unreachable = () => appError('call_other_node', { node: 'b' })

async function serve(t: { after(stop: () => unknown): void }, more: Partial<LinkServerParts> = {}) {
  const streams: LinkStream[] = []
  const errors: unknown[] = []
  const handlers = new Map<string, LinkHandler>([
    ['echo', async () => (stream) => void streams.push(stream)],
    ['missing', () => Promise.reject(notFound('Call'))],
    ['broken', () => Promise.reject(new Error('a private detail'))],
    [
      'faulty',
      async () => () => {
        throw new Error('after it was accepted')
      },
    ],
  ])
  const parts = { keys: linkKeys([KEY, OLD]), processId: TO, host: '127.0.0.1', port: 0, handlers }
  const server = await linkServer({ ...parts, onError: (error) => errors.push(error), ...more })
  t.after(server.close)
  const address = `127.0.0.1:${server.port}`
  const connect = (name = 'echo', { key = KEY, to = TO } = {}) =>
    connectLink({ keys: linkKeys([key]), address, request: { to, name, body: {} }, unreachable })
  return { server, streams, errors, address, connect }
}

/** Collects what a stream receives. */
function heard(stream: LinkStream) {
  const messages: (string | number[])[] = []
  const over = Promise.withResolvers<StreamEnd | null>()
  stream.listen({
    onBinary: (bytes) => messages.push([...bytes]),
    onText: (text) => messages.push(text),
    onEnd: over.resolve,
  })
  return { messages, over: over.promise }
}

const closed = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve))

test('two nodes with one key exchange messages in order, and the end has its code', async (t) => {
  const { connect, streams } = await serve(t)
  for (const key of [KEY, OLD]) {
    const near = await connect('echo', { key })
    const far = streams.at(-1) as LinkStream
    void near.send('Olá')
    void near.send(Uint8Array.of(1, 2, 3))
    void near.send(new Uint8Array(262_144))
    void far.send('before anybody listens')
    const [one, two] = [heard(near), heard(far)]
    await until('all are there', () => two.messages.length === 3 && one.messages.length === 1)
    assert.deepEqual([one.messages, two.messages.slice(0, 2)], [['before anybody listens'], ['Olá', [1, 2, 3]]])
    near.end({ code: 4409, reason: 'over' })
    assert.deepEqual(await two.over, { code: 4409, reason: 'over', isFaulty: false })
  }
})

test('a refusal keeps its error; another process at the address is unreachable', async (t) => {
  const { connect, errors } = await serve(t)
  await assert.rejects(connect('missing'), { code: 'not_found', status: 404, message: 'Call not found' })
  await assert.rejects(connect('broken'), { code: 'internal_error', message: /^(?!.*private)/ })
  assert.equal(errors.length, 1)
  await assert.rejects(connect('echo', { to: 'prc_c' }), { code: 'call_other_node' })
  await assert.rejects(connect('unknown'), { code: 'call_other_node' })
})

test('an error after a stream was accepted breaks that stream, and nothing else', async (t) => {
  const { connect, errors } = await serve(t)
  const { over } = heard(await connect('faulty'))
  assert.equal(await over, null)
  assert.match(String(errors[0]), /after it was accepted/)
})

test('a connection that breaks is reported to the other side', async (t) => {
  const { connect, streams } = await serve(t)
  const near = await connect()
  const { over } = heard(streams[0] as LinkStream)
  near.destroy()
  assert.equal(await over, null)
})

test('a stranger with another key, without TLS, or with older TLS gets nothing', async (t) => {
  const { connect, streams, server } = await serve(t)
  await assert.rejects(connect('echo', { key: OTHER }), { code: 'call_other_node' })
  const plain = connectTcp(server.port, '127.0.0.1')
  const got: Buffer[] = []
  plain.on('data', (bytes) => got.push(bytes))
  plain.on('error', () => {})
  plain.write('GET / HTTP/1.1\r\n\r\n')
  await closed(plain)
  assert.ok(!Buffer.concat(got).includes('HTTP'), 'an alert at most')
  const older = connectTls({
    port: server.port,
    host: '127.0.0.1',
    maxVersion: 'TLSv1.2',
    ciphers: 'PSK',
    minVersion: 'TLSv1.2',
    pskCallback: () => ({ identity: linkKeys([KEY])[0].id, psk: linkKeys([KEY])[0].key }),
    checkServerIdentity: () => undefined,
  })
  older.on('error', () => {})
  let isSecure = false
  older.on('secureConnect', () => {
    isSecure = true
  })
  await closed(older)
  assert.deepEqual([isSecure, streams.length], [false, 0])
})

test('a server with a certificate instead of the key is not trusted', async (t) => {
  const server = createServer(selfSigned(t), (socket) => socket.on('error', () => {}))
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const address = `127.0.0.1:${(server.address() as { port: number }).port}`
  const received: Buffer[] = []
  server.on('secureConnection', (socket) => socket.on('data', (bytes) => received.push(bytes)))
  const request = { to: TO, name: 'echo', body: {} }
  await assert.rejects(connectLink({ keys: linkKeys([KEY]), address, request, unreachable }), {
    code: 'call_other_node',
  })
  assert.deepEqual(received, [])
})

test('malformed and oversized frames close the connection', async (t) => {
  const { streams, server } = await serve(t)
  const open = encodeFrame(FrameKind.open, JSON.stringify({ to: TO, name: 'echo', body: {} }))
  const size = (bytes: number, kind: number) => {
    const head = Buffer.alloc(5)
    head.writeUInt32BE(bytes)
    head[4] = kind
    return head
  }
  const wrong = [
    [size(MAX_OPEN_FRAME + 2, FrameKind.open)],
    [size(0xffff_ffff, FrameKind.open)],
    [size(0, 0)],
    [size(1, 99)],
    [encodeFrame(FrameKind.open, 'no JSON')],
    [encodeFrame(FrameKind.open, 'null')],
    [encodeFrame(FrameKind.text, 'too early')],
    [open, size(MAX_FRAME + 2, FrameKind.binary)],
    [open, open],
    [open, encodeFrame(FrameKind.end, '{')],
  ]
  for (const frames of wrong) {
    const before = streams.length
    const socket = connectTls({ port: server.port, host: '127.0.0.1', ...clientTls(linkKeys([KEY])) })
    socket.on('error', () => {})
    socket.on('data', () => {})
    const [first = Buffer.of(), ...rest] = frames
    socket.write(first)
    if (rest.length > 0) {
      const stream = await until('it is accepted', () => streams[before])
      const { over } = heard(stream)
      for (const frame of rest) socket.write(frame)
      assert.equal(await over, null)
    }
    await closed(socket)
  }
})

test('connections that say nothing are closed, and their number is bounded', async (t) => {
  const { server } = await serve(t, { limits: { handshakes: 2, handshakeMs: 300 } })
  const silent = Array.from({ length: 5 }, () => connectTcp(server.port, '127.0.0.1').on('error', () => {}))
  await Promise.all(silent.map(closed))
  const mute = await serve(t, { limits: { firstFrameMs: 300 } })
  const proved = connectTls({ port: mute.server.port, host: '127.0.0.1', ...clientTls(linkKeys([KEY])) })
  const proof = new Promise((resolve) => proved.once('secureConnect', resolve))
  proved.on('error', () => {}).on('data', () => {})
  await Promise.all([proof, closed(proved)])
  const { connect } = await serve(t, { limits: { connections: 3 } })
  const streams = [await connect(), await connect(), await connect()]
  await assert.rejects(connect(), { code: 'call_other_node' })
  streams[0]?.destroy()
  const again = await until('there is room again', () => connect().catch(() => undefined))
  again.destroy()
})

test('strangers who only connect do not keep nodes out', async (t) => {
  const limits = { handshakes: 2, handshakeMs: 3_600_000 }
  const { server, connect } = await serve(t, { limits })
  const silent = Array.from({ length: 5 }, () => connectTcp(server.port, '127.0.0.1').on('error', () => {}))
  t.after(() => {
    for (const socket of silent) socket.destroy()
  })
  await until('two are left', () => silent.filter((socket) => socket.closed).length === 3)
  const stream = await connect()
  stream.destroy()
})

test('a sender that waits for each message never buffers more than one, however slow the reader', async (t) => {
  const { connect, streams } = await serve(t)
  const near = await connect()
  const far = streams[0] as LinkStream
  const frame = new Uint8Array(64_000)
  let most = 0
  const sending = (async () => {
    for (let sent = 0; sent < 400; sent++) {
      const isSent = far.send(frame)
      most = Math.max(most, far.bufferedBytes)
      await isSent
    }
    far.end({ code: 1000 })
  })()
  await until('the sender has begun', () => most > 0)
  let received = 0
  const over = Promise.withResolvers<StreamEnd | null>()
  near.listen({
    onBinary(bytes) {
      received += bytes.length
    },
    onEnd: over.resolve,
  })
  await sending
  assert.deepEqual(await over.promise, { code: 1000, reason: '', isFaulty: false })
  assert.equal(received, 400 * frame.length)
  assert.ok(most < 2 * frame.length, `${most} bytes were buffered`)
})

test('frames are found in any chunks', () => {
  const frames = [
    encodeFrame(FrameKind.open, 'ab'),
    encodeFrame(FrameKind.binary, Buffer.alloc(40_000, 7)),
    encodeFrame(6),
  ]
  const all = Buffer.concat(frames)
  for (const step of [1, 3, 4, 5, 6, 1000, all.length]) {
    const decoder = frameDecoder()
    const found: [number, number][] = []
    for (let at = 0; at < all.length; at += step)
      for (const { kind, payload } of decoder.push(all.subarray(at, at + step))) found.push([kind, payload.length])
    assert.deepEqual(
      found,
      [
        [FrameKind.open, 2],
        [FrameKind.binary, 40_000],
        [FrameKind.ping, 0],
      ],
      `${step} bytes at a time`,
    )
  }
})
