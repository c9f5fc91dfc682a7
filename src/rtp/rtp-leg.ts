// A leg inside the worker: sockets, receiving, sending and recording, driven by the worker's clock.
import { randomBytes } from 'node:crypto'
import { isIP, isIPv6, SocketAddress } from 'node:net'
import { Recorder } from '../audio/recorder.ts'
import { SoundAnalyser } from '../audio/sound-features.ts'
import { monotonicMs } from '../base/time/clock.ts'
import type { SoundFeatures } from '../voice/ports.ts'
import { BridgeInput } from './bridge-input.ts'
import { TICK_MS } from './clock.ts'
import { type Codec, openCodec } from './codecs.ts'
import { type OnDatagram, plain, type Source } from './datagram.ts'
import type { InbandDigits, LegEvent, LegSettings, LegStats, SrtpKeys } from './leg.ts'
import { Outgoing } from './outgoing.ts'
import { isRtcp, readRtp } from './packet.ts'
import { AudioReceiver, type ReceiverSettings } from './receiver.ts'
import { type RtcpOptions, RtcpSession } from './rtcp.ts'
import { bindPair, type SocketPair } from './socket-pair.ts'
import { SourceLock } from './source-lock.ts'
import { SrtpReceiver, SrtpSender } from './srtp.ts'
import type { Command, Notification } from './wire.ts'

/** Ticks that the clock gave up are silence in the recording, unless the machine slept. */
const MAX_SILENT_TICKS = 500

const MAX_PROBLEM = 1000
/** Ticks: reports come every few seconds, and say themselves when they arrived. */
const RTCP_READ_EVERY = 16

/** All that begins with the first offer and answer. */
type Session = {
  settings: LegSettings
  codec: Codec
  receiver: AudioReceiver
  rtcp: RtcpSession
  rtcpOptions: RtcpOptions
  srtp: { sender: SrtpSender; receiver: SrtpReceiver } | null
}

