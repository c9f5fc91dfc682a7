// A leg inside the worker: sockets, receiving, sending and recording, driven by the worker's clock.
import { randomBytes } from 'node:crypto'
import { SoundAnalyser } from '../audio/sound-features.ts'
import { monotonicMs } from '../base/time/clock.ts'
import type { SoundFeatures } from '../voice/ports.ts'
import { BridgeInput } from './bridge-input.ts'
import { openCodec } from './codecs.ts'
import type { OnDatagram, Source } from './datagram.ts'
import type { InbandDigits, LegEvent, LegSettings, LegStats } from './leg.ts'
import { LegRecording } from './leg-recording.ts'
import { addressOf, isAgreed, type LegSession, mayHear, maySend, mustHear, srtpOf } from './leg-session.ts'
import { Outgoing } from './outgoing.ts'
import { isRtcp, readRtp } from './packet.ts'
import { AudioReceiver, type ReceiverSettings } from './receiver.ts'
import { type RtcpOptions, RtcpSession } from './rtcp.ts'
import { bindPair, type SocketPair } from './socket-pair.ts'
import { SourceLock } from './source-lock.ts'
import type { Command, Notification } from './wire.ts'

/** Characters of an error that are reported. */
const MAX_PROBLEM_LENGTH = 1000
/** RTCP is read in one tick of this many: reports come every few seconds and carry their arrival time. */
const RTCP_READ_EVERY = 16

/** `recordedMs`: where the frame starts in the recording. `sound` is overwritten by the next frame. */
export type ReceivedFrame = {
  pcm: Int16Array
  rateHz: number
  ageMs: number
  recordedMs: number | null
  sound: SoundFeatures | null
}

export class RtpLeg {
  readonly id: number
  readonly outgoing: Outgoing
  /** The leg that is sent what is heard here. */
  #partner: RtpLeg | null = null
  readonly #note: (note: Notification) => void
  readonly #lostAfterMs: number
  readonly #detectInband: InbandDigits
  readonly #lock = new SourceLock()
  #sockets: SocketPair | null = null
  #session: LegSession | null = null
  #refused = 0
  #faults = 0
  #lastHeardMs = 0
  #isLost = false
  #rtcpFrom: Source | null = null
  /** Starts at the leg's number, so that the legs read RTCP in different ticks. */
  #reads: number
  readonly #sound = new SoundAnalyser()
  readonly #recording: LegRecording
  #closing: Promise<void> | undefined

  constructor(open: Command & { do: 'open' }, note: (note: Notification) => void) {
    this.id = open.leg
    this.#reads = open.leg
    this.#note = note
    this.#lostAfterMs = open.lostAfterMs
    this.#detectInband = open.detectInband
    this.#recording = new LegRecording((problem) => this.#event({ type: 'recording-failed', problem }))
    this.outgoing = new Outgoing(
      (packet, timestamp, payloadBytes) => this.#send(packet, timestamp, payloadBytes),
      (play, heardMs, isDone, inFrameMs) => {
        const { lengthMs } = this.#recording
        const recordedMs = lengthMs === null ? null : lengthMs + inFrameMs
        note({ is: 'heard', leg: this.id, play, heardMs, isDone, recordedMs })
      },
      (job) => note({ is: 'done', leg: this.id, job }),
    )
  }

