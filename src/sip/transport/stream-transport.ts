// TCP and TLS transport: listeners, and the connection table for reuse.
import { once } from 'node:events'
import { connect, createServer, isIP, type Server, type Socket } from 'node:net'
import * as tls from 'node:tls'
import { LruCache } from '../../base/lru-cache.ts'
import type { Flow, Hop } from '../message/message.ts'
import { plainAddress } from './local-address.ts'
import { Connection, type Origin, type StreamLimits, type TransportEvents } from './stream-connection.ts'
import { ConnectionSlots, type Slot } from './stream-slots.ts'

export type StreamOptions = {
  /** PEM texts; required for a TLS listener. */
  tls?: { cert: string; key: string }
  /** Extra authorities of our TLS client, and whether it accepts any certificate (a trunk with a self-signed one). */
  tlsClient?: { ca?: string; rejectUnauthorized?: boolean }
  limits: StreamLimits
}

type StreamName = 'tcp' | 'tls'
/** A handshake takes two round trips. */
const HANDSHAKE_TIMEOUT_MS = 10_000
/** Closed connections whose certificate name is remembered. */
const MAX_FORMER_NAMES = 1000

export class StreamTransport {
  readonly #options: StreamOptions
  readonly #events: TransportEvents
  readonly #servers: Server[] = []
  readonly #connections = new Map<number, { connection: Connection; slot: Slot }>()
  readonly #slots: ConnectionSlots
  /** TLS handshakes in progress, by the peer's address and port. */
  readonly #handshakes = new Map<string, { socket: Socket; slot: Slot }>()
  readonly #byTarget = new Map<string, Connection>()
  readonly #formerNames = new LruCache<number, string>(MAX_FORMER_NAMES)
  #clientContext: tls.SecureContext | undefined
  #lastId = 0
  #isClosed = false

  constructor(options: StreamOptions, events: TransportEvents) {
    this.#options = options
    this.#events = events
    this.#slots = new ConnectionSlots(options.limits)
  }

  get connections(): number {
    return this.#connections.size
  }

  /** Resolves with the port that was bound. */
  async listen(transport: StreamName, host: string, port: number): Promise<number> {
    const server = transport === 'tls' ? this.#tlsServer() : createServer((socket) => this.#accept('tcp', socket))
    server.maxConnections = this.#options.limits.maxConnections
    this.#servers.push(server)
    server.listen(port, host)
    await once(server, 'listening') // rejects when the address is taken
    server.on('error', () => {}) // such as running out of descriptors: open connections stay
    const bound = server.address()
    return typeof bound === 'object' && bound ? bound.port : port
  }

  #tlsServer(): tls.Server {
    const { tls: own } = this.#options
    if (!own) throw new Error('A TLS listener needs a certificate and its key')
    // No ALPN: a peer that does not know "sip" would refuse the handshake.
    const server = tls.createServer({ ...own, handshakeTimeout: HANDSHAKE_TIMEOUT_MS }, (socket) =>
      this.#accept('tls', socket),
    )
    server.on('connection', (socket: Socket) => {
      const { remote } = flowOf('tls', socket)
      const slot = this.#enter('tls', socket)
      if (!slot) return
      const key = keyOf('tls', remote)
      this.#handshakes.set(key, { socket, slot })
      socket.once('close', () => {
        if (this.#handshakes.get(key)?.slot !== slot) return
        this.#handshakes.delete(key)
        slot.leave()
      })
    })
    return server
  }