/** `recordedMs` is where it begins in the recording; `sound` is overwritten by the next frame. */
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
  /** Who is sent what is heard here. */
  #partner: RtpLeg | null = null
  readonly #note: (note: Notification) => void
  readonly #lostAfterMs: number
  readonly #detectInband: InbandDigits
  readonly #lock = new SourceLock()
  #sockets: SocketPair | null = null
  #session: Session | null = null
  #refused = 0
  #faults = 0
  #lastHeardMs = 0
  #isLost = false
  #rtcpFrom: Source | null = null
  /** Legs read RTCP in different ticks. */
  #reads: number
  readonly #sound = new SoundAnalyser()
  #recorder: Recorder | null = null
  /** How much is in the recording. */
  #recordedMs = 0
  /** All recordings that were stopped are whole. */
  #finished: Promise<unknown> = Promise.resolve()
  /** Asked for before the first offer and answer. */
  #toRecord: string | null = null
  #closing: Promise<void> | undefined

  constructor(open: Command & { do: 'open' }, note: (note: Notification) => void) {
    this.id = open.leg
    this.#reads = open.leg
    this.#note = note
    this.#lostAfterMs = open.lostAfterMs
    this.#detectInband = open.detectInband
    this.outgoing = new Outgoing(
      (packet, timestamp, payloadBytes) => this.#send(packet, timestamp, payloadBytes),
      (play, heardMs, isDone, inFrameMs) => {
        const recordedMs = this.#recorder ? this.#recordedMs + inFrameMs : null
        note({ is: 'heard', leg: this.id, play, heardMs, isDone, recordedMs })
      },
      (job) => note({ is: 'done', leg: this.id, job }),
    )
  }

  async bind(host: string, port: number): Promise<void> {
    // What anybody may send must not be able to end a thread.
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
    const { payloadType, dtmfPayloadType, comfortNoisePayloadType, ptimeMs, remote } = settings
    const isSameCodec = before?.settings.codec === settings.codec
    const codec = isSameCodec ? before.codec : openCodec(settings.codec)
    // A name is not resolved here: the peer is then found when it sends.
    const named = isIP(remote.address)
      ? { ...remote, address: asSeen(remote.address) }
      : { address: '0.0.0.0', port: 0 }
    this.#lock.expect(named, { signaling: settings.signaling ?? null, isAuthenticated: settings.srtp !== null })
    const heard = { codec, payloadType, dtmfPayloadType, comfortNoisePayloadType }
    this.#session = before
      ? { ...before, settings, codec, srtp: srtpOf(settings, before) }
      : { settings, codec, srtp: srtpOf(settings, null), ...this.#openReceiver(heard) }
    if (before) before.receiver.reconfigure(heard)
    this.#session.rtcpOptions.clockHz = codec.clockHz
    this.outgoing.configure({ codec, payloadType, dtmfPayloadType, ptimeMs })
    if (before && !isSameCodec) before.codec.close?.()
    const waiting = this.#toRecord
    this.#toRecord = null
    if (waiting !== null) void this.#startRecording(waiting, codec.rateHz)
  }

  /** First of a tick: all legs send before anything else is done. */
  send(nowMs: number, skipped: number): void {
    const session = this.#session
    if (!session) return
    if (skipped > 0) this.#skip(skipped, session.codec.rateHz)
    this.outgoing.tick(maySend(session.settings) && this.#lock.target !== null)
    if (session.rtcp.isDue(nowMs)) this.#sendRtcp(session, session.rtcp.report(nowMs))
  }

  /** Then what was heard in the same tick; null before the first offer and answer. */
  hear(nowMs: number): ReceivedFrame | null {
    this.receive()
    const session = this.#session
    if (!session) return null
    const { rateHz } = session.codec
    const pcm = session.receiver.pull(nowMs)
    const recordedMs = this.#recorder ? this.#recordedMs : null
    this.#write(pcm, this.outgoing.frame, rateHz)
    const forMs = nowMs - this.#lastHeardMs
    if (!this.#isLost && forMs > this.#lostAfterMs && mustHear(session.settings)) {
      this.#isLost = true
      this.#event({ type: 'media-lost', forMs: Math.round(forMs) })
    }
    // Two who were joined talk to each other: nobody here listens.
    if (!this.#partner) this.#sound.push(pcm, rateHz, this.outgoing.isSilent ? null : this.outgoing.frame)
    return { pcm, rateHz, ageMs: session.receiver.ageMs, recordedMs, sound: this.#partner ? null : this.#sound }
  }

  /** Takes the packets that have arrived; RTCP is not urgent. */
  receive(): void {
    this.#sockets?.rtp.read()
    if (this.#reads++ % RTCP_READ_EVERY === 0) this.#sockets?.rtcp.read()
  }

  /** Each is sent what the other hears, and no longer what was to be played. */
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

  /** Hands a frame on to who is joined with this leg; false when nobody is. */
  pass({ pcm, rateHz }: { pcm: Int16Array; rateHz: number }): boolean {
    this.#partner?.outgoing.line?.push(pcm, rateHz)
    return this.#partner !== null
  }

  /** Resolves when the file is open; at once when there is no rate yet. */
  async record(path: string): Promise<void> {
    if (this.#session) await this.#startRecording(path, this.#session.codec.rateHz)
    else this.#toRecord = path
  }

  async stopRecording(): Promise<void> {
    const recorder = this.#recorder
    this.#recorder = null
    this.#toRecord = null
    this.#finished = Promise.all([this.#finished, recorder?.finish()])
    await this.#finished
  }

  stats(): LegStats {
    const session = this.#session
    const { packetsSent } = this.outgoing
    const heard = session?.receiver.stats() ?? noneHeard
    const { remoteLossFraction = null, roundTripMs = null } = session?.rtcp ?? {}
    return { ...heard, packetsSent, refused: this.#refused, faults: this.#faults, remoteLossFraction, roundTripMs }
  }

  /** Resolves when the sockets are free and the recording is whole. */
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

  #openReceiver(heard: ReceiverSettings): Pick<Session, 'receiver' | 'rtcp' | 'rtcpOptions'> {
    const receiver = new AudioReceiver({
      ...heard,
      detectInband: this.#detectInband,
      onDigit: (digit, durationMs, by) => this.#event({ type: 'digit', digit, by, durationMs }),
    })
    const rtcpOptions: RtcpOptions = {
      ssrc: this.outgoing.ssrc,
      cname: randomBytes(12).toString('base64'), // RFC 7022: a name that says nothing of us
      clockHz: 8000,
      reception: receiver.reception,
    }
    return { receiver, rtcpOptions, rtcp: new RtcpSession(rtcpOptions) }
  }

  /** What is wrong with a packet is refused without an exception: this is a mistake of ours. */
  #fault(error: unknown): void {
    this.#faults++
    if (this.#faults > 1) return
    const problem = error instanceof Error ? (error.stack ?? error.message) : String(error)
    this.#note({ is: 'fault', leg: this.id, problem: problem.slice(0, MAX_PROBLEM) })
  }

  #event(event: LegEvent): void {
    this.#note({ is: 'event', leg: this.id, event })
  }

  #startRecording(path: string, rateHz: number): Promise<void> {
    void this.stopRecording()
    const recorder = new Recorder(path, rateHz, (problem) => this.#event({ type: 'recording-failed', problem }))
    this.#recorder = recorder
    this.#recordedMs = 0
    return recorder.ready
  }

  #skip(ticks: number, rateHz: number): void {
    this.outgoing.skip(ticks)
    if (!this.#recorder) return
    const silence = new Int16Array((rateHz * TICK_MS) / 1000)
    for (let i = 0; i < Math.min(ticks, MAX_SILENT_TICKS); i++) this.#write(silence, silence, rateHz)
  }

  #write(left: Int16Array, right: Int16Array, rateHz: number): void {
    this.#recorder?.write(left, right, rateHz)
    this.#recordedMs += TICK_MS
  }

  #send(packet: Buffer, timestamp: number, payloadBytes: number): void {
    const target = this.#lock.target
    const session = this.#session
    if (!target || !session) return
    session.rtcp.sent(timestamp, payloadBytes, monotonicMs())
    this.#sockets?.rtp.send(session.srtp ? session.srtp.sender.protect(packet) : packet, target.address, target.port)
  }

  #sendRtcp({ settings, srtp }: Session, report: Buffer): void {
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
    const clear = this.#lock.mayBeHeard(address, port, nowMs) ? this.#open(session, bytes) : null
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

  #open({ srtp }: Session, bytes: Buffer): Buffer | null {
    return srtp ? srtp.receiver.unprotect(bytes) : bytes
  }

  #readRtcp(bytes: Buffer, source: Source, nowMs: number): void {
    const session = this.#session
    if (!session || this.#closing || source.address !== this.#lock.target?.address) return
    const clear = session.srtp ? session.srtp.receiver.unprotectRtcp(bytes) : bytes
    if (clear && session.rtcp.read(clear, nowMs)) this.#rtcpFrom = source
  }
}

/** As the socket writes the source of a packet. */
const asSeen = (address: string) =>
  isIPv6(address) ? plain(new SocketAddress({ address, family: 'ipv6' }).address) : address

const maySend = ({ direction }: LegSettings) => direction === 'sendrecv' || direction === 'sendonly'
/** A phone that holds us may play music, and mostly sends nothing: that is no loss. */
const mustHear = ({ direction }: LegSettings) => direction === 'sendrecv'
const mayHear = ({ direction }: LegSettings) => direction === 'sendrecv' || direction === 'recvonly'

const isAgreed = (settings: LegSettings, type: number) =>
  type === settings.payloadType || type === settings.dtmfPayloadType || type === settings.comfortNoisePayloadType

/** Keys that stay keep their state: a counter that began anew would use the same key stream twice. */
function srtpOf({ srtp }: LegSettings, before: Session | null): Session['srtp'] {
  if (!srtp) return null
  const old = before?.settings.srtp
  const kept = before?.srtp
  return {
    sender: kept && isSameKey(old?.send, srtp.send) ? kept.sender : new SrtpSender(srtp.send),
    receiver: kept && isSameKey(old?.receive, srtp.receive) ? kept.receiver : new SrtpReceiver(srtp.receive),
  }
}

const isSameKey = (a: SrtpKeys | undefined, b: SrtpKeys) =>
  a !== undefined && a.suite === b.suite && Buffer.compare(a.key, b.key) === 0

const noneHeard = { packetsReceived: 0, lost: 0, concealed: 0, late: 0, duplicates: 0, jitterMs: 0, bufferMs: 0 }
