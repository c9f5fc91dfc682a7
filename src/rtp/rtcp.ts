// RTCP (RFC 3550 section 6): sender and receiver reports, SDES, BYE, and parsing of the peer's reports.
import { monotonicMs, nowMs as wallMs } from '../base/time/clock.ts'
import type { Reception } from './reception.ts'

export type RtcpOptions = {
  ssrc: number
  cname: string
  /** The clock of what we send; updated when the codec changes. */
  clockHz: number
  /** The counters of the receiver: `AudioReceiver.reception`. */
  reception: Reception
  random?: () => number
}

const SENDER_REPORT = 200
const RECEIVER_REPORT = 201
const DESCRIPTION = 202
const GOODBYE = 203
const CNAME = 1
/** Section 6.2: at least 5 s, half of it the first time, spread by 0.5 to 1.5, divided by e - 3/2 (6.3.1). */
const INTERVAL_MS = 5000
const COMPENSATION = Math.E - 1.5
/** Seconds from the NTP epoch, 1900, to 1970. */
const NTP_EPOCH_S = 2_208_988_800
const REPORT_BYTES = 24
/** A sender is one that has sent since the report before the last (6.3). */
const SENDER_FOR_MS = 2 * INTERVAL_MS

export class RtcpSession {
  /** The loss of what we send, from the peer's last report; null before the first. */
  remoteLossFraction: number | null = null
  roundTripMs: number | null = null
  hasLeft = false
  packetsSent = 0
  bytesSent = 0
  readonly #options: RtcpOptions
  readonly #random: () => number
  readonly #toWallMs = wallMs() - monotonicMs()
  #lastTimestamp = 0
  #lastSentAtMs = Number.NEGATIVE_INFINITY
  #nextAtMs: number | null = null
  #lastReport = 0
  #lastReportAtMs = 0

  constructor(options: RtcpOptions) {
    this.#options = options
    this.#random = options.random ?? Math.random
  }

  /** All times are of monotonicMs. */
  sent(timestamp: number, payloadBytes: number, nowMs: number): void {
    this.packetsSent++
    this.bytesSent += payloadBytes
    this.#lastTimestamp = timestamp
    this.#lastSentAtMs = nowMs
  }

