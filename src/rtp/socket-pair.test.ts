// A leg's sockets, by system calls and by node:dgram: both must behave alike.
import assert from 'node:assert/strict'
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { test } from 'node:test'
import { until } from '../../test/until.ts'
import { monotonicMs } from '../base/time/clock.ts'
import type { Source } from './datagram.ts'
import { beginReads, PolledSocket } from './polled-socket.ts'
import { bindPair, type SocketPair } from './socket-pair.ts'
import { loadUdpCalls, type UdpCalls } from './udp-calls.ts'

type Got = { bytes: Buffer; source: Source; arrivedMs: number }
type Open = { pair: SocketPair; port: number; rtp: Got[]; rtcp: Got[] }

const calls = await loadUdpCalls()
const variants: [string, UdpCalls | null][] = [['node:dgram', null]]
if (calls) variants.push(['system calls', calls])

test('Linux on x64 and arm64 has the system calls', () => {
  const isExpected = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)
  assert.equal(calls !== null, isExpected)
})

/** Binds to the first free pair of ports. */
async function openPair(host: string, by: UdpCalls | null): Promise<Open> {
  const open = { rtp: [] as Got[], rtcp: [] as Got[] }
  const into = (list: Got[]) => (bytes: Buffer, source: Source, arrivedMs: number) =>
    void list.push({ bytes, source, arrivedMs })
  for (let port = 24_000; port < 29_000; port += 2) {
    const options = { host, port, onRtp: into(open.rtp), onRtcp: into(open.rtcp) }
    const pair = await bindPair(options, by).catch(() => null)
    if (pair) return { pair, port, ...open }
  }
  throw new Error('no pair of ports is free')
}

async function peerAt(host: string): Promise<Socket> {
  const peer = createSocket(host.includes(':') ? 'udp6' : 'udp4')
  peer.bind(0, host)
  await once(peer, 'listening')
  return peer
}

const received = ({ pair, rtp }: Open, count: number) =>
  until(`${count} datagrams`, () => {
    pair.rtp.read()
    return rtp.length >= count
  })

for (const [name, by] of variants) {
  test(`${name}: datagrams come with their source and arrival, and go back to it`, async (t) => {
    const open = await openPair('127.0.0.1', by)
    const peer = await peerAt('127.0.0.1')
    t.after(() => Promise.all([open.pair.close(), peer.close()]))
    const beforeMs = monotonicMs()
    for (let i = 0; i < 20; i++) peer.send(Buffer.from([i, 7]), open.port, '127.0.0.1')
    await received(open, 20)
    assert.deepEqual(
      open.rtp.map(({ bytes }) => [...bytes]),
      Array.from({ length: 20 }, (_, i) => [i, 7]),
    )
    assert.deepEqual({ ...open.rtp[0]?.source }, { address: '127.0.0.1', port: peer.address().port })
    for (const { arrivedMs } of open.rtp) assert.ok(arrivedMs > beforeMs - 5 && arrivedMs <= monotonicMs())
    const answer = once(peer, 'message') as Promise<[Buffer, RemoteInfo]>
    open.pair.rtp.send(Buffer.from('back'), '127.0.0.1', peer.address().port)
    const [bytes, { port }] = await answer
    assert.deepEqual([bytes.toString(), port], ['back', open.port])
  })

  test(`${name}: two sources in turn are told apart`, async (t) => {
    const open = await openPair('127.0.0.1', by)
    const peers = [await peerAt('127.0.0.1'), await peerAt('127.0.0.1')]
    t.after(() => Promise.all([open.pair.close(), ...peers.map((peer) => peer.close())]))
    for (let i = 0; i < 6; i++) {
      peers[i % 2]?.send(Buffer.from([i]), open.port, '127.0.0.1')
      await received(open, i + 1)
    }
    assert.deepEqual(
      open.rtp.map(({ source }) => source.port),
      Array.from({ length: 6 }, (_, i) => peers[i % 2]?.address().port),
    )
  })

  test(`${name}: an IPv6 socket serves IPv4 and IPv6 peers, each by its own name`, async (t) => {
    const open = await openPair('::', by)
    const peers = [await peerAt('127.0.0.1'), await peerAt('::1')]
    t.after(() => Promise.all([open.pair.close(), ...peers.map((peer) => peer.close())]))
    for (const [i, address] of ['127.0.0.1', '::1'].entries()) {
      const peer = peers[i] as Socket
      peer.send(Buffer.from('hello'), open.port, address)
      await received(open, i + 1)
      assert.deepEqual({ ...open.rtp[i]?.source }, { address, port: peer.address().port })
      const answer = once(peer, 'message')
      open.pair.rtp.send(Buffer.from('back'), address, peer.address().port)
      await answer
    }
  })

  test(`${name}: a taken RTCP port is the system's error, and frees the RTP port`, async (t) => {
    const open = await openPair('127.0.0.1', by)
    const { port } = open
    const rtcp = createSocket('udp4')
    await open.pair.close()
    rtcp.bind(port + 1, '127.0.0.1')
    await once(rtcp, 'listening')
    t.after(() => rtcp.close())
    const options = { host: '127.0.0.1', port, onRtp: () => {}, onRtcp: () => {} }
    await assert.rejects(bindPair(options, by), { code: 'EADDRINUSE' })
    const again = createSocket('udp4')
    again.bind(port, '127.0.0.1')
    await once(again, 'listening')
    again.close()
    await assert.rejects(bindPair({ ...options, host: '203.0.113.1' }, by), { code: 'EADDRNOTAVAIL' })
  })

  test(`${name}: a closed pair neither sends nor reads, and bad targets are as good as lost`, async (t) => {
    const open = await openPair('127.0.0.1', by)
    const { pair, port } = open
    const peer = await peerAt('127.0.0.1')
    t.after(() => peer.close())
    const heard: string[] = []
    peer.on('message', (bytes) => void heard.push(bytes.toString()))
    const toPeer = (text: string, from: { send: SocketPair['rtp']['send'] }) =>
      from.send(Buffer.from(text), '127.0.0.1', peer.address().port)
    for (const bad of [0, 65_536, -1]) pair.rtp.send(Buffer.from('x'), '127.0.0.1', bad)
    if (by) pair.rtp.send(Buffer.from('x'), 'no address', 4000)
    toPeer('before', pair.rtp)
    await until('the pair still sends', () => heard.length > 0)
    await pair.close()
    toPeer('after', pair.rtp)
    pair.rtp.read()
    await pair.close().catch(() => {})
    // What others now send to this port and to the peer arrives, with nothing from the closed pair before it.
    const next = await bindPair({ host: '127.0.0.1', port, onRtp: () => {}, onRtcp: () => {} }, by)
    t.after(() => next.close())
    toPeer('of another', next.rtp)
    await until('the other is heard', () => heard.includes('of another'))
    assert.deepEqual([heard, open.rtp, open.rtcp], [['before', 'of another'], [], []])
  })
}

