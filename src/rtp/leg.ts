// An RTP leg as seen from the main thread. Types only; pool.ts runs the workers.
import type { AudioFrame, Listening, ListenOptions, ListenSink, PlayoutResult } from '../voice/ports.ts'

export type CodecName = 'PCMU' | 'PCMA' | 'G722' | 'opus'
export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive'

/** AES_CM_128_HMAC_SHA1_80 or _32 (RFC 4568): 30 bytes, key and salt. */
export type SrtpKeys = { suite: 'AES_CM_128_HMAC_SHA1_80' | 'AES_CM_128_HMAC_SHA1_32'; key: Uint8Array }

/** What offer and answer have agreed on. Given again after every re-INVITE. */
export type LegSettings = {
  remote: { address: string; port: number }
  /** The IP address of the peer's signaling: behind a NAT its audio comes from there. */
  signaling?: string | null
  codec: CodecName
  payloadType: number
  /** RFC 4733; null when the peer has none (then digits go as tones). */
  dtmfPayloadType: number | null
  /** The peer's comfort noise (RFC 3389), where it was agreed. */
  comfortNoisePayloadType?: number | null
  ptimeMs: number
  /** From our side: 'recvonly' means that we send nothing. */
  direction: Direction
  srtp: { send: SrtpKeys; receive: SrtpKeys } | null
  /** RTCP on the RTP port. */
  rtcpMux: boolean
}

export type DigitMode = 'rfc4733' | 'inband'

export type LegEvent =
  | { type: 'digit'; digit: string; by: 'rfc4733' | 'inband'; durationMs: number }
  /** The first audio came from here: symmetric RTP is now locked to it. */
  | { type: 'latched'; address: string; port: number }
  /** Nothing has come for so long. Called once per silence; 'resumed' when it comes again. */
  | { type: 'media-lost'; forMs: number }
  | { type: 'media-resumed' }
  | { type: 'recording-failed'; problem: string }
  /** The leg is over without anybody having closed it: its thread died, or it broke. `input` has ended. */
  | { type: 'failed'; problem: string }

export type LegStats = {
  packetsReceived: number
  packetsSent: number
  lost: number
  /** Of the peer's audio, how many frames had to be concealed. */
  concealed: number
  late: number
  duplicates: number
  /** From another source than the locked one, or no RTP of an agreed type. */
  refused: number
  /** Packets on which our own reading or decoding failed. */
  faults: number
  jitterMs: number
  bufferMs: number
  /** From the peer's RTCP, where it sends any. */
  remoteLossFraction: number | null
  roundTripMs: number | null
}

export interface MediaLeg {
  /** The local RTP port; RTCP is the next one. */
  readonly port: number
  configure(settings: LegSettings): void
  /**
   * What is heard, in frames of 20 ms at the codec's rate (8 or 16 kHz), sent here by the worker while it is read. Bounded: what nobody
   * reads is dropped, oldest first. Ends with the leg.
   */
  readonly input: AsyncIterable<AudioFrame>
  /** Tracks the caller's speech in the leg's own thread: see `Transport.listen`. */
  listen(options: ListenOptions, sink: ListenSink): Listening | undefined
  readonly digits: AsyncIterable<string>
  /** Plays in order after what is already playing. Resolves when the last sample was sent, or at once when the signal fires: what is queued is dropped within one packet. */
  play(audio: AsyncIterable<AudioFrame>, signal: AbortSignal): Promise<PlayoutResult>
  /** How loud what is played is heard, from 0 to 1, from the next packet on. */
  volume(gain: number): void
  /** Freezes what is played with the next packet, or continues it from its last quiet point; the queue is kept. Later plays are held too. */
  hold(isHeld: boolean): void
  /** 0-9 * # A-D, and w for half a second of pause. Resolves when the last one was sent, or the leg has ended. */
  sendDigits(digits: string, mode: DigitMode, toneMs?: number, gapMs?: number): Promise<void>
  /**
   * From now on each sends what the other hears, and nothing of it comes to `input`: the voices never leave their thread. What was
   * being played is dropped. Digits are only told. For a leg that was opened `beside` this one; ends when one of them is closed.
   */
  join(other: MediaLeg): void
  /** Ends `input`, `digits` and what `listen` has begun: nobody listens here any more. */
  stopListening(): void
  /** A digit that came by another way (SIP INFO): joins `digits`. */
  pushDigit(digit: string): void
  /**
   * Stereo WAV, peer left, ours right, sample-aligned, from now (or from the first `configure`). Resolves when the
   * file is open (at once before `configure`). Never rejects: a file that cannot be written is the event 'recording-failed', and the call goes on.
   * The file is whole when stopRecording or close has resolved.
   */
  record(path: string): Promise<void>
  stopRecording(): Promise<void>
  /** While held: nothing is heard by the other, silence is recorded. */
  stats(): Promise<LegStats>
  close(): Promise<LegStats>
}

/** Digits as tones in the audio are heard: always, never, or while no events (RFC 4733) are agreed on. A voice could be taken for a tone. */
export type InbandDigits = boolean | 'without-events'

export type LegOptions = {
  onEvent?: (event: LegEvent) => void
  detectInbandDigits?: InbandDigits
  lostAfterMs?: number
  /** In the same thread as this one, so that the two can be joined. */
  beside?: MediaLeg
}

export interface Media {
  /** Binds an RTP port (even) and the next for RTCP. Throws when no pair is free. */
  open(options?: LegOptions): Promise<MediaLeg>
  /** As many legs as the RTP ports suffice for. */
  readonly maxLegs: number
  /** How the workers are doing: the clock's lateness and how busy the threads are (0 to 1); and for how many more legs there are ports. */
  load(): { threads: number; legs: number; lateMs: number; busy: number; freePorts: number }
  close(): Promise<void>
}