  /** Whether a report is due; the interval starts with the first call. */
  isDue(nowMs: number): boolean {
    if (this.#nextAtMs === null) this.#schedule(nowMs, INTERVAL_MS / 2)
    return nowMs >= (this.#nextAtMs ?? 0)
  }

  /** SR or RR, and SDES: a compound packet. */
  report(nowMs: number): Buffer {
    this.#schedule(nowMs, INTERVAL_MS)
    return Buffer.concat([this.#counts(nowMs), this.#description()])
  }

  bye(nowMs: number): Buffer {
    const out = Buffer.alloc(8)
    writeHeader(out, 1, GOODBYE)
    out.writeUInt32BE(this.#options.ssrc, 4)
    return Buffer.concat([this.#counts(nowMs), this.#description(), out])
  }

  /** False unless it is a complete compound packet. Never throws. */
  read(bytes: Uint8Array, nowMs: number): boolean {
    const packet = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    const parts = partsOf(packet)
    if (!parts) return false
    for (const { type, count, body } of parts) {
      if (type === SENDER_REPORT && body.length >= 24) {
        this.#noteSenderReport(body, nowMs)
        this.#readBlocks(body.subarray(24), count, nowMs)
      } else if (type === RECEIVER_REPORT && body.length >= 4) {
        this.#readBlocks(body.subarray(4), count, nowMs)
      } else if (type === GOODBYE && count > 0 && body.length >= 4) {
        if (body.readUInt32BE(0) === this.#options.reception.ssrc) this.hasLeft = true
      }
    }
    return true
  }

  #schedule(nowMs: number, intervalMs: number): void {
    this.#nextAtMs = nowMs + (intervalMs * (0.5 + this.#random())) / COMPENSATION
  }

  #counts(nowMs: number): Buffer {
    const { ssrc, clockHz, reception } = this.#options
    const isSender = nowMs - this.#lastSentAtMs < SENDER_FOR_MS
    const hasHeard = reception.highest >= 0
    const headBytes = isSender ? 28 : 8
    const out = Buffer.alloc(headBytes + (hasHeard ? REPORT_BYTES : 0))
    writeHeader(out, hasHeard ? 1 : 0, isSender ? SENDER_REPORT : RECEIVER_REPORT)
    out.writeUInt32BE(ssrc, 4)
    if (isSender) {
      const { seconds, fraction } = ntpOf(nowMs + this.#toWallMs)
      out.writeUInt32BE(seconds, 8)
      out.writeUInt32BE(fraction, 12)
      // The timestamp of this moment (6.4.1), not of the last packet.
      const ahead = Math.round(((nowMs - this.#lastSentAtMs) * clockHz) / 1000)
      out.writeUInt32BE((this.#lastTimestamp + ahead) >>> 0, 16)
      out.writeUInt32BE(this.packetsSent >>> 0, 20)
      out.writeUInt32BE(this.bytesSent >>> 0, 24)
    }
    if (hasHeard) this.#writeBlock(out.subarray(headBytes), nowMs)
    return out
  }

  // |                 SSRC_1 (SSRC of first source)                 |
  // | fraction lost |       cumulative number of packets lost       |
  // |           extended highest sequence number received           |
  // |                      interarrival jitter                      |
  // |         last SR (LSR)         |   delay since last SR (DLSR)  |
  #writeBlock(out: Buffer, nowMs: number): void {
    const { reception } = this.#options
    out.writeUInt32BE(reception.ssrc, 0)
    out.writeUInt8(reception.takeLossFraction(), 4)
    out.writeUIntBE(Math.min(0x7fffff, reception.lostOfSource), 5, 3)
    out.writeUInt32BE((reception.highest - 65536) >>> 0, 8)
    out.writeUInt32BE(reception.jitterUnits >>> 0, 12)
    out.writeUInt32BE(this.#lastReport, 16)
    const delay = this.#lastReport === 0 ? 0 : Math.round(((nowMs - this.#lastReportAtMs) * 65536) / 1000)
    out.writeUInt32BE(Math.min(0xffffffff, Math.max(0, delay)), 20)
  }

  #description(): Buffer {
    const name = Buffer.from(this.#options.cname).subarray(0, 255)
    // The items end with at least one zero, and the chunk is padded to a word (6.5).
    const out = Buffer.alloc(8 + Math.ceil((2 + name.length + 1) / 4) * 4)
    writeHeader(out, 1, DESCRIPTION)
    out.writeUInt32BE(this.#options.ssrc, 4)
    out[8] = CNAME
    out[9] = name.length
    name.copy(out, 10)
    return out
  }

  #noteSenderReport(body: Buffer, nowMs: number): void {
    if (body.readUInt32BE(0) !== this.#options.reception.ssrc) return
    // The middle 32 bits of the 64 (6.4.1).
    this.#lastReport = body.readUInt32BE(6)
    this.#lastReportAtMs = nowMs
  }

  #readBlocks(blocks: Buffer, count: number, nowMs: number): void {
    for (let at = 0; at + REPORT_BYTES <= blocks.length && at < count * REPORT_BYTES; at += REPORT_BYTES) {
      if (blocks.readUInt32BE(at) !== this.#options.ssrc) continue
      this.remoteLossFraction = blocks.readUInt8(at + 4) / 256
      const lastReport = blocks.readUInt32BE(at + 16)
      if (lastReport === 0) continue
      const { seconds, fraction } = ntpOf(nowMs + this.#toWallMs)
      const middle = (((seconds & 0xffff) << 16) | (fraction >>> 16)) >>> 0
      const roundTrip = (middle - lastReport - blocks.readUInt32BE(at + 20)) | 0
      // Slightly negative when the peer rounds up its delay; a round-trip time of an hour is bogus.
      if (roundTrip > -65536 && roundTrip < 3600 * 65536) this.roundTripMs = (Math.max(0, roundTrip) * 1000) / 65536
    }
  }
}

type Part = { type: number; count: number; body: Buffer }

/** RFC 3550 appendix A.2: version 2 in all, lengths that add up. Null otherwise. */
function partsOf(packet: Buffer): Part[] | null {
  const parts: Part[] = []
  for (let at = 0; at < packet.length; ) {
    if (at + 4 > packet.length || (packet[at] as number) >> 6 !== 2) return null
    const size = (packet.readUInt16BE(at + 2) + 1) * 4
    if (at + size > packet.length) return null
    parts.push({
      type: packet[at + 1] as number,
      count: (packet[at] as number) & 31,
      body: packet.subarray(at + 4, at + size),
    })
    at += size
  }
  return parts.length > 0 ? parts : null
}

function writeHeader(out: Buffer, count: number, type: number): void {
  out[0] = 0x80 | count
  out[1] = type
  out.writeUInt16BE(out.length / 4 - 1, 2)
}

function ntpOf(wallMs: number): { seconds: number; fraction: number } {
  const seconds = Math.floor(wallMs / 1000)
  const fraction = Math.floor(((wallMs - seconds * 1000) * 4294967296) / 1000)
  return { seconds: (seconds + NTP_EPOCH_S) >>> 0, fraction: fraction >>> 0 }
}
