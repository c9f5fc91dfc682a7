// A UDP socket that is read once per tick, by system calls. Its packets keep the time at which they arrived.
import { monotonicMs } from '../base/time/clock.ts'
import { type DatagramSocket, type OnDatagram, plain } from './datagram.ts'
import type { Received, UdpCalls } from './udp-calls.ts'

/** Whoever floods a port gets no more of the thread than this in one tick; the kernel drops the rest. */
const MAX_PER_READ = 512
/** Of all sockets of the thread in one tick, beside the first few of each: a flood of many ports gets no more than that of four. */
const MAX_PER_TICK = 2048
/** Older than any stall that is caught up: the wall clock was set. */
const MAX_AGE_MS = 1000
const IPV4_ADDRESS_BYTES = 16

let left = MAX_PER_TICK

/** Before the sockets of this thread are read. */
export function beginReads(): void {
  left = MAX_PER_TICK
}

export class PolledSocket implements DatagramSocket {
  readonly #calls: UdpCalls
  readonly #onDatagram: OnDatagram
  readonly #isIpv6: boolean
  #fd: number
  /** The last source as the kernel writes it, and as text. */
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
    // What cannot be sent is as good as lost on the way.
    if (raw && this.#fd >= 0) this.#calls.send(this.#fd, bytes, raw)
  }

  async close(): Promise<void> {
    const fd = this.#fd
    this.#fd = -1
    if (fd >= 0) this.#calls.close(fd)
  }

  /** Whoever sent last is answered as the kernel wrote them: a link-local address is reached only with its interface. */
  #rawOf(address: string, port: number): Buffer | null {
    const { address: last, port: lastPort } = this.#source
    return address === last && port === lastPort ? this.#from : this.#calls.toAddress(address, port, this.#isIpv6)
  }

  /** `aheadMs`: the kernel's clock before ours. */
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
    // The receiver keeps its packets: a copy of their own.
    const copy = Buffer.allocUnsafe(length)
    bytes.copy(copy, 0, 0, length)
    this.#onDatagram(copy, this.#source, arrivedMs)
  }
}

/** For so few bytes quicker than a comparison outside of JavaScript. */
function isSameStart(a: Buffer, b: Buffer, size: number): boolean {
  if (a.length !== size) return false
  for (let i = 0; i < size; i++) if (a[i] !== b[i]) return false
  return true
}
