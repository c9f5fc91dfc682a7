// The audio of one web call in its worker, driven by a 20 ms clock: jitter buffer for input, paced output, recording of both.
// Independent of sockets and of the system clock.
import { Recorder } from '../audio/recorder.ts'
import { createResampler } from '../audio/resample.ts'
import { SoundAnalyser } from '../audio/sound-features.ts'
import { TICK_MS } from '../rtp/clock.ts'
import { Fader } from '../rtp/fader.ts'
import type { RtpPacket } from '../rtp/packet.ts'
import { PlayQueue } from '../rtp/play-queue.ts'
import { AudioReceiver, type Decoder, type ReceiverStats } from '../rtp/receiver.ts'
import type { ReceivedFrame } from '../rtp/rtp-leg.ts'
import { SampleStore } from '../rtp/sample-store.ts'

export type CallAudioOptions = {
  codec: Decoder
  payloadType: number
  /** Sample rate of the output. */
  outputHz: number
  /** Audio buffered by the client, which drops it on request; 0 if it cannot. */
  bufferMs?: number
  /** Called every 20 ms; the frame's memory is reused. `isTalk`: the frame is not silence. */
  send(frame: Int16Array, isTalk: boolean): void
  /** How much of a play was sent. `recordedMs` is the position in the recording; null without one. */
  onPlayed(play: number, heardMs: number, isDone: boolean, recordedMs: number | null): void
  /** A play was dropped or held after it had started: the client drops what it has buffered. */
  onCleared(): void
  nowMs: number
}

/** Skipped ticks become silence in the recording, up to this many: the machine may have been suspended. */
const MAX_SILENT_TICKS = 500

export class CallAudio {
  readonly #options: CallAudioOptions
  readonly #receiver: AudioReceiver
  readonly #plays: PlayQueue
  readonly #fader = new Fader()
  readonly #sound = new SoundAnalyser()
  readonly #frame: Int16Array
  #recording: { to: Recorder; ours: (frame: Int16Array) => Int16Array } | null = null
  /** Length of the recording so far. */
  #recordedMs = 0
  #heardAtMs: number
  #isDropping = false
  #isClosed = false

  constructor(options: CallAudioOptions) {
    const { codec, payloadType, outputHz, bufferMs = 0, nowMs } = options
    this.#options = options
    this.#heardAtMs = nowMs
    this.#frame = new Int16Array((outputHz * TICK_MS) / 1000)
    this.#receiver = new AudioReceiver({ codec, payloadType, dtmfPayloadType: null, onDigit: () => {} })
    this.#plays = new PlayQueue((play, heardMs, isDone, inFrameMs) => {
      if (this.#isDropping && heardMs > 0) options.onCleared()
      options.onPlayed(play, heardMs, isDone, this.#recording ? this.#recordedMs + inFrameMs : null)
    }, bufferMs)
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** When audio was last received. */
  get heardAtMs(): number {
    return this.#heardAtMs
  }

  /** Audio packets from the browser. */
  put(packet: RtpPacket, nowMs: number): void {
    if (this.#isClosed) return
    this.#heardAtMs = nowMs
    this.#receiver.put(packet, nowMs)
  }

  /** Takes the play's place in the queue. */
  open(play: number): void {
    if (!this.#isClosed) this.#plays.open(play)
  }

  push(play: number, pcm: Int16Array, rateHz: number): void {
    this.#plays.push(play, pcm, rateHz)
  }

  end(play: number): void {
    this.#plays.end(play)
  }

  drop(play: number): void {
    this.#isDropping = true
    this.#plays.drop(play)
    this.#isDropping = false
  }

  volume(gain: number): void {
    this.#fader.wish(gain)
  }

  hold(isHeld: boolean): void {
    if (isHeld && this.#plays.isMidPlay && (this.#options.bufferMs ?? 0) > 0) this.#options.onCleared()
    this.#plays.hold(isHeld)
  }

  /** Resolves when the file is open. */
  async record(path: string, onFailed: (problem: string) => void): Promise<void> {
    if (this.#isClosed) return
    const { codec, outputHz } = this.#options
    const to = new Recorder(path, codec.rateHz, onFailed)
    this.#recording = { to, ours: sameRate(outputHz, codec.rateHz) }
    this.#recordedMs = 0
    await to.ready
  }

  /** The first half of a tick: all calls send before anything else is done. `skipped` ticks were lost before this one. */
  send(skipped: number): void {
    const { outputHz, send } = this.#options
    if (skipped > 0) this.#skip(Math.min(skipped, MAX_SILENT_TICKS))
    const isTalk = this.#plays.read(this.#frame, outputHz) > 0
    if (isTalk) this.#fader.apply(this.#frame)
    send(this.#frame, isTalk)
  }

  /** The second half: audio from the browser's microphone. */
  hear(nowMs: number): ReceivedFrame {
    const { rateHz } = this.#options.codec
    const pcm = this.#receiver.pull(nowMs)
    const recordedMs = this.#recording ? this.#recordedMs : null
    this.#write(pcm, this.#frame)
    this.#sound.push(pcm, rateHz, this.#frame)
    return { pcm, rateHz, ageMs: this.#receiver.ageMs, recordedMs, sound: this.#sound }
  }

  stats(): ReceiverStats {
    return this.#receiver.stats()
  }

  /** Ends input and output; resolves when the recording is complete. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#plays.dropAll()
    const recording = this.#recording
    this.#recording = null
    await recording?.to.finish()
  }

  #skip(ticks: number): void {
    const silence = new Int16Array((this.#options.codec.rateHz * TICK_MS) / 1000)
    this.#frame.fill(0)
    for (let i = 0; i < ticks; i++) this.#write(silence, this.#frame)
  }

  #write(theirs: Int16Array, ours: Int16Array): void {
    if (!this.#recording) return
    const { to, ours: changed } = this.#recording
    to.write(theirs, changed(ours), this.#options.codec.rateHz)
    this.#recordedMs += TICK_MS
  }
}

/** Resamples 20 ms frames, each to exactly 20 ms. */
function sameRate(fromHz: number, toHz: number): (frame: Int16Array) => Int16Array {
  if (fromHz === toHz) return (frame) => frame
  const samples = (toHz * TICK_MS) / 1000
  const resampler = createResampler(fromHz, toHz)
  const store = new SampleStore()
  return (frame) => {
    store.add(resampler.push(frame))
    const out = new Int16Array(samples)
    const missing = Math.max(0, samples - store.length) // only at the start: the filter looks ahead
    out.set(store.take(samples - missing), missing)
    return out
  }
}
