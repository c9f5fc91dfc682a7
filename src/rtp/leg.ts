// An RTP leg as seen from the main thread. Types only; pool.ts runs the workers.
import type { AudioFrame, Listening, ListenOptions, ListenSink, PlayoutResult } from '../voice/ports.ts'

export type CodecName = 'PCMU' | 'PCMA' | 'G722' | 'opus'
export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive'

/** AES_CM_128_HMAC_SHA1_80 or _32 (RFC 4568): 30 bytes, key and salt. */
export type SrtpKeys = { suite: 'AES_CM_128_HMAC_SHA1_80' | 'AES_CM_128_HMAC_SHA1_32'; key: Uint8Array }

/** The result of an offer and answer; set again after every re-INVITE. */
export type LegSettings = {
  remote: { address: string; port: number }
  /** The IP address of the peer's signaling: behind a NAT, its audio comes from there. */
  signaling?: string | null
  codec: CodecName
  payloadType: number
  /** RFC 4733; null when the peer does not support it (digits are then sent as tones). */
  dtmfPayloadType: number | null
  /** Comfort noise (RFC 3389), if negotiated. */
  comfortNoisePayloadType?: number | null
  ptimeMs: number
  /** From our side: with 'recvonly' we send nothing. */
  direction: Direction
  srtp: { send: SrtpKeys; receive: SrtpKeys } | null
  /** RTCP on the RTP port. */
  rtcpMux: boolean
}

export type DigitMode = 'rfc4733' | 'inband'

export type LegEvent =
  | { type: 'digit'; digit: string; by: 'rfc4733' | 'inband'; durationMs: number }
  /** Symmetric RTP is now locked to this source. */
  | { type: 'latched'; address: string; port: number }
  /** No audio was received for this long. Sent once, until 'media-resumed'. */
  | { type: 'media-lost'; forMs: number }
  | { type: 'media-resumed' }
  | { type: 'recording-failed'; problem: string }
  /** The leg ended by itself: its thread died, or it failed. `input` has ended. */
  | { type: 'failed'; problem: string }

export type LegStats = {
  packetsReceived: number
  packetsSent: number
  lost: number
  /** Frames of the peer's audio that were concealed. */
  concealed: number
  late: number
  duplicates: number
  /** Packets from another source than the locked one, or that are not RTP of a negotiated type. */
  refused: number
  /** Packets on which our own code failed. */
  faults: number
  jitterMs: number
  /** How long a packet without network delay waits before it is played. */
  bufferMs: number
  /** From the peer's RTCP, if it sends any. */
  remoteLossFraction: number | null
  roundTripMs: number | null
}

export interface MediaLeg {
  /** The local RTP port; RTCP is the next one. */
  readonly port: number
  configure(settings: LegSettings): void
  /**
   * Received audio in frames of 20 ms at the codec's rate (8 or 16 kHz), sent by the worker while it is read. Bounded: drops the
   * oldest unread frames. Ends with the leg.
   */
  readonly input: AsyncIterable<AudioFrame>
  /** Tracks the caller's speech in the leg's own thread: see `Transport.listen`. */
  listen(options: ListenOptions, sink: ListenSink): Listening | undefined
  readonly digits: AsyncIterable<string>
  /** Plays after the plays in progress. Resolves when the last sample was sent, or at once when the signal aborts: the rest is dropped within one packet. */
  play(audio: AsyncIterable<AudioFrame>, signal: AbortSignal): Promise<PlayoutResult>
  /** The gain of what is played, from 0 to 1, from the next packet on. */
  volume(gain: number): void
  /** Freezes playout with the next packet, or resumes it from the last quiet point. The queue is kept, and later plays wait too. */
  hold(isHeld: boolean): void
  /** 0-9 * # A-D, and w for a pause of half a second. Resolves when the last digit was sent, or the leg has ended. */
  sendDigits(digits: string, mode: DigitMode, toneMs?: number, gapMs?: number): Promise<void>
  /**
   * From now on each leg sends what the other receives, and `input` is silent: the audio never leaves the worker thread. Plays are
   * dropped; digits are only reported. For a leg that was opened `beside` this one. Ends when either is closed.
   */
  join(other: MediaLeg): void
  /** Ends `input`, `digits` and speech tracking. */
  stopListening(): void
  /** Adds a digit that was received by other means (SIP INFO) to `digits`. */
  pushDigit(digit: string): void
  /**
   * Records a stereo WAV, peer left, ours right, sample-aligned, from now (or from the first `configure`). Resolves when the file is
   * open (at once before `configure`). Never rejects: errors are the event 'recording-failed', and the call continues. The file is
   * complete when stopRecording or close has resolved.
   */
  record(path: string): Promise<void>
  stopRecording(): Promise<void>
  stats(): Promise<LegStats>
  close(): Promise<LegStats>
}

/** Whether DTMF tones in the audio are detected: always, never, or while no events (RFC 4733) are negotiated. A voice may pass for a tone. */
export type InbandDigits = boolean | 'without-events'

export type LegOptions = {
  onEvent?: (event: LegEvent) => void
  detectInbandDigits?: InbandDigits
  lostAfterMs?: number
  /** Opens the leg in the thread of this one, so that the two can be joined. */
  beside?: MediaLeg
}

export interface Media {
  /** Binds an even port for RTP and the next one for RTCP. Throws when no pair is free. */
  open(options?: LegOptions): Promise<MediaLeg>
  /** The number of legs that the RTP ports suffice for. */
  readonly maxLegs: number
  /** Lateness of the media clock, utilization of the threads (0 to 1), and the number of legs that still have ports. */
  load(): { threads: number; legs: number; lateMs: number; busy: number; freePorts: number }
  close(): Promise<void>
}
