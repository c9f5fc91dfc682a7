// One TCP or TLS connection: framing, keep-alives, and its time and buffer limits.
import type { Socket } from 'node:net'
import type { Flow } from '../message/message.ts'
import type { ParseResult } from '../message/parse.ts'
import { plainAddress } from './local-address.ts'
import { StreamParser } from './stream-parser.ts'
import type { SlotLimits } from './stream-slots.ts'

export type StreamLimits = SlotLimits & {
  connectTimeoutMs: number
  /** Idle limit without a message or keep-alive: longer than a call, whose BYE has no other way to a phone behind NAT. */
  idleMs: number
  /** How long an inbound connection may last until one of its messages is authenticated. Nothing else extends it. */
  unauthenticatedMs: number
  /** Interval of our keep-alives on connections that we opened. */
  keepAliveMs: number
  /** Unsent bytes of one connection. */
  maxWaitingBytes: number
}

export const streamLimits: StreamLimits = {
  connectTimeoutMs: 4000,
  idleMs: 3 * 3_600_000,
  unauthenticatedMs: 60_000,
  keepAliveMs: 60_000, // below the 120 s of RFC 5626 section 4.4.1: many firewalls time out sooner
  maxConnections: 5000,
  outboundReserve: 500,
  maxPerNetwork: 1000,
  maxPerOwner: 2250, // half of the inbound ones
  maxUnauthenticatedPerNetwork: 20,
  maxUnauthenticated: 1000,
  maxWaitingBytes: 1 << 20,
}

/** None of these may throw. */
export type TransportEvents = {
  admit(flow: Flow): boolean
  /** The owner of the peer, if its address is known. */
  ownerOf(flow: Flow): string | undefined
  /** Bytes arrived over this flow: runs `work`, which handles them. */
  heard(flow: Flow, work: () => void): void
  /** The receiver calls `read`, so that parsing is contained as well. */
  received(read: () => ParseResult, flow: Flow): void
  /** The connection failed or was closed. */
  closed(connection: number, detail: string): void
}

type ConnectionEvents = Pick<TransportEvents, 'admit' | 'heard' | 'received'> & {
  closed(connection: Connection, detail: string): void
}

const PING = Buffer.from('\r\n\r\n')
const PONG = Buffer.from('\r\n')

export type Origin = {
  transport: 'tcp' | 'tls'
  remote: Flow['remote']
  isOutbound: boolean
  /** We opened it, or the peer's address is known. */
  isAuthenticated: boolean
  serverName?: string
}

export class Connection {
  readonly id: number
  readonly serverName: string | undefined
  readonly #socket: Socket
  readonly #limits: StreamLimits
  readonly #events: ConnectionEvents
  readonly #parser = new StreamParser()
  #flow: Flow
  /** Queued until the connection is open and, with TLS, the certificate is verified. */
  #waiting: Buffer[] | null
  #waitingBytes = 0
  #life: NodeJS.Timeout
  #keepAlive: NodeJS.Timeout | undefined
  #isAuthenticated: boolean
  #isClosed = false
  #why = 'the peer closed the connection'

  constructor(socket: Socket, id: number, origin: Origin, limits: StreamLimits, events: ConnectionEvents) {
    const { transport, remote, isOutbound, isAuthenticated, serverName } = origin
    this.id = id
    this.serverName = serverName
    this.#isAuthenticated = isAuthenticated
    this.#socket = socket
    this.#limits = limits
    this.#events = events
    this.#flow = { transport, remote, local: localOf(socket), connection: id }
    this.#waiting = isOutbound ? [] : null
    socket.setNoDelay(true)
    // Detects a peer that vanished, such as a phone with an empty battery.
    socket.setKeepAlive(true, 60_000)
    socket.on('error', (error) => this.close(error.message || 'the connection broke'))
    socket.on('close', () => this.close(this.#why))
    socket.on('data', (chunk) => events.heard(this.#flow, () => this.#read(chunk)))
    const readyEvent = transport === 'tls' ? 'secureConnect' : 'connect'
    if (isOutbound) socket.once(readyEvent, () => this.#ready())
    const late = isOutbound ? `no connection within ${limits.connectTimeoutMs} ms` : 'nothing was authenticated in time'
    const patience = isOutbound ? limits.connectTimeoutMs : limits.unauthenticatedMs
    this.#life = setTimeout(() => this.close(late), patience)
    if (!isOutbound) this.#alive()
  }

  get flow(): Flow {
    return this.#flow
  }

  /** A message that arrived over it was authenticated: it may stay while it is used. */
  authenticate(): void {
    if (this.#isAuthenticated || this.#isClosed) return
    this.#isAuthenticated = true
    this.#alive()
  }

  /** False when too many bytes are queued; the connection is then closed. */
  send(bytes: Buffer): boolean {
    if (this.#isClosed) return false
    const waiting = this.#waiting ? this.#waitingBytes : this.#socket.writableLength
    if (waiting + bytes.length > this.#limits.maxWaitingBytes) {
      this.close('the peer does not read')
      return false
    }
    if (this.#waiting) {
      this.#waiting.push(bytes)
      this.#waitingBytes += bytes.length
    } else this.#socket.write(bytes)
    return true
  }

  close(detail: string): void {
    if (this.#isClosed) return
    this.#isClosed = true
    clearTimeout(this.#life)
    clearInterval(this.#keepAlive)
    this.#waiting = null
    this.#socket.destroy()
    this.#events.closed(this, detail)
  }

  /** Closes once written bytes have been sent. */
  end(detail: string): void {
    this.#why = detail
    this.#socket.end()
    clearTimeout(this.#life)
    this.#life = setTimeout(() => this.close(detail), 1000)
  }

  #ready(): void {
    this.#flow = { ...this.#flow, local: localOf(this.#socket) }
    this.#alive()
    const waiting = this.#waiting ?? []
    this.#waiting = null
    for (const bytes of waiting) this.#socket.write(bytes)
    this.#keepAlive = setInterval(() => this.send(PING), this.#limits.keepAliveMs)
  }

  #alive(): void {
    if (!this.#isAuthenticated) return
    clearTimeout(this.#life)
    this.#life = setTimeout(() => this.close('nothing was said for too long'), this.#limits.idleMs)
  }

  #read(chunk: Buffer): void {
    if (this.#isClosed) return
    if (!this.#events.admit(this.#flow)) {
      this.close('not admitted')
      return
    }
    const items = this.#parser.push(chunk)
    // A single empty line answers our keep-alive.
    if (items.length === 0 && this.#parser.waiting === 0 && !this.#waiting) this.#alive()
    for (const item of items) {
      if (this.#isClosed) return
      if (item === 'keepalive') {
        this.#alive()
        this.send(PONG) // RFC 5626 section 3.5.1
        continue
      }
      if ('message' in item) this.#alive()
      this.#events.received(() => item, this.#flow)
    }
    if (this.#parser.fatal) this.end('what came cannot be read as SIP')
  }
}

const localOf = (socket: Socket): Flow['local'] => ({
  address: plainAddress(socket.localAddress ?? ''),
  port: socket.localPort ?? 0,
})
