// Source statistics of RFC 3550 appendix A: extended sequence, loss, jitter, and source validation.
import type { RtpHeader } from './packet.ts'

/** A.1: a jump ahead by more than this, or back by more than MAX_MISORDER, is a restart if the next packet confirms it. */
const MAX_DROPOUT = 3000
const MAX_MISORDER = 100
const SEEN = 256

/** 'probation': of another source, until the next packet follows it. 'restart': it did, and the counters are reset. */
export type Reading = 'next' | 'duplicate' | 'probation' | 'restart'

export class Reception {
  ssrc = 0
  /** Extended by the rollovers. */
  highest = -1
  /** The extended sequence of the packet last read. */
  current = -1
  received = 0
  duplicates = 0
  /** Over all sources. */
  total = 0
  #first = -1
  #seen = new Float64Array(SEEN).fill(-1)
  #jitter = 0
  #transit = Number.NaN
  #timestamp = -1
  #clockHz: number
  #nextSsrc = -1
  #nextSequence = -1
  #expectedBefore = 0
  #receivedBefore = 0
  /** Lost from earlier sources. */
  #lostBefore = 0

  constructor(clockHz: number) {
    this.#clockHz = clockHz
  }

  get clockHz(): number {
    return this.#clockHz
  }

  /** After a change of codec. */
  set clockHz(clockHz: number) {
    this.#clockHz = clockHz
    this.#jitter = 0
    this.#transit = Number.NaN
  }

  read(packet: RtpHeader, nowMs: number): Reading {
    const { sequence, ssrc } = packet
    if (this.highest < 0) this.#restart(ssrc, sequence)
    const step = (sequence - this.highest) & 0xffff
    const isKnown = ssrc === this.ssrc && (step < MAX_DROPOUT || step >= 65536 - MAX_MISORDER)
    let reading: Reading = 'next'
    if (!isKnown) {
      if (ssrc !== this.#nextSsrc || sequence !== this.#nextSequence) {
        this.#nextSsrc = ssrc
        this.#nextSequence = (sequence + 1) & 0xffff
        return 'probation'
      }
      this.#restart(ssrc, (sequence - 1) & 0xffff)
      this.#count(this.highest)
      reading = 'restart'
    }
    const signed = (((sequence - this.highest) & 0xffff) ^ 0x8000) - 0x8000
    const extended = this.highest + signed
    this.#nextSequence = -1
    this.current = extended
    const slot = extended & (SEEN - 1)
    if (this.#seen[slot] === extended) {
      this.duplicates++
      return 'duplicate'
    }
    this.#count(extended)
    this.#noteJitter(packet.timestamp, nowMs)
    return reading
  }

  /** Whether all packets from `from` up to `to`, exclusive, have arrived. */
  hasAll(from: number, to: number): boolean {
    if (to - from > SEEN) return false
    for (let n = from; n < to; n++) if (this.#seen[n & (SEEN - 1)] !== n) return false
    return true
  }

  get expected(): number {
    return this.highest < 0 ? 0 : this.highest - this.#first + 1
  }

  get lostOfSource(): number {
    return Math.max(0, this.expected - this.received)
  }

  /** Over all sources. */
  get lost(): number {
    return this.#lostBefore + this.lostOfSource
  }

  get jitterMs(): number {
    return (this.#jitter * 1000) / this.#clockHz
  }

  /** In units of the RTP clock, as reports carry it. */
  get jitterUnits(): number {
    return Math.floor(this.#jitter)
  }

  /** The loss since the last call, in 256ths (A.3). */
  takeLossFraction(): number {
    const expected = this.expected - this.#expectedBefore
    const lost = expected - (this.received - this.#receivedBefore)
    this.#expectedBefore = this.expected
    this.#receivedBefore = this.received
    return expected <= 0 || lost <= 0 ? 0 : Math.min(255, Math.floor((lost * 256) / expected))
  }

  #restart(ssrc: number, sequence: number): void {
    this.#lostBefore = this.lost
    this.ssrc = ssrc
    // Leaves room below for packets that were overtaken by the first.
    this.#first = 65536 + sequence
    this.highest = this.#first
    this.received = 0
    this.#expectedBefore = 0
    this.#receivedBefore = 0
    this.#seen.fill(-1)
    this.#jitter = 0
    this.#transit = Number.NaN
  }

  #count(extended: number): void {
    this.#seen[extended & (SEEN - 1)] = extended
    if (extended > this.highest) this.highest = extended
    if (extended < this.#first) this.#first = extended
    this.received++
    this.total++
  }

  /** A.8, in floating point. Wraps of the timestamp cancel out in the difference. */
  #noteJitter(timestamp: number, nowMs: number): void {
    // All packets of a digit have the same timestamp.
    if (timestamp === this.#timestamp) return
    this.#timestamp = timestamp
    const transit = (nowMs * this.#clockHz) / 1000 - timestamp
    const change = Math.abs(transit - this.#transit)
    this.#transit = transit
    // More than a second is not jitter but a jump of the timestamp, a rollover, or the first packet.
    if (change < this.#clockHz) this.#jitter += (change - this.#jitter) / 16
  }
}
