// The sending side of a leg: each tick 20 ms of DTMF, playout or silence, packed into RTP.
import { randomInt } from 'node:crypto'
import type { BridgeInput } from './bridge-input.ts'
import { TICK_MS } from './clock.ts'
import type { Codec } from './codecs.ts'
import { DtmfSender } from './dtmf-sender.ts'
import { Fader } from './fader.ts'
import { RTP_HEADER_BYTES, type RtpHeader, writeRtp } from './packet.ts'
import { type OnPlayed, PlayQueue } from './play-queue.ts'

export type SendRtp = (packet: Buffer, timestamp: number, payloadBytes: number) => void
export type OutgoingSettings = { codec: Codec; payloadType: number; dtmfPayloadType: number | null; ptimeMs: number }

const PTIMES = [10, 20, 30, 40, 60]
const NOTHING = new Int16Array(0)
/** Packet buffers used in rotation, so that a packet that the socket queues is not overwritten by the next. */
const PACKETS = 4

export class Outgoing {
  readonly ssrc = randomInt(1, 2 ** 32)
  readonly plays: PlayQueue
  readonly digits: DtmfSender
  packetsSent = 0
  /** Audio of the other leg while joined. */
  line: BridgeInput | null = null
  readonly #send: SendRtp
  #settings: OutgoingSettings | null = null
  /** Starts below 2^15: SRTP counts the rollovers, and the first one must not fall among early packets that may be lost (RFC 3711 3.3.1). */
  #sequence = randomInt(2 ** 15)
  /** Of the first sample of the next tick; advances while nothing is sent. */
  #timestamp = randomInt(2 ** 32)
  #frame = NOTHING
  #packet = NOTHING
  #filled = 0
  #packetTimestamp = 0
  #isPacketTalk = false
  #wasTalk = false
  readonly #fader = new Fader()
  /** For stateless codecs: the payload of a silent packet, and reused packet buffers. */
  #silence: Uint8Array | null = null
  #packets: { packet: Buffer; payload: Buffer }[] = []

  constructor(send: SendRtp, onHeard: OnPlayed, onDigitsDone: (job: number) => void) {
    this.#send = send
    this.plays = new PlayQueue(onHeard)
    this.digits = new DtmfSender(onDigitsDone)
  }

  configure(settings: OutgoingSettings): void {
    const { codec, ptimeMs } = settings
    const isKnown = PTIMES.includes(ptimeMs) && !(codec.name === 'opus' && ptimeMs === 30) // RFC 6716: no frames of 30 ms
    const samples = (codec.rateHz * (isKnown ? ptimeMs : TICK_MS)) / 1000
    const isSameForm = this.#settings?.codec === codec && this.#packet.length === samples
    this.#settings = settings
    if (isSameForm) return
    this.#frame = new Int16Array((codec.rateHz * TICK_MS) / 1000)
    this.#packet = new Int16Array(samples)
    this.#filled = 0
    this.#silence = codec.name === 'PCMU' || codec.name === 'PCMA' ? codec.encode(this.#packet) : null
    const bytes = RTP_HEADER_BYTES + samples
    this.#packets = Array.from({ length: this.#silence ? PACKETS : 0 }, () => {
      const packet = Buffer.alloc(bytes)
      return { packet, payload: packet.subarray(RTP_HEADER_BYTES) }
    })
  }

  setVolume(gain: number): void {
    this.#fader.wish(gain)
  }

  /** Whether only silence was sent in this tick. */
  isSilent = true
  /** What was sent in this tick; overwritten by the next. */
  get frame(): Int16Array {
    return this.#frame
  }

  /** Ticks that the clock skipped. */
  skip(ticks: number): void {
    if (this.#settings) this.#timestamp = (this.#timestamp + ticks * this.#units(this.#settings)) >>> 0
    this.#filled = 0
    this.#wasTalk = false
  }

  tick(maySend: boolean): void {
    const settings = this.#settings
    if (!settings) return
    const wasSilent = this.isSilent
    this.isSilent = true
    if (maySend) this.#fill(settings, wasSilent)
    else {
      this.#frame.fill(0)
      this.#filled = 0
      this.#wasTalk = false
    }
    this.#timestamp = (this.#timestamp + this.#units(settings)) >>> 0
  }

  #units({ codec }: OutgoingSettings): number {
    return (codec.clockHz * TICK_MS) / 1000
  }

  #fill(settings: OutgoingSettings, wasSilent: boolean): void {
    const { codec, dtmfPayloadType } = settings
    const { rateHz, clockHz } = codec
    // Digits start at packet boundaries.
    const step =
      this.#filled === 0 && this.digits.isBusy
        ? this.digits.step({ rateHz, clockHz, timestamp: this.#timestamp, hasEvents: dtmfPayloadType !== null })
        : null
    if (!step && wasSilent && this.plays.isEmpty && !this.line) this.#packetize(settings, false)
    else if (!step) {
      const isPlay = this.plays.read(this.#frame, codec.rateHz) > 0
      if (isPlay) this.#fader.apply(this.#frame)
      const isTalk = isPlay || this.line?.read(this.#frame, codec.rateHz) === true
      this.isSilent = !isTalk
      this.#packetize(settings, isTalk)
    } else if ('tone' in step) {
      this.#frame.set(step.tone)
      this.isSilent = false
      this.#packetize(settings, true)
    } else {
      this.#frame.fill(0)
      if ('silence' in step) this.#packetize(settings, false)
      else {
        const { marker, timestamp, payload } = step.event
        this.#emit({ payloadType: dtmfPayloadType ?? 0, marker, timestamp }, payload)
        this.#wasTalk = false
      }
    }
  }

  #packetize(settings: OutgoingSettings, isTalk: boolean): void {
    const { codec } = settings
    if (this.#filled === 0 && this.#packet.length === this.#frame.length) {
      this.#sendPacket(settings, this.#frame, this.#timestamp, isTalk)
      return
    }
    for (let at = 0; at < this.#frame.length; ) {
      if (this.#filled === 0) {
        this.#packetTimestamp = (this.#timestamp + (at * codec.clockHz) / codec.rateHz) >>> 0
        this.#isPacketTalk = false
      }
      const count = Math.min(this.#frame.length - at, this.#packet.length - this.#filled)
      this.#packet.set(this.#frame.subarray(at, at + count), this.#filled)
      this.#filled += count
      at += count
      this.#isPacketTalk ||= isTalk
      if (this.#filled < this.#packet.length) continue
      this.#filled = 0
      this.#sendPacket(settings, this.#packet, this.#packetTimestamp, this.#isPacketTalk)
    }
  }

  #sendPacket({ codec, payloadType }: OutgoingSettings, pcm: Int16Array, timestamp: number, isTalk: boolean): void {
    const reused = this.#packets[this.#sequence % PACKETS]
    const payload = isTalk || !this.#silence ? codec.encode(pcm, reused?.payload) : this.#silence
    // RFC 3551 section 4.1: the marker is on the first packet of a talk-spurt.
    this.#emit({ payloadType, marker: isTalk && !this.#wasTalk, timestamp }, payload, reused?.packet)
    this.#wasTalk = isTalk
  }

  #emit(head: Pick<RtpHeader, 'payloadType' | 'marker' | 'timestamp'>, payload: Uint8Array, into?: Buffer): void {
    const { payloadType, marker, timestamp } = head
    const header = { payloadType, marker, sequence: this.#sequence, timestamp, ssrc: this.ssrc }
    this.#sequence = (this.#sequence + 1) & 0xffff
    this.packetsSent++
    this.#send(writeRtp(header, payload, into), timestamp, payload.length)
  }
}
