// The receiving side of a leg: RTP in, 20 ms of PCM out per tick, DTMF reported when it ends.

import { COMFORT_NOISE, ComfortNoise } from '../audio/comfort-noise.ts'
import { DtmfToneDetector } from '../audio/dtmf-tones.ts'
import { Concealer } from '../audio/loss-concealment.ts'
import { TICK_MS } from './clock.ts'
import type { Codec } from './codecs.ts'
import { DtmfEventReader } from './dtmf-events.ts'
import { type BufferedPacket, JitterBuffer } from './jitter-buffer.ts'
import type { InbandDigits, LegStats } from './leg.ts'
import type { RtpPacket } from './packet.ts'
import { Playout } from './playout.ts'
import { Reception } from './reception.ts'
import { SmoothedTickTime } from './tick-clock.ts'

export type Decoder = Pick<Codec, 'decode'> & { readonly rateHz: number; readonly clockHz: number }

export type ReceiverSettings = {
  codec: Decoder
  payloadType: number
  comfortNoisePayloadType?: number | null
  dtmfPayloadType: number | null
}
export type ReceiverOptions = ReceiverSettings & {
  /** Called once per digit, at its end. */
  onDigit: (digit: string, durationMs: number, by: 'rfc4733' | 'inband') => void
  /** Stops once the peer sends events: many send both. */
  detectInband?: InbandDigits
}
export type ReceiverStats = Pick<
  LegStats,
  'packetsReceived' | 'lost' | 'concealed' | 'late' | 'duplicates' | 'jitterMs' | 'bufferMs'
>

/** RFC 3551 section 4.2. */
const MAX_PACKET_MS = 200
/** Tolerance of the delay. Together more than the longest period, so that it does not oscillate. */
const LONGER_BY_MS = 16
const SHORTER_BY_MS = 2
/** Beyond this, dropping single periods would take seconds: whole packets are skipped. */
const SKIP_BY_MS = 200
/** Ticks between two changes: 10 ms in 40 do not sound hurried. After too long without a good place, a change is forced. */
const CHANGE_EVERY = 2
const FORCED_AFTER = 10
const FORCED_SOON_AFTER = 3
const FAR_OFF_MS = 30

export class AudioReceiver {
  /** For RTCP's reports. */
  readonly reception: Reception
  readonly #onDigit: ReceiverOptions['onDigit']
  readonly #detectInband: InbandDigits
  readonly #noise = new ComfortNoise()
  readonly #tick = new SmoothedTickTime(TICK_MS)
  #settings: ReceiverSettings
  #jitter: JitterBuffer
  #playout: Playout
  #concealer: Concealer
  #events: DtmfEventReader
  #tones: DtmfToneDetector | null = null
  #frame = 0
  /** PCM samples per unit of the RTP clock. */
  #ratio = 1
  /** The peer is silent and sends comfort noise. */
  #isNoise = false
  #isNoisePlaying = false
  #lastSequence = 0
  /** The first packet of a possible new source. */
  #candidate: { packet: RtpPacket; nowMs: number } | null = null
  #concealed = 0
  /** Samples concealed since the last packet; not known yet whether any were lost. */
  #unsure = 0
  #sinceChange = 0
  #lateBefore = 0

  constructor({ onDigit, detectInband = false, ...settings }: ReceiverOptions) {
    this.#onDigit = onDigit
    this.#detectInband = detectInband
    this.#settings = settings
    const { codec } = settings
    this.reception = new Reception(codec.clockHz)
    this.#jitter = new JitterBuffer(codec.clockHz)
    this.#playout = new Playout(codec.rateHz)
    this.#concealer = new Concealer(codec.rateHz)
    this.#events = new DtmfEventReader(codec.clockHz, (digit, ms) => onDigit(digit, ms, 'rfc4733'))
    this.#listen()
  }