  /** Takes a slot for an inbound socket, or closes it. */
  #enter(transport: StreamName, socket: Socket): Slot | undefined {
    const flow = flowOf(transport, socket)
    const isWelcome = !this.#isClosed && socket.remoteAddress !== undefined && this.#events.admit(flow)
    const slot = isWelcome
      ? this.#slots.enterInbound(flow.remote.address, this.#events.ownerOf(flow), () => socket.destroy())
      : undefined
    if (slot) return slot
    socket.on('error', () => {})
    socket.destroy()
    return undefined
  }

  #accept(transport: StreamName, socket: Socket): void {
    const flow = flowOf(transport, socket)
    const key = keyOf('tls', flow.remote)
    const slot = transport === 'tls' ? this.#handshakes.get(key)?.slot : this.#enter('tcp', socket)
    if (transport === 'tls') this.#handshakes.delete(key)
    if (!slot) socket.destroy()
    else if (socket.destroyed) slot.leave()
    else {
      const { isAuthenticated } = slot
      this.#add(socket, slot, { transport, remote: flow.remote, isOutbound: false, isAuthenticated })
    }
  }

  #add(socket: Socket, slot: Slot, from: Origin) {
    const id = ++this.#lastId
    const key = keyOf(from.transport, from.remote, from.serverName)
    const connection = new Connection(socket, id, from, this.#options.limits, {
      admit: this.#events.admit,
      heard: this.#events.heard,
      received: this.#events.received,
      closed: (gone, detail) => {
        this.#connections.delete(id)
        slot.leave()
        if (this.#byTarget.get(key) === gone) this.#byTarget.delete(key)
        if (gone.serverName !== undefined) this.#formerNames.set(id, gone.serverName)
        // Deferred: the caller of send must first learn which connection was used.
        queueMicrotask(() => this.#events.closed(id, detail))
      },
    })
    this.#connections.set(id, { connection, slot })
    if (!this.#byTarget.has(key)) this.#byTarget.set(key, connection)
    return connection
  }

  /** A message that arrived over this connection was authenticated, possibly as an owner's. */
  authenticate({ connection: id }: Flow, owner?: string): void {
    const known = id === undefined ? undefined : this.#connections.get(id)
    if (known?.slot.authenticate(owner)) known.connection.authenticate()
  }

  disconnect({ connection: id }: Flow): void {
    if (id !== undefined) this.#connections.get(id)?.connection.close('a fault while its messages were handled')
  }

  isOpen(flow: Flow): boolean {
    return flow.connection !== undefined && this.#connections.has(flow.connection)
  }

  connectionOf({ transport, remote }: Pick<Flow, 'transport' | 'remote'>): Flow | undefined {
    return transport === 'udp' ? undefined : this.#byTarget.get(keyOf(transport, remote))?.flow
  }

  /** Over the flow's connection while it is open, otherwise over another one to the same peer, otherwise over a new one. */
  send(bytes: Buffer, to: Hop | Flow, lost: (detail: string) => void): Flow {
    const connection = this.#connectionFor(to)
    if (typeof connection !== 'string') {
      const { flow } = connection
      connection.send(bytes)
      return flow
    }
    queueMicrotask(() => lost(connection))
    return { transport: to.transport, remote: remoteOf(to), local: { address: '', port: 0 } }
  }

  #connectionFor(to: Hop | Flow): Connection | string {
    const { transport } = to
    if (transport === 'udp') return 'not a stream'
    const remote = remoteOf(to)
    const id = ('remote' in to && to.connection) || 0
    const own = this.#connections.get(id)?.connection
    if (own) return own
    const serverName = 'remote' in to ? this.#formerNames.get(id) : to.serverName
    const known = this.#byTarget.get(keyOf(transport, remote, serverName))
    if (known) return known
    if (this.#isClosed) return 'the stack is closed'
    const slot = this.#slots.enterOutbound()
    if (!slot) return 'too many connections'
    try {
      const socket = transport === 'tls' ? this.#connectTls(remote, serverName) : connect(remote.port, remote.address)
      return this.#add(socket, slot, { transport, remote, isOutbound: true, isAuthenticated: true, serverName })
    } catch (error) {
      slot.leave()
      return error instanceof Error ? error.message : 'no connection'
    }
  }

  #connectTls(remote: Flow['remote'], serverName: string | undefined): Socket {
    const { ca, rejectUnauthorized = true } = this.#options.tlsClient ?? {}
    // Reading 140 authorities takes tens of milliseconds: done once, not for each connection.
    this.#clientContext ??= tls.createSecureContext(ca ? { ca: [...tls.getCACertificates(), ca] } : {})
    return tls.connect({
      host: remote.address,
      port: remote.port,
      secureContext: this.#clientContext,
      rejectUnauthorized,
      servername: serverName && !isIP(serverName) ? serverName : '', // RFC 6066 section 3: no addresses here
      checkServerIdentity: (_name, cert) => tls.checkServerIdentity(serverName ?? remote.address, cert),
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const closed = this.#servers.map((server) => new Promise<void>((done) => server.close(() => done())))
    for (const { socket } of [...this.#handshakes.values()]) socket.destroy()
    for (const { connection } of [...this.#connections.values()]) connection.close('the stack was closed')
    await Promise.all(closed)
  }
}

const keyOf = (transport: StreamName, remote: Flow['remote'], serverName = '') =>
  `${transport} ${remote.address} ${remote.port} ${serverName.toLowerCase()}`

export const remoteOf = (to: Hop | Flow): Flow['remote'] =>
  'remote' in to ? to.remote : { address: to.address, port: to.port }

const flowOf = (transport: StreamName, socket: Socket): Flow => ({
  transport,
  remote: { address: plainAddress(socket.remoteAddress ?? ''), port: socket.remotePort ?? 0 },
  local: { address: plainAddress(socket.localAddress ?? ''), port: socket.localPort ?? 0 },
})
