// Free ports of 127.0.0.1, for programs that cannot choose one themselves.
import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'

type Held = { release(): Promise<void> }

function holdUdp(port: number): Promise<Held> {
  const socket = createSocket('udp4')
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.bind(port, '127.0.0.1', () => resolve({ release: () => new Promise((done) => socket.close(() => done())) }))
  })
}

function holdTcp(port: number): Promise<Held> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () =>
      resolve({ release: () => new Promise((done) => server.close(() => done())) }),
    )
  })
}

/**
 * Outside the RTP ports of the platform, the media tests and baresip (10,000 to 30,000), and below the ephemeral range:
 * between the check and the program's bind only another test could take it, which `claim` prevents.
 */
const below = { from: 2000, to: 10_000 }
const above = { from: 30_000, to: 32_700 }
/** A port is the first of a block of four: a program may use the three after it. */
const BLOCK = 4
/** The standard SIP port: the trunk doctor probes it and must find nothing. */
const STANDARD = 5060
function candidate(): number {
  const drawn = below.from + BLOCK * randomInt((below.to - below.from + above.to - above.from) / BLOCK)
  return drawn < below.to ? drawn : drawn - below.to + above.from
}

/** Reserves the block against all other tests until this process ends: a program may bind its port much later. */
function claim(block: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    // An abstract socket name: the kernel frees it with the process.
    server.listen(`\0ramal-test-ports-${block}`, () => {
      server.unref()
      resolve(true)
    })
  })
}

/** A free port for which all `others` are free as well. */
async function find(others: (port: number) => Promise<Held>[] = () => []): Promise<number> {
  for (let tries = 0; tries < 200; tries++) {
    const port = candidate()
    if (port === STANDARD || !(await claim(port))) continue
    const all = await Promise.allSettled([holdUdp(port), ...others(port)])
    const held = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    await Promise.all(held.map((one) => one.release()))
    if (held.length === all.length) return port
  }
  throw new Error('no free port was found')
}

export const freeUdpPort = (): Promise<number> => find()

export const freeTcpPort = (): Promise<number> => find((port) => [holdTcp(port)])

/** A port free for UDP and TCP; so is the next one, which phones use for TLS. */
export const freeSipPort = (): Promise<number> => find((port) => [holdTcp(port), holdUdp(port + 1), holdTcp(port + 1)])

/** An even port followed by three free ones: RTP and RTCP for audio and (unused) video. */
export const freeRtpPort = (): Promise<number> =>
  find((port) => [holdUdp(port + 1), holdUdp(port + 2), holdUdp(port + 3)])

/** Whether a program listens on the port. Does not bind the port, which could take it from the program. */
export function isListening(port: number, transport: 'udp' | 'tcp'): boolean {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  const state = transport === 'tcp' ? '0A' : '07'
  const sockets = ['', '6'].flatMap((family) => readFileSync(`/proc/net/${transport}${family}`, 'latin1').split('\n'))
  return sockets.some((line) => new RegExp(`^ *\\d+: [0-9A-F]+:${hex} [0-9A-F:]+ ${state} `).test(line))
}
