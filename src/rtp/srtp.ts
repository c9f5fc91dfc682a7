// SRTP and SRTCP (RFC 3711) with the keys of SDES (RFC 4568): AES in counter mode, HMAC-SHA1, replay protection.
import { timingSafeEqual } from 'node:crypto'
import type { SrtpKeys } from './leg.ts'
import { payloadStart } from './packet.ts'
import { counterMode, hmacSha1, type Keystream, type Mac } from './srtp-crypto.ts'

const KEY_BYTES = 16
const SALT_BYTES = 14
const AUTH_KEY_BYTES = 20
/** Also for the 32-bit suite: only its RTP tags are shortened (RFC 4568 section 6.2.2). */
const RTCP_TAG_BYTES = 10
const RTCP_HEADER_BYTES = 8
const INDEX_BYTES = 4
const ENCRYPTED = 0x80000000
/** RFC 3711 section 3.3.2 asks for 64 at least. */
const WINDOW = 128
/** SSRCs of one peer: more than one after a restart or a fork. The oldest is dropped. */
const MAX_SOURCES = 8

/** The session keys of one direction, for RTP (labels 0 to 2) or RTCP (3 to 5). */
type Session = { stream: Keystream; mac: Mac }

/** Section 4.3.1 with a key derivation rate of 0: label and salt, encrypted by the master key. */
export function deriveKey(master: Uint8Array, label: number, bytes: number): Buffer {
  const iv = Buffer.alloc(16)
  iv.set(master.subarray(KEY_BYTES, KEY_BYTES + SALT_BYTES))
  iv[7] = (iv[7] as number) ^ label
  const key = Buffer.alloc(bytes)
  counterMode(master.subarray(0, KEY_BYTES)).apply(iv, key)
  return key
}

function sessionOf({ key }: SrtpKeys, firstLabel: 0 | 3): Session {
  if (key.length !== KEY_BYTES + SALT_BYTES) throw new RangeError('SRTP: 30 bytes of key and salt are needed')
  const salt = deriveKey(key, firstLabel + 2, SALT_BYTES)
  return {
    stream: counterMode(deriveKey(key, firstLabel, KEY_BYTES), salt),
    mac: hmacSha1(deriveKey(key, firstLabel + 1, AUTH_KEY_BYTES)),
  }
}

const tagBytesOf = ({ suite }: SrtpKeys): number => (suite === 'AES_CM_128_HMAC_SHA1_32' ? 4 : 10)

export class SrtpSender {
  readonly #tagBytes: number
  readonly #rtp: Session
  readonly #rtcp: Session
  #ssrc = -1
  #lastSequence = 0
  #rollovers = 0
  #rtcpIndex = 0

  constructor(keys: SrtpKeys) {
    this.#tagBytes = tagBytesOf(keys)
    this.#rtp = sessionOf(keys, 0)
    this.#rtcp = sessionOf(keys, 3)
  }