  /** `nowMs`: of monotonicMs, here and below. */
  put(packet: RtpPacket, nowMs: number): void {
    const reading = this.reception.read(packet, nowMs)
    if (reading === 'duplicate') return
    if (reading === 'probation') {
      // Some gateways send events as a separate source; these need no order, as their timestamps identify them.
      if (packet.payloadType === this.#settings.dtmfPayloadType) this.#events.put(packet, packet.payload, nowMs)
      this.#candidate = { packet, nowMs }
      return
    }
    const sequence = this.reception.current
    if (reading === 'restart') {
      this.#jitter.reset()
      this.#isNoise = false
      if (this.#candidate) this.#sort(this.#candidate.packet, sequence - 1, this.#candidate.nowMs)
    }
    this.#candidate = null
    this.#sort(packet, sequence, nowMs)
  }

  /** Exactly 20 ms at the codec's rate; the caller may keep it. */
  pull(nowMs: number): Int16Array {
    const tickMs = this.#tick.next(nowMs)
    this.#events.tick(nowMs)
    if (this.#jitter.isRunning || this.#begin(tickMs)) this.#keepTime(tickMs)
    const pcm = this.#next()
    this.#tones?.push(pcm)
    return pcm
  }

  /** After a re-INVITE; fields that are left out stay. */
  reconfigure(settings: Partial<ReceiverSettings>): void {
    const before = this.#settings
    this.#settings = { ...before, ...settings }
    const { codec } = this.#settings
    if (this.#settings.dtmfPayloadType !== before.dtmfPayloadType) this.#hearTones()
    if (codec === before.codec) return
    this.#lateBefore += this.#jitter.late
    this.#jitter = new JitterBuffer(codec.clockHz)
    this.#isNoise = false
    if (codec.clockHz !== this.reception.clockHz) {
      this.reception.clockHz = codec.clockHz
      this.#events = new DtmfEventReader(codec.clockHz, (digit, ms) => this.#onDigit(digit, ms, 'rfc4733'))
    }
    if (codec.rateHz !== before.codec.rateHz) {
      this.#playout = new Playout(codec.rateHz)
      this.#concealer = new Concealer(codec.rateHz)
    }
    this.#listen()
  }

  /** How long ago the audio of the last frame arrived, or would have without network delay. */
  get ageMs(): number {
    return this.#jitter.isRunning ? Math.max(0, this.#delayMs(this.#tick.ms) + TICK_MS) : 0
  }

  stats(): ReceiverStats {
    const { total, lost, duplicates, jitterMs } = this.reception
    return {
      packetsReceived: total,
      lost,
      concealed: Math.round(this.#concealed / this.#frame),
      late: this.#lateBefore + this.#jitter.late,
      duplicates,
      jitterMs,
      bufferMs: this.ageMs,
    }
  }

  #listen(): void {
    const { codec } = this.#settings
    this.#frame = (codec.rateHz * TICK_MS) / 1000
    this.#ratio = codec.rateHz / codec.clockHz
    this.#hearTones()
  }

  #hearTones(): void {
    const { codec, dtmfPayloadType } = this.#settings
    const isWanted = this.#detectInband === 'without-events' ? dtmfPayloadType === null : this.#detectInband
    const tell = (digit: string, ms: number) => this.#onDigit(digit, ms, 'inband')
    this.#tones = isWanted ? new DtmfToneDetector(codec.rateHz, tell) : null
  }

  #sort(packet: RtpPacket, sequence: number, nowMs: number): void {
    const { payloadType, payload, timestamp } = packet
    const settings = this.#settings
    if (payload.length === 0) return
    if (payloadType === settings.payloadType) this.#jitter.put(sequence, timestamp, 'audio', payload, nowMs)
    else if (payloadType === settings.dtmfPayloadType) {
      this.#tones = null
      this.#events.put(packet, payload, nowMs)
    } else if (payloadType === settings.comfortNoisePayloadType || payloadType === COMFORT_NOISE)
      this.#jitter.put(sequence, timestamp, 'noise', payload, nowMs)
  }

  #begin(tickMs: number): boolean {
    if (!this.#jitter.begin(tickMs, TICK_MS)) return false
    // Nothing before the first packet counts as lost.
    this.#lastSequence = (this.#jitter.first as BufferedPacket).sequence - 1
    return true
  }

  #delayMs(tickMs: number): number {
    return this.#jitter.delayMs(tickMs, this.#playout.length / this.#ratio)
  }

  /** Adjusts the delay to the jitter, one pitch period at a time. */
  #keepTime(tickMs: number): void {
    const jitter = this.#jitter
    const off = this.#delayMs(tickMs) - jitter.transit.targetMs
    if (this.#playout.length === 0 && !this.#isFirstDue() && this.#isSilent()) {
      jitter.shift(off)
      return
    }
    if (off > SKIP_BY_MS) {
      jitter.skip(off)
      return
    }
    if (off < LONGER_BY_MS && off > -SHORTER_BY_MS) {
      this.#sinceChange = 0
      return
    }
    if (++this.#sinceChange < CHANGE_EVERY) return
    const isForced = this.#sinceChange > (off > FAR_OFF_MS ? FORCED_SOON_AFTER : FORCED_AFTER)
    if (off > 0) {
      const needed = this.#playout.shortenNeeds(this.#frame)
      while (this.#playout.length < needed && this.#isFirstDue()) this.#decodeFirst()
      if (this.#playout.length >= needed && this.#playout.shorten(isForced) > 0) this.#sinceChange = 0
    } else {
      while (this.#playout.length < this.#frame && this.#isFirstDue()) this.#decodeFirst()
      if (this.#playout.length >= this.#frame && this.#playout.lengthen(isForced) > 0) this.#sinceChange = 0
    }
  }

  #next(): Int16Array {
    const frame = this.#frame
    if (this.#playout.length === 0 && this.#isFirstDue() && !this.#concealer.isActive) {
      const pcm = this.#decodeFirst(true)
      if (pcm) return pcm
    }
    while (this.#playout.length < frame) {
      if (this.#isFirstDue()) this.#decodeFirst()
      else this.#fill(frame - this.#playout.length)
    }
    return this.#playout.take(frame)
  }

  /** Whether the first packet follows what was played without a gap. */
  #isFirstDue(): boolean {
    const jitter = this.#jitter
    return jitter.isRunning && jitter.first !== undefined && jitter.first.timestamp - jitter.end < 1
  }

  #isSilent(): boolean {
    return this.#isNoise || (this.#concealer.isActive && !this.#concealer.isAudible)
  }

  /** Appends the samples to the playout; with `asFrame`, a packet of exactly one frame is returned instead. */
  #decodeFirst(asFrame = false): Int16Array | null {
    const held = this.#jitter.take() as BufferedPacket
    this.#isNoise = held.kind === 'noise'
    this.#settle(held)
    if (held.kind === 'noise') {
      this.#noise.read(held.payload)
      this.#jitter.passed(held.timestamp)
      return null
    }
    const { codec } = this.#settings
    const pcm = codec.decode(held.payload)
    if (pcm.length === 0 || pcm.length > (codec.rateHz * MAX_PACKET_MS) / 1000) return null
    if (this.#concealer.isActive || this.#isNoisePlaying) this.#concealer.rejoin(pcm)
    this.#isNoisePlaying = false
    this.#concealer.hear(pcm)
    this.#jitter.heardTo(held.timestamp + pcm.length / this.#ratio)
    if (asFrame && pcm.length === this.#frame) return pcm
    this.#playout.append(pcm)
    return null
  }

  /** Counts the concealment before this packet if a packet was missing or late. */
  #settle(held: BufferedPacket): void {
    const isWhole = this.reception.hasAll(this.#lastSequence + 1, held.sequence)
    if (!isWhole || held.timestamp - this.#jitter.end < -1) this.#concealed += this.#unsure
    this.#unsure = 0
    this.#lastSequence = held.sequence
  }

  /** Fills up to `most` samples of a gap: with comfort noise if the peer is silent, else by concealment. */
  #fill(most: number): void {
    const jitter = this.#jitter
    const first = jitter.isRunning ? jitter.first : undefined
    const gap = first ? Math.max(1, Math.round((first.timestamp - jitter.end) * this.#ratio)) : most
    const out = this.#playout.extend(Math.min(most, gap))
    jitter.end += out.length / this.#ratio
    if (this.#isNoise) {
      this.#noise.fill(out)
      if (!this.#isNoisePlaying) this.#concealer.rejoin(out)
      this.#isNoisePlaying = true
      this.#concealer.hear(out)
    } else {
      const hasEnded = this.#events.isOpen || (first && this.reception.hasAll(this.#lastSequence + 1, first.sequence))
      this.#concealer.conceal(out, hasEnded)
      if (!hasEnded && jitter.isRunning) this.#unsure += out.length
    }
  }
}
