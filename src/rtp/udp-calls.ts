// UDP system calls of Linux by FFI: one call receives many datagrams with source and arrival time, without an object per datagram.
// node:dgram takes four times as much CPU per packet. Null without koffi, and on systems with other structures.
import { endianness } from 'node:os'
import { getSystemErrorName } from 'node:util'
import { monotonicMs } from '../base/time/clock.ts'

export type UdpCalls = {
  /** Returns a bound descriptor; throws with the system's `code`. `bufferBytes`: size of the receive buffer, if not the default. */
  bind(host: string, port: number, bufferBytes?: number): number
  close(fd: number): void
  send(fd: number, bytes: Buffer, to: Buffer): void
  /** Receives waiting datagrams into `received`; returns how many. */
  receive(fd: number): number
  readonly received: readonly Received[]
  /** A socket address; `isIpv6`: for an IPv6 socket. Null for an invalid address or port. */
  toAddress(address: string, port: number, isIpv6: boolean): Buffer | null
  fromAddress(raw: Buffer): { address: string; port: number }
  /** How far the clock of `Received.atMs` is ahead of monotonicMs. Re-read now and then, as it is set and slewed. */
  aheadMs(): number
}

/** One slot of the receiving area; overwritten by the next `receive`. */
export type Received = {
  readonly bytes: Buffer
  /** 0 for a datagram that was longer than the slot. */
  length: number
  readonly from: Buffer
  /** When the kernel received it; NaN if unknown. */
  atMs: number
}

const AF_INET = 2
const AF_INET6 = 10
const SOCK_DGRAM_NONBLOCK_CLOEXEC = 0x80802
const SOL_SOCKET = 1
const SO_RCVBUF = 8
const SO_RCVBUFFORCE = 33
const SO_TIMESTAMPNS = 35
const MSG_DONTWAIT = 0x40
const MSG_TRUNC = 0x20
const CLOCK_REALTIME = 0
/** Clocks are slewed by at most 0.05 %: 25 µs in this time. */
const CLOCK_READ_EVERY_MS = 50

const IPV4_ADDRESS_BYTES = 16
const IPV6_ADDRESS_BYTES = 28
const PLACES = 8
/** More than an Ethernet frame holds. */
const PLACE_BYTES = 2048
// struct mmsghdr: name, its length, iovec, their number, control, its length, flags; then the length of the datagram.
const MESSAGE_BYTES = 64
const NAME_LENGTH_AT = 8
const CONTROL_LENGTH_AT = 40
const FLAGS_AT = 48
const LENGTH_AT = 56
// struct iovec.
const VECTOR_BYTES = 16
// struct cmsghdr with a struct timespec.
const CONTROL_BYTES = 32
const SECONDS_AT = 16

type Place = { host: string; port: number; bufferBytes: number | undefined }

type Native = {
  socket(domain: number, type: number, protocol: number): number
  setsockopt(fd: number, level: number, option: number, value: Buffer, bytes: number): number
  bind(fd: number, address: Buffer, bytes: number): number
  close(fd: number): number
  sendto(fd: number, bytes: Buffer, length: number, flags: number, to: Buffer, toBytes: number): number
  recvmmsg(fd: number, messages: Buffer, count: number, flags: number, timeout: null): number
  inet_pton(family: number, text: string, into: Buffer): number
  inet_ntop(family: number, raw: Buffer, into: Buffer, bytes: number): string | null
  clock_gettime(clock: number, into: Buffer): number
  address(buffer: Buffer): bigint
  errno(): number
}

async function loadNative(): Promise<Native | null> {
  const is64Bit = process.arch === 'x64' || process.arch === 'arm64'
  if (process.platform !== 'linux' || !is64Bit || endianness() !== 'LE') return null
  try {
    const { default: koffi } = await import('koffi')
    const library = koffi.load(null)
    return {
      socket: library.func('int socket(int, int, int)'),
      setsockopt: library.func('int setsockopt(int, int, int, void *, uint32_t)'),
      bind: library.func('int bind(int, void *, uint32_t)'),
      close: library.func('int close(int)'),
      sendto: library.func('intptr_t sendto(int, void *, size_t, int, void *, uint32_t)'),
      recvmmsg: library.func('int recvmmsg(int, void *, uint32_t, int, void *)'),
      inet_pton: library.func('int inet_pton(int, const char *, void *)'),
      inet_ntop: library.func('const char *inet_ntop(int, void *, void *, uint32_t)'),
      clock_gettime: library.func('int clock_gettime(int, void *)'),
      address: (buffer) => koffi.address(buffer),
      errno: () => koffi.errno(),
    } as Native
  } catch {
    return null
  }
}

let loading: Promise<UdpCalls | null> | undefined

/** The receiving area is shared by all sockets of the thread. */
export function loadUdpCalls(): Promise<UdpCalls | null> {
  loading ??= loadNative().then((native) => native && callsOf(native))
  return loading
}

function callsOf(native: Native): UdpCalls {
  const area = receivingArea(native)
  const clock = Buffer.alloc(16)
  const text = Buffer.alloc(64)
  let [aheadMs, readAtMs] = [0, Number.NEGATIVE_INFINITY]
  const isIpv6 = (address: Buffer) => address.readUInt16LE(0) === AF_INET6

  function toAddress(address: string, port: number, asIpv6: boolean): Buffer | null {
    if (!(port > 0 && port < 65_536)) return null
    return socketAddress(native, asIpv6 && !address.includes(':') ? `::ffff:${address}` : address, port)
  }

  return {
    bind: (host, port, bufferBytes) => bind(native, { host, port, bufferBytes }),
    close: (fd) => void native.close(fd),
    send: (fd, bytes, to) => void native.sendto(fd, bytes, bytes.length, MSG_DONTWAIT, to, to.length),
    receive: (fd) => area.receive(fd),
    received: area.places,
    toAddress,
    fromAddress(raw) {
      const [family, at] = isIpv6(raw) ? [AF_INET6, 8] : [AF_INET, 4]
      return { address: native.inet_ntop(family, raw.subarray(at), text, text.length) ?? '', port: raw.readUInt16BE(2) }
    },
    aheadMs() {
      const nowMs = monotonicMs()
      if (nowMs - readAtMs < CLOCK_READ_EVERY_MS) return aheadMs
      readAtMs = nowMs
      native.clock_gettime(CLOCK_REALTIME, clock)
      aheadMs = msAt(clock, 0) - monotonicMs()
      return aheadMs
    },
  }
}

