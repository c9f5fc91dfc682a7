// A UDP socket that is read once per tick by system calls; its packets carry the time at which the kernel received them.
import { monotonicMs } from '../base/time/clock.ts'
import { type DatagramSocket, type OnDatagram, plain } from './datagram.ts'
import type { Received, UdpCalls } from './udp-calls.ts'

/** Datagrams read from one port per tick: under a flood, the kernel drops the rest. */
const MAX_PER_READ = 512
/** Datagrams read from all ports per tick, beside the first few of each: a flood of many ports costs no more than that of four. */
const MAX_PER_TICK = 2048
/** A greater age means that the wall clock was set: no stall that is caught up lasts this long. */
const MAX_AGE_MS = 1000
const IPV4_ADDRESS_BYTES = 16

let left = MAX_PER_TICK

/** Called before the sockets of this thread are read. */
export function beginReads(): void {
  left = MAX_PER_TICK
}

export class PolledSocket implements DatagramSocket {
  readonly #calls: UdpCalls
  readonly #onDatagram: OnDatagram
  readonly #isIpv6: boolean
  #fd: number
  /** The last source, in the kernel's format and as text. */
  #from = Buffer.alloc(0)
  #source = { address: '', port: 0 }
  #target: { address: string; port: number; raw: Buffer | null } = { address: '', port: 0, raw: null }

  /** Throws with the system's `code` when it cannot be bound. */
  constructor(calls: UdpCalls, { host, port }: { host: string; port: number }, onDatagram: OnDatagram) {
    this.#calls = calls
    this.#onDatagram = onDatagram
    this.#isIpv6 = host.includes(':')
    this.#fd = calls.bind(host, port)
  }

  read(): void {
    const { received } = this.#calls
    for (let read = 0; this.#fd >= 0 && read < MAX_PER_READ; read += received.length) {
      if (read > 0 && left <= 0) return
      const count = this.#calls.receive(this.#fd)
      if (read > 0) left -= count
      const aheadMs = count > 0 ? this.#calls.aheadMs() : 0
      for (let i = 0; i < count; i++) this.#take(received[i] as Received, aheadMs)
      if (count < received.length) return
    }
  }

  send(bytes: Buffer, address: string, port: number): void {
    const target = this.#target
    if (port !== target.port || address !== target.address)
      this.#target = { address, port, raw: this.#rawOf(address, port) }
    const { raw } = this.#target
    // A packet that cannot be sent counts as lost.
    if (raw && this.#fd >= 0) this.#calls.send(this.#fd, bytes, raw)
  }

  async close(): Promise<void> {
    const fd = this.#fd
    this.#fd = -1
    if (fd >= 0) this.#calls.close(fd)
  }

  /** The last sender is answered in the kernel's format: a link-local address needs its interface. */
  #rawOf(address: string, port: number): Buffer | null {
    const { address: last, port: lastPort } = this.#source
    return address === last && port === lastPort ? this.#from : this.#calls.toAddress(address, port, this.#isIpv6)
  }

  /** `aheadMs`: how far the kernel's clock is ahead of ours. */
  #take({ bytes, length, from, atMs }: Received, aheadMs: number): void {
    if (length === 0) return
    const size = this.#isIpv6 ? from.length : IPV4_ADDRESS_BYTES
    if (!isSameStart(this.#from, from, size)) {
      this.#from = Buffer.from(from.subarray(0, size))
      const { address, port } = this.#calls.fromAddress(this.#from)
      this.#source = { address: plain(address), port }
    }
    const nowMs = monotonicMs()
    const ageMs = nowMs + aheadMs - atMs
    const arrivedMs = nowMs - (ageMs > 0 && ageMs < MAX_AGE_MS ? ageMs : 0)
    // A copy: the receiver keeps packets.
    const copy = Buffer.allocUnsafe(length)
    bytes.copy(copy, 0, 0, length)
    this.#onDatagram(copy, this.#source, arrivedMs)
  }
}

/** For this few bytes faster than Buffer.compare. */
function isSameStart(a: Buffer, b: Buffer, size: number): boolean {
  if (a.length !== size) return false
  for (let i = 0; i < size; i++) if (a[i] !== b[i]) return false
  return true
}
