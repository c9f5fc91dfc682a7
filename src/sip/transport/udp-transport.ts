// A UDP socket for both directions: the peer and every NAT on the path see one address (RFC 3581).
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import type { Flow } from '../message/message.ts'
import { isWildcard, localAddressFor, plainAddress } from './local-address.ts'

/** At 2,000 calls a second, the default of 208 KiB lost 82 datagrams in a test, this one none. */
const RECEIVE_BUFFER_BYTES = 4 << 20

type Received = (bytes: Buffer, flow: Flow) => void

export class UdpTransport {
  readonly host: string
  readonly port: number
  readonly #socket: Socket
  readonly #isIPv6: boolean
  readonly #local: Flow['local'] | null

  private constructor(socket: Socket, host: string, received: Received) {
    this.host = host
    this.port = socket.address().port
    this.#socket = socket
    this.#isIPv6 = isIPv6(host)
    this.#local = isWildcard(host) ? null : { address: host, port: this.port }
    socket.on('message', (bytes, from) => {
      if (from.port !== 0) received(bytes, this.flowTo(plainAddress(from.address), from.port))
    })
  }

  static async open(host: string, port: number, received: Received): Promise<UdpTransport> {
    const socket = createSocket({
      type: isIPv6(host) ? 'udp6' : 'udp4',
      recvBufferSize: RECEIVE_BUFFER_BYTES,
      // Targets are addresses: Node's lookup would defer every datagram to another tick.
      lookup: (address, _options, found) => found(null, address, isIPv6(address) ? 6 : 4),
    })
    const listening = once(socket, 'listening') // rejects when the address is taken
    socket.bind(port, host)
    try {
      await listening
    } catch (error) {
      socket.close()
      throw error
    }
    socket.on('error', () => {}) // ICMP errors of unreachable peers; the socket stays open
    return new UdpTransport(socket, host, received)
  }

  /** A socket on :: reaches both IP versions. */
  canReach(address: string): boolean {
    return isIPv6(address) === this.#isIPv6 || this.host === '::'
  }

  flowTo(address: string, port: number): Flow {
    const local = this.#local ?? { address: localAddressFor(address), port: this.port }
    return { transport: 'udp', remote: { address, port }, local }
  }

  /**
   * RFC 3261 section 18.1.1 requires TCP for requests of more than 1,300 bytes. We do not switch: many trunks support
   * only UDP, and IP fragments such a datagram. To use TCP, select it in the URI or by NAPTR.
   */
  send(bytes: Buffer, address: string, port: number, lost: (detail: string) => void): void {
    const target = this.#isIPv6 && !isIPv6(address) ? `::ffff:${address}` : address
    try {
      this.#socket.send(bytes, port, target, (error) => {
        if (error) lost(error.message)
      })
    } catch (error) {
      queueMicrotask(() => lost(error instanceof Error ? error.message : 'the socket is closed'))
    }
  }

  async close(): Promise<void> {
    const closed = once(this.#socket, 'close')
    this.#socket.close()
    await closed
  }
}