function bind(native: Native, { host, port, bufferBytes }: Place): number {
  const address = socketAddress(native, host, port)
  if (!address) throw systemError('EINVAL')
  const fd = native.socket(address.readUInt16LE(0), SOCK_DGRAM_NONBLOCK_CLOEXEC, 0)
  if (fd < 0) throw systemError(errorName(native))
  const set = (option: number, value: number) => {
    const raw = Buffer.alloc(4)
    raw.writeInt32LE(value)
    return native.setsockopt(fd, SOL_SOCKET, option, raw, raw.length) === 0
  }
  set(SO_TIMESTAMPNS, 1)
  // Exceeding the system's limit requires CAP_NET_ADMIN.
  if (bufferBytes !== undefined) set(SO_RCVBUFFORCE, bufferBytes) || set(SO_RCVBUF, bufferBytes)
  if (native.bind(fd, address, address.length) === 0) return fd
  const name = errorName(native)
  native.close(fd)
  throw systemError(name)
}

/** struct sockaddr_in or sockaddr_in6. */
function socketAddress(native: Native, address: string, port: number): Buffer | null {
  const isIpv6 = address.includes(':')
  const raw = Buffer.alloc(isIpv6 ? IPV6_ADDRESS_BYTES : IPV4_ADDRESS_BYTES)
  raw.writeUInt16LE(isIpv6 ? AF_INET6 : AF_INET, 0)
  raw.writeUInt16BE(port, 2)
  const isValid = native.inet_pton(isIpv6 ? AF_INET6 : AF_INET, address, raw.subarray(isIpv6 ? 8 : 4)) === 1
  return isValid ? raw : null
}

const errorName = (native: Native) => getSystemErrorName(-native.errno())
const systemError = (code: string) => Object.assign(new Error(code), { code })
const msAt = (bytes: Buffer, at: number) =>
  (bytes.readUInt32LE(at) + bytes.readInt32LE(at + 4) * 2 ** 32) * 1000 + bytes.readUInt32LE(at + 8) / 1e6

type Area = { places: readonly Received[]; receive(fd: number): number }

function receivingArea(native: Native): Area {
  // One block of memory outside the heap, whose address never changes.
  const memory = Buffer.from(
    new ArrayBuffer(PLACES * (MESSAGE_BYTES + VECTOR_BYTES + CONTROL_BYTES + 32 + PLACE_BYTES)),
  )
  const base = native.address(memory)
  let taken = 0
  const part = (bytes: number) => {
    taken += bytes
    return memory.subarray(taken - bytes, taken)
  }
  const pointTo = (into: Buffer, at: number, target: Buffer, offset = 0) =>
    into.writeBigUInt64LE(base + BigInt(target.byteOffset + offset), at)
  const messages = part(PLACES * MESSAGE_BYTES)
  const vectors = part(PLACES * VECTOR_BYTES)
  const controls = part(PLACES * CONTROL_BYTES)
  const places = Array.from({ length: PLACES }, (_, i): Received => {
    const place = { from: part(32).subarray(0, IPV6_ADDRESS_BYTES), bytes: part(PLACE_BYTES), length: 0, atMs: 0 }
    pointTo(vectors, i * VECTOR_BYTES, place.bytes)
    vectors.writeUInt32LE(PLACE_BYTES, i * VECTOR_BYTES + 8)
    const at = i * MESSAGE_BYTES
    pointTo(messages, at, place.from)
    pointTo(messages, at + 16, vectors, i * VECTOR_BYTES)
    messages.writeUInt32LE(1, at + 24)
    pointTo(messages, at + 32, controls, i * CONTROL_BYTES)
    return place
  })
  /** Restores the fields that the kernel overwrites. */
  const reset = (count: number) => {
    for (let i = 0; i < count; i++) {
      messages.writeUInt32LE(IPV6_ADDRESS_BYTES, i * MESSAGE_BYTES + NAME_LENGTH_AT)
      messages.writeUInt32LE(CONTROL_BYTES, i * MESSAGE_BYTES + CONTROL_LENGTH_AT)
    }
  }
  const read = (place: Received, i: number) => {
    const at = i * MESSAGE_BYTES
    const isWhole = (messages.readUInt32LE(at + FLAGS_AT) & MSG_TRUNC) === 0
    place.length = isWhole ? messages.readUInt32LE(at + LENGTH_AT) : 0
    const isStamped = messages.readUInt32LE(at + CONTROL_LENGTH_AT) >= CONTROL_BYTES
    place.atMs = isStamped ? msAt(controls, i * CONTROL_BYTES + SECONDS_AT) : Number.NaN
  }
  reset(PLACES)
  return {
    places,
    receive(fd) {
      const count = native.recvmmsg(fd, messages, PLACES, MSG_DONTWAIT, null)
      if (count <= 0) return 0
      for (let i = 0; i < count; i++) read(places[i] as Received, i)
      reset(count)
      return count
    },
  }
}