test('system calls: a datagram that is longer than any RTP packet is dropped, the next one is read', {
  skip: calls === null,
}, async (t) => {
  const open = await openPair('127.0.0.1', calls)
  const peer = await peerAt('127.0.0.1')
  t.after(() => Promise.all([open.pair.close(), peer.close()]))
  peer.send(Buffer.alloc(3000, 1), open.port, '127.0.0.1')
  peer.send(Buffer.from('short'), open.port, '127.0.0.1')
  await received(open, 1)
  assert.deepEqual(
    open.rtp.map(({ bytes }) => bytes.toString()),
    ['short'],
  )
})

test('system calls: a peer at a link-local address is answered with its interface, as the kernel wrote it', {
  skip: calls === null,
}, () => {
  const real = calls as UdpCalls
  const from = real.toAddress('fe80::7', 4000, true) as Buffer
  from.writeUInt32LE(3, 24) // sin6_scope_id
  const sentTo: Buffer[] = []
  let waiting = 1
  const fake: UdpCalls = {
    ...real,
    bind: () => 9,
    receive: () => waiting--,
    received: [{ bytes: Buffer.from('hello'), length: 5, from, atMs: Number.NaN }],
    send: (_fd, _bytes, to) => void sentTo.push(to),
  }
  let source: Source | undefined
  const socket = new PolledSocket(fake, { host: '::', port: 0 }, (_bytes, one) => {
    source = one
  })
  socket.read()
  assert.deepEqual({ ...source }, { address: 'fe80::7', port: 4000 })
  socket.send(Buffer.from('back'), 'fe80::7', 4000)
  socket.send(Buffer.from('to another'), 'fe80::8', 4000)
  assert.deepEqual(
    sentTo.map((to) => to.readUInt32LE(24)),
    [3, 0],
  )
})

test('system calls: a flood of many ports gets a bounded share of a tick, and each port its first packets', {
  skip: calls === null,
}, () => {
  const real = calls as UdpCalls
  const from = real.toAddress('192.0.2.1', 4000, false) as Buffer
  const packet = { bytes: Buffer.from('flood'), length: 5, from, atMs: Number.NaN }
  const received = Array.from({ length: 8 }, () => packet)
  const flooded: UdpCalls = { ...real, bind: () => 9, receive: () => received.length, received, send: () => {} }
  const counts = [0, 0, 0, 0, 0, 0]
  const count = (i: number) => () => {
    counts[i] = (counts[i] as number) + 1
  }
  const sockets = counts.map((_, i) => new PolledSocket(flooded, { host: '192.0.2.2', port: 0 }, count(i)))
  beginReads()
  for (const socket of sockets) socket.read()
  assert.deepEqual(counts, [512, 512, 512, 512, 40, 8])
  beginReads()
  sockets.at(-1)?.read()
  assert.equal(counts.at(-1), 520)
})
