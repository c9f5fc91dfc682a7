// Free ports of 127.0.0.1, for programs that cannot choose one themselves.
import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'

type Held = { port: number; release(): Promise<void> }

function holdUdp(port: number): Promise<Held> {
  const socket = createSocket('udp4')
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.bind(port, '127.0.0.1', () =>
      resolve({ port: socket.address().port, release: () => new Promise((done) => socket.close(() => done())) }),
    )
  })
}

function holdTcp(port: number): Promise<Held> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address() as { port: number }
      resolve({ port: address.port, release: () => new Promise((done) => server.close(() => done())) })
    })
  })
}

/**
 * Outside the RTP ports of the platform, the media tests and baresip (10,000 to 30,000), and below the ephemeral range: between
 * the check and the program's bind only another test that drew the same port can take it.
 */
const below = { from: 2000, to: 10_000 }
const above = { from: 30_000, to: 32_700 }
function candidate(): number {
  const drawn = below.from + randomInt(below.to - below.from + above.to - above.from)
  return drawn < below.to ? drawn : drawn - below.to + above.from
}

/** Ports that this process has handed out, with the three after each: a program may bind its port much later. */
const given = new Set<number>()
const withNext = (port: number) => [0, 1, 2, 3].map((i) => port + i)

/** A port for which all `others` are free as well. */
async function find(isFit: (port: number) => boolean, others: (port: number) => Promise<Held>[]): Promise<number> {
  for (let tries = 0; tries < 200; tries++) {
    const drawn = candidate()
    if (withNext(drawn).some((port) => given.has(port))) continue
    const first = await holdUdp(drawn).catch(() => undefined)
    if (!first) continue
    const rest = isFit(first.port) ? await Promise.allSettled(others(first.port)) : []
    const held = rest.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    await Promise.all([first, ...held].map((one) => one.release()))
    if (!isFit(first.port) || held.length < rest.length) continue
    for (const port of withNext(first.port)) given.add(port)
    return first.port
  }
  throw new Error('no free port was found')
}

export const freeUdpPort = (): Promise<number> =>
  find(
    () => true,
    () => [],
  )

/** Free for UDP and TCP, as is the next one, which phones use for TLS. */
export const freeSipPort = (): Promise<number> =>
  find(
    (port) => port < 65_535,
    (port) => [holdTcp(port), holdUdp(port + 1), holdTcp(port + 1)],
  )

/** Even, with three free ones after it: RTP and RTCP for audio and (unused) video. */
export const freeRtpPort = (): Promise<number> =>
  find(
    (port) => port % 2 === 0 && port < 65_530,
    (port) => [holdUdp(port + 1), holdUdp(port + 2), holdUdp(port + 3)],
  )

/** Whether a program listens there, without binding the port, which could take it from the program. */
export function isListening(port: number, transport: 'udp' | 'tcp'): boolean {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  const state = transport === 'tcp' ? '0A' : '07'
  const sockets = ['', '6'].flatMap((family) => readFileSync(`/proc/net/${transport}${family}`, 'latin1').split('\n'))
  return sockets.some((line) => new RegExp(`^ *\\d+: [0-9A-F]+:${hex} [0-9A-F:]+ ${state} `).test(line))
}
