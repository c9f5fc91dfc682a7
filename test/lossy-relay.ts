// A UDP relay on loopback that drops datagrams: the peer sees the relay's address, as it would see a NAT's.
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import type { TestContext } from 'node:test'

/** Decides whether a datagram is dropped. */
export type Loss = (bytes: Buffer) => boolean

/** Drops the first copy of each datagram, so that only retransmissions arrive. */
export function firstOfEach(): Loss {
  const known = new Set<string>()
  return (bytes) => {
    const text = bytes.toString('latin1')
    return !known.has(text) && Boolean(known.add(text))
  }
}

/** Random loss, the same in every run (mulberry32). */
export function byChance(share: number, seed = 1): Loss {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32 < share
  }
}

/** A relay between one client and one server. */
export async function openLossyRelay(t: TestContext, server: { port: number }, isLost: Loss) {
  const [front, back] = [await bound(t), await bound(t)]
  const seen = { passed: 0, lost: 0 }
  let client = 0
  const pass = (by: Socket, bytes: Buffer, port: number) => {
    if (isLost(bytes)) seen.lost++
    else {
      seen.passed++
      by.send(bytes, port, '127.0.0.1')
    }
  }
  front.on('message', (bytes, { port }) => {
    client = port
    pass(back, bytes, server.port)
  })
  back.on('message', (bytes) => pass(front, bytes, client))
  return { port: front.address().port, seen }
}

async function bound(t: TestContext): Promise<Socket> {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.after(() => new Promise<void>((done) => socket.close(done)))
  return socket
}
