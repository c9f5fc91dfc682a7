// The callers' UDP socket. Uses direct system calls where the platform does, so that the callers take little of the
// cores they share with it.
import { createSocket } from 'node:dgram'
import { loadUdpCalls, type Received, type UdpCalls } from '../../src/rtp/udp-calls.ts'

/** `port` is the sender's; `atMs` is the arrival time on performance.now. */
export type OnPacket = (packet: Buffer, port: number, atMs: number) => void
export type Line = {
  port: number
  /** Reads what has arrived; a no-op where the event loop reads. */
  poll(): void
  send(packet: Buffer, port: number): void
}

const HOST = '127.0.0.1'
const MAX_TRIES = 50
/** Large enough for all calls sending at the same moment. */
const BUFFER_BYTES = 4 << 20

export async function openLine(onPacket: OnPacket): Promise<Line> {
  const calls = await loadUdpCalls()
  return calls ? polledLine(calls, onPacket) : eventLine(onPacket)
}

function polledLine(calls: UdpCalls, onPacket: OnPacket): Line {
  const { fd, port } = bindSomewhere(calls)
  const targets = new Map<number, Buffer>()
  const take = ({ bytes, length, from, atMs }: Received, aheadMs: number) =>
    onPacket(bytes.subarray(0, length), from.readUInt16BE(2), atMs - aheadMs)
  return {
    port,
    poll() {
      const aheadMs = calls.aheadMs()
      for (let count = calls.receive(fd); count > 0; count = calls.receive(fd))
        for (let i = 0; i < count; i++) take(calls.received[i] as Received, aheadMs)
    },
    send(packet, to) {
      const target = targets.get(to) ?? calls.toAddress(HOST, to, false)
      if (!target) return
      targets.set(to, target)
      calls.send(fd, packet, target)
    },
  }
}

function bindSomewhere(calls: UdpCalls): { fd: number; port: number } {
  let last: unknown
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const port = 40_000 + Math.floor(Math.random() * 20_000)
    try {
      return { fd: calls.bind(HOST, port, BUFFER_BYTES), port }
    } catch (error) {
      last = error
    }
  }
  throw last
}

async function eventLine(onPacket: OnPacket): Promise<Line> {
  /** All addresses are literals, so no DNS lookup is needed. */
  const lookup = (address: string, _: unknown, done: (error: null, address: string, family: number) => void) =>
    done(null, address, 4)
  const socket = createSocket({ type: 'udp4', recvBufferSize: BUFFER_BYTES, lookup: lookup as never })
  await new Promise<void>((resolve) => socket.bind(0, HOST, resolve))
  socket.on('message', (packet, { port }) => onPacket(packet, port, performance.now()))
  return { port: socket.address().port, poll: () => {}, send: (packet, to) => socket.send(packet, to, HOST) }
}
