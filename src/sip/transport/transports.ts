// All transports behind one interface: listeners, our advertised address, and socket selection.
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Flow, Hop, TransportName } from '../message/message.ts'
import { parseMessage } from '../message/parse.ts'
import { defaultPort } from '../transaction/via-routing.ts'
import { isWildcard, localAddressFor } from './local-address.ts'
import { type Relay, RelayedConnections } from './relayed-connections.ts'
import type { TransportEvents } from './stream-connection.ts'
import { remoteOf, type StreamOptions, StreamTransport } from './stream-transport.ts'
import { UdpTransport } from './udp-transport.ts'

export type Listener = { transport: TransportName; host: string; port: number }

export type TransportsOptions = StreamOptions & {
  listeners: readonly Listener[]
  /** Host in Via and Contact, when it is not the socket's own. */
  publicAddress?: string
  /** Peers that are told the socket's own address instead: a proxy in front of us. */
  isInside?: (address: string) => boolean
  /** To other nodes, whose connections this one may use. Absent: there are none. */
  relay?: Relay
}

export class Transports {
  readonly listeners: Listener[] = []
  readonly #udp: UdpTransport[] = []
  readonly #stream: StreamTransport
  /** Connections of other nodes that this one uses, and the reverse. */
  readonly relayed: RelayedConnections | undefined
  readonly #events: TransportEvents
  readonly #publicAddress: string | undefined
  readonly #isInside: (address: string) => boolean

  private constructor(options: TransportsOptions, events: TransportEvents) {
    this.#publicAddress = options.publicAddress
    this.#isInside = options.isInside ?? (() => false)
    this.#events = events
    this.#stream = new StreamTransport(options, events)
    const { relay } = options
    this.relayed = relay && new RelayedConnections({ relay, own: this.#stream, events })
  }

  /** Rejects, with everything closed again, when one of the listeners cannot be bound. */
  static async open(options: TransportsOptions, events: TransportEvents): Promise<Transports> {
    const transports = new Transports(options, events)
    try {
      for (const listener of options.listeners) await transports.#listen(listener)
    } catch (error) {
      await transports.close()
      throw error
    }
    return transports
  }

  async #listen({ transport, host: name, port }: Listener): Promise<void> {
    const host = isIP(name) ? name : (await lookup(name)).address
    if (transport === 'udp') {
      const { heard } = this.#events
      const udp = await UdpTransport.open(host, port, (bytes, flow) => heard(flow, () => this.#receive(bytes, flow)))
      this.#udp.push(udp)
      this.listeners.push({ transport, host, port: udp.port })
    } else this.listeners.push({ transport, host, port: await this.#stream.listen(transport, host, port) })
  }

  #receive(bytes: Buffer, flow: Flow): void {
    if (isKeepAlive(bytes) || !this.#events.admit(flow)) return
    this.#events.received(() => parseMessage(bytes), flow)
  }

  get connections(): number {
    return this.#stream.connections
  }

  /** Our address in Via and Contact, where the peer can open a connection of its own. */
  sentBy(to: Hop | Flow): Listener {
    const { transport } = to
    const { address } = remoteOf(to)
    const fits = (one: Listener) => one.transport === transport && canReach(one.host, address)
    const local = 'local' in to ? to.local : undefined
    const listener = this.listeners.find((one) => fits(one) && isOf(one, to)) ?? this.listeners.find(fits)
    const host = !listener || isWildcard(listener.host) ? localAddressFor(address) : listener.host
    const port = listener?.port ?? (local?.port || defaultPort(transport))
    return { transport, host: this.#isInside(address) ? host : this.#publicHost(address, host), port }
  }

  /** If the public address is of the other IP version, the peer is told our own. */
  #publicHost(peer: string, own: string): string {
    const host = this.#publicAddress ?? own
    return isIP(host) === 0 || isIP(host) === isIP(peer) ? host : own
  }

  /** Responses can be sent over this flow. */
  isOpen(flow: Flow): boolean {
    return flow.transport === 'udp' || this.#stream.isOpen(flow) || this.#isRelayed(flow)
  }

  #isRelayed(to: Hop | Flow): to is Flow {
    return 'remote' in to && (this.relayed?.isOpen(to) ?? false)
  }

  authenticate(flow: Flow, owner?: string): void {
    this.#stream.authenticate(flow, owner)
  }

  disconnect(flow: Flow): void {
    if (this.#isRelayed(flow)) this.relayed?.disconnect(flow)
    else this.#stream.disconnect(flow)
  }

  /** `lost` is never called before this returns. A connection that fails later is reported by `closed`. */
  send(bytes: Buffer, to: Hop | Flow, lost: (detail: string) => void): Flow {
    if (this.#isRelayed(to)) {
      this.relayed?.send(bytes, to)
      return to
    }
    if (to.transport !== 'udp') return this.#stream.send(bytes, to, lost)
    const { address, port } = remoteOf(to)
    const usable = this.#udp.filter((one) => one.canReach(address))
    const udp = usable.find((one) => isOf(one, to)) ?? usable[0]
    if (!udp) {
      queueMicrotask(() => lost(`no UDP listener of ours can reach ${address}`))
      return { transport: 'udp', remote: { address, port }, local: { address: '', port: 0 } }
    }
    udp.send(bytes, address, port, lost)
    return udp.flowTo(address, port)
  }

  async close(): Promise<void> {
    await Promise.all([this.#stream.close(), ...this.#udp.splice(0).map((udp) => udp.close())])
  }
}

/** The flow arrived on this socket. */
const isOf = ({ host, port }: { host: string; port: number }, to: Hop | Flow) =>
  'local' in to && port === to.local.port && (isWildcard(host) || host === to.local.address)

const canReach = (host: string, address: string) => host === '::' || isIP(host) === isIP(address)

const STUN_COOKIE = 0x2112a442

/** An empty datagram, empty lines or zeros (several phone makers), and STUN (RFC 5626 section 3.5.2): no response is due. */
function isKeepAlive(bytes: Buffer): boolean {
  if (bytes.length > 64) return false
  if (bytes.length >= 20 && (bytes[0] ?? 0) < 2 && bytes.readUInt32BE(4) === STUN_COOKIE) return true
  return bytes.every((byte) => byte === 0 || byte === 0x0d || byte === 0x0a || byte === 0x20)
}