  async bind(host: string, port: number): Promise<void> {
    // Anybody may send datagrams: one that breaks our code must not end the thread.
    const guarded = (read: OnDatagram): OnDatagram => {
      return (bytes, source, arrivedMs) => {
        try {
          read(bytes, source, arrivedMs)
        } catch (error) {
          this.#fault(error)
        }
      }
    }
    const onRtp = guarded((bytes, source, arrivedMs) => this.#readRtp(bytes, source, arrivedMs))
    const onRtcp = guarded((bytes, source, arrivedMs) => this.#readRtcp(bytes, source, arrivedMs))
    this.#sockets = await bindPair({ host, port, onRtp, onRtcp })
  }

  configure(settings: LegSettings): void {
    if (this.#closing) return
    const before = this.#session
    const nowMs = monotonicMs()
    if (!before || !mustHear(before.settings)) this.#lastHeardMs = nowMs
    const { payloadType, dtmfPayloadType, comfortNoisePayloadType, ptimeMs } = settings
    const isSameCodec = before?.settings.codec === settings.codec
    const codec = isSameCodec ? before.codec : openCodec(settings.codec)
    const trust = { signaling: settings.signaling ?? null, isAuthenticated: settings.srtp !== null }
    this.#lock.expect(addressOf(settings), trust)
    const heard = { codec, payloadType, dtmfPayloadType, comfortNoisePayloadType }
    this.#session = before
      ? { ...before, settings, codec, srtp: srtpOf(settings, before) }
      : { settings, codec, srtp: srtpOf(settings, null), ...this.#openReceiver(heard) }
    if (before) before.receiver.reconfigure(heard)
    this.#session.rtcpOptions.clockHz = codec.clockHz
    this.outgoing.configure({ codec, payloadType, dtmfPayloadType, ptimeMs })
    if (before && !isSameCodec) before.codec.close?.()
    this.#recording.startWaiting(codec.rateHz)
  }

  /** First part of a tick: all legs send before any leg receives. */
  send(nowMs: number, skipped: number): void {
    const session = this.#session
    if (!session) return
    if (skipped > 0) {
      this.outgoing.skip(skipped)
      this.#recording.skip(skipped, session.codec.rateHz)
    }
    this.outgoing.tick(maySend(session.settings) && this.#lock.target !== null)
    if (session.rtcp.isDue(nowMs)) this.#sendRtcp(session, session.rtcp.report(nowMs))
  }

  /** Second part of a tick: the frame that was heard; null before the first offer and answer. */
  hear(nowMs: number): ReceivedFrame | null {
    this.receive()
    const session = this.#session
    if (!session) return null
    const { rateHz } = session.codec
    const pcm = session.receiver.pull(nowMs)
    const recordedMs = this.#recording.lengthMs
    this.#recording.write(pcm, this.outgoing.frame, rateHz)
    const forMs = nowMs - this.#lastHeardMs
    if (!this.#isLost && forMs > this.#lostAfterMs && mustHear(session.settings)) {
      this.#isLost = true
      this.#event({ type: 'media-lost', forMs: Math.round(forMs) })
    }
    // Joined legs hear each other: nobody here needs the sound features.
    if (!this.#partner) this.#sound.push(pcm, rateHz, this.outgoing.isSilent ? null : this.outgoing.frame)
    return { pcm, rateHz, ageMs: session.receiver.ageMs, recordedMs, sound: this.#partner ? null : this.#sound }
  }

  /** Reads the packets that have arrived. */
  receive(): void {
    this.#sockets?.rtp.read()
    if (this.#reads++ % RTCP_READ_EVERY === 0) this.#sockets?.rtcp.read()
  }

  /** Each leg is sent what the other hears; queued plays are dropped. */
  join(other: RtpLeg): void {
    for (const leg of [this, other]) leg.leave()
    this.#partner = other
    other.#partner = this
    for (const leg of [this, other]) {
      leg.outgoing.plays.dropAll()
      leg.outgoing.line = new BridgeInput()
    }
  }

  leave(): void {
    const partner = this.#partner
    for (const leg of partner ? [this, partner] : []) {
      leg.#partner = null
      leg.outgoing.line = null
    }
  }

  /** Passes a frame to the joined leg; false when there is none. */
  pass({ pcm, rateHz }: { pcm: Int16Array; rateHz: number }): boolean {
    this.#partner?.outgoing.line?.push(pcm, rateHz)
    return this.#partner !== null
  }

  /** Resolves when the file is open; at once before the first offer and answer. */
  record(path: string): Promise<void> {
    return this.#recording.start(path, this.#session?.codec.rateHz)
  }

  stopRecording(): Promise<void> {
    return this.#recording.stop()
  }

  stats(): LegStats {
    const session = this.#session
    const { packetsSent } = this.outgoing
    const heard = session?.receiver.stats() ?? noneHeard
    const { remoteLossFraction = null, roundTripMs = null } = session?.rtcp ?? {}
    return { ...heard, packetsSent, refused: this.#refused, faults: this.#faults, remoteLossFraction, roundTripMs }
  }

  /** Resolves when the sockets are closed and the recording is complete. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.leave()
    this.outgoing.plays.dropAll()
    const session = this.#session
    if (session) {
      this.#sendRtcp(session, session.rtcp.bye(monotonicMs()))
      session.codec.close?.()
    }
    const sockets = this.#sockets
    this.#sockets = null
    await Promise.all([sockets?.close(), this.stopRecording()])
  }

  #openReceiver(heard: ReceiverSettings): Pick<LegSession, 'receiver' | 'rtcp' | 'rtcpOptions'> {
    const receiver = new AudioReceiver({
      ...heard,
      detectInband: this.#detectInband,
      onDigit: (digit, durationMs, by) => this.#event({ type: 'digit', digit, by, durationMs }),
    })
    const rtcpOptions: RtcpOptions = {
      ssrc: this.outgoing.ssrc,
      cname: randomBytes(12).toString('base64'), // RFC 7022: reveals nothing about us
      clockHz: 8000,
      reception: receiver.reception,
    }
    return { receiver, rtcpOptions, rtcp: new RtcpSession(rtcpOptions) }
  }

  /** Invalid packets are refused without an exception, so this is a bug of ours. Only the first one is reported. */
  #fault(error: unknown): void {
    this.#faults++
    if (this.#faults > 1) return
    const problem = error instanceof Error ? (error.stack ?? error.message) : String(error)
    this.#note({ is: 'fault', leg: this.id, problem: problem.slice(0, MAX_PROBLEM_LENGTH) })
  }

  #event(event: LegEvent): void {
    this.#note({ is: 'event', leg: this.id, event })
  }

  #send(packet: Buffer, timestamp: number, payloadBytes: number): void {
    const target = this.#lock.target
    const session = this.#session
    if (!target || !session) return
    session.rtcp.sent(timestamp, payloadBytes, monotonicMs())
    this.#sockets?.rtp.send(session.srtp ? session.srtp.sender.protect(packet) : packet, target.address, target.port)
  }

  #sendRtcp({ settings, srtp }: LegSession, report: Buffer): void {
    const target = this.#lock.target
    if (!target) return
    const packet = srtp ? srtp.sender.protectRtcp(report) : report
    const from = this.#rtcpFrom?.address === target.address ? this.#rtcpFrom : null
    if (settings.rtcpMux) this.#sockets?.rtp.send(packet, target.address, target.port)
    else this.#sockets?.rtcp.send(packet, target.address, from?.port ?? target.port + 1)
  }

  #readRtp(bytes: Buffer, source: Source, nowMs: number): void {
    const session = this.#session
    if (!session || this.#closing) return
    if (session.settings.rtcpMux && isRtcp(bytes)) {
      this.#readRtcp(bytes, source, nowMs)
      return
    }
    const { address, port } = source
    const clear = this.#lock.mayBeHeard(address, port, nowMs) ? unprotected(session, bytes) : null
    const packet = clear && readRtp(clear)
    if (!packet || !isAgreed(session.settings, packet.payloadType)) {
      this.#refused++
      return
    }
    const verdict = this.#lock.judge(address, port, packet.ssrc, packet.sequence, nowMs)
    if (verdict === 'refused') {
      this.#refused++
      return
    }
    this.#lastHeardMs = nowMs
    if (verdict === 'locked') this.#event({ type: 'latched', address, port })
    if (this.#isLost) {
      this.#isLost = false
      this.#event({ type: 'media-resumed' })
    }
    if (mayHear(session.settings)) session.receiver.put(packet, nowMs)
  }

  #readRtcp(bytes: Buffer, source: Source, nowMs: number): void {
    const session = this.#session
    if (!session || this.#closing || source.address !== this.#lock.target?.address) return
    const clear = session.srtp ? session.srtp.receiver.unprotectRtcp(bytes) : bytes
    if (clear && session.rtcp.read(clear, nowMs)) this.#rtcpFrom = source
  }
}

const unprotected = ({ srtp }: LegSession, bytes: Buffer): Buffer | null =>
  srtp ? srtp.receiver.unprotect(bytes) : bytes

const noneHeard = { packetsReceived: 0, lost: 0, concealed: 0, late: 0, duplicates: 0, jitterMs: 0, bufferMs: 0 }