  /** Does not change the packet itself. */
  protect(rtp: Buffer): Buffer {
    const start = payloadStart(rtp, rtp.length)
    if (start < 0) throw new RangeError('SRTP: not an RTP packet')
    const sequence = rtp.readUInt16BE(2)
    const ssrc = rtp.readUInt32BE(8)
    if (ssrc !== this.#ssrc) this.#rollovers = 0
    else if (this.#lastSequence - sequence > 32768) this.#rollovers = (this.#rollovers + 1) >>> 0
    this.#ssrc = ssrc
    this.#lastSequence = sequence
    const end = rtp.length
    const out = Buffer.allocUnsafe(end + Math.max(this.#tagBytes, INDEX_BYTES))
    rtp.copy(out)
    this.#rtp.stream.cipher(out, start, end, ssrc, this.#rollovers * 65536 + sequence)
    out.writeUInt32BE(this.#rollovers, end)
    this.#rtp.mac(out, end + INDEX_BYTES).copy(out, end, 0, this.#tagBytes)
    return out.subarray(0, end + this.#tagBytes)
  }

  // |V=2|P|   RC    |   PT   |  length  |  SSRC of sender  | encrypted ... |E|  SRTCP index  | tag |
  protectRtcp(rtcp: Buffer): Buffer {
    const index = this.#rtcpIndex
    this.#rtcpIndex = (index + 1) % ENCRYPTED
    const end = rtcp.length
    const out = Buffer.allocUnsafe(end + INDEX_BYTES + RTCP_TAG_BYTES)
    rtcp.copy(out)
    this.#rtcp.stream.cipher(out, RTCP_HEADER_BYTES, end, rtcp.readUInt32BE(4), index)
    out.writeUInt32BE(ENCRYPTED + index, end)
    this.#rtcp.mac(out, end + INDEX_BYTES).copy(out, end + INDEX_BYTES, 0, RTCP_TAG_BYTES)
    return out
  }
}

/** The replay window of one source. */
class Window {
  highest = -1
  readonly #seen = new Float64Array(WINDOW).fill(-1)

  isNew(index: number): boolean {
    return index > this.highest - WINDOW && this.#seen[index % WINDOW] !== index
  }

  add(index: number): void {
    this.#seen[index % WINDOW] = index
    if (index > this.highest) this.highest = index
  }
}

export class SrtpReceiver {
  readonly #tagBytes: number
  readonly #rtp: Session
  readonly #rtcp: Session
  readonly #rtpSources = new Map<number, Window>()
  readonly #rtcpSources = new Map<number, Window>()

  constructor(keys: SrtpKeys) {
    this.#tagBytes = tagBytesOf(keys)
    this.#rtp = sessionOf(keys, 0)
    this.#rtcp = sessionOf(keys, 3)
  }

  /** In place: the result is a view of `packet`. Null for a packet that is not authentic, is a replay, or is not SRTP. */
  unprotect(packet: Buffer): Buffer | null {
    const end = packet.length - this.#tagBytes
    // Contributors and the extension are not encrypted (section 3.1).
    const start = payloadStart(packet, end)
    if (start < 0) return null
    const ssrc = packet.readUInt32BE(8)
    const window = this.#rtpSources.get(ssrc) ?? new Window()
    const index = indexOf(packet.readUInt16BE(2), window.highest)
    if (index < 0 || !window.isNew(index)) return null
    // Section 4.2: the rollover counter is authenticated as if it followed the packet.
    if (!this.#rtp.mac.verifies(packet, end, this.#tagBytes, Math.floor(index / 65536))) return null
    admit(this.#rtpSources, ssrc, window, index)
    this.#rtp.stream.cipher(packet, start, end, ssrc, index)
    return packet.subarray(0, end)
  }

  unprotectRtcp(packet: Buffer): Buffer | null {
    const tagAt = packet.length - RTCP_TAG_BYTES
    const end = tagAt - INDEX_BYTES
    if (end < RTCP_HEADER_BYTES) return null
    const ssrc = packet.readUInt32BE(4)
    const word = packet.readUInt32BE(end)
    const index = word % ENCRYPTED
    const window = this.#rtcpSources.get(ssrc) ?? new Window()
    if (!window.isNew(index)) return null
    const tag = this.#rtcp.mac(packet, tagAt).subarray(0, RTCP_TAG_BYTES)
    if (!timingSafeEqual(tag, packet.subarray(tagAt))) return null
    admit(this.#rtcpSources, ssrc, window, index)
    if (word >= ENCRYPTED) this.#rtcp.stream.cipher(packet, RTCP_HEADER_BYTES, end, ssrc, index)
    return packet.subarray(0, end)
  }
}

/** Only authenticated packets change state. */
function admit(sources: Map<number, Window>, ssrc: number, window: Window, index: number): void {
  window.add(index)
  if (sources.has(ssrc)) return
  sources.set(ssrc, window)
  if (sources.size <= MAX_SOURCES) return
  for (const oldest of sources.keys()) {
    sources.delete(oldest)
    return
  }
}

/** Section 3.3.1: the index of this sequence number that is nearest to the highest so far. */
function indexOf(sequence: number, highest: number): number {
  if (highest < 0) return sequence
  const step = (((sequence - highest) & 0xffff) ^ 0x8000) - 0x8000
  return highest + step
}
