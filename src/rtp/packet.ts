// RTP packets (RFC 3550 section 5.1): parse, write, and demultiplex from RTCP (RFC 5761).

export type RtpHeader = {
  payloadType: number
  marker: boolean
  sequence: number
  timestamp: number
  ssrc: number
}
/** `payload` is a view of the datagram, not a copy. */
export type RtpPacket = RtpHeader & { payload: Uint8Array }

export const RTP_HEADER_BYTES = 12

//  0                   1                   2                   3
// |V=2|P|X|  CC   |M|     PT      |        sequence number        |
// |                           timestamp                           |
// |                             SSRC                              |
// |              CSRC (CC times), extension (X), payload          |

/** Where the payload starts in the first `size` bytes; -1 when the header is incomplete or not of version 2. */
export function payloadStart(bytes: Uint8Array, size: number): number {
  const first = bytes[0] as number
  if (size < RTP_HEADER_BYTES || first >> 6 !== 2) return -1
  let start = RTP_HEADER_BYTES + (first & 15) * 4
  if (first & 0x10) {
    if (start + 4 > size) return -1
    start += 4 + (((bytes[start + 2] as number) << 8) | (bytes[start + 3] as number)) * 4
  }
  return start <= size ? start : -1
}

/** Null unless it is a complete RTP packet of version 2. */
export function readRtp(bytes: Uint8Array): RtpPacket | null {
  const size = bytes.length
  const start = payloadStart(bytes, size)
  if (start < 0) return null
  let end = size
  if ((bytes[0] as number) & 0x20) {
    const padding = bytes[size - 1] as number
    if (padding === 0) return null
    end -= padding
  }
  if (start > end) return null
  const second = bytes[1] as number
  return {
    payloadType: second & 0x7f,
    marker: second >= 0x80,
    sequence: ((bytes[2] as number) << 8) | (bytes[3] as number),
    timestamp: readUint32(bytes, 4),
    ssrc: readUint32(bytes, 8),
    payload: bytes.subarray(start, end),
  }
}

/** Writes into `into` if it is large enough (the result is a view of it), else into new memory. The payload may be in place already. */
export function writeRtp(header: RtpHeader, payload: Uint8Array, into?: Buffer): Buffer {
  const size = RTP_HEADER_BYTES + payload.length
  const isFit = into?.length === size
  const out = isFit ? into : into && into.length >= size ? into.subarray(0, size) : Buffer.allocUnsafe(size)
  out[0] = 0x80
  out[1] = (header.marker ? 0x80 : 0) | (header.payloadType & 0x7f)
  out[2] = header.sequence >> 8
  out[3] = header.sequence
  writeUint32(out, 4, header.timestamp)
  writeUint32(out, 8, header.ssrc)
  const isInPlace = payload.buffer === out.buffer && payload.byteOffset === out.byteOffset + RTP_HEADER_BYTES
  if (!isInPlace) out.set(payload, RTP_HEADER_BYTES)
  return out
}

/** RFC 5761 section 4: RTCP packet types 192 to 223 would be RTP payload types 64 to 95 with the marker, which are reserved for this. */
export function isRtcp(bytes: Uint8Array): boolean {
  if (bytes.length < 8 || (bytes[0] as number) >> 6 !== 2) return false
  const type = bytes[1] as number
  return type >= 192 && type <= 223
}

function readUint32(bytes: Uint8Array, at: number): number {
  const high = ((bytes[at] as number) << 8) | (bytes[at + 1] as number)
  return high * 65536 + (((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number))
}

function writeUint32(out: Uint8Array, at: number, value: number): void {
  out[at] = value >>> 24
  out[at + 1] = value >>> 16
  out[at + 2] = value >>> 8
  out[at + 3] = value
}
