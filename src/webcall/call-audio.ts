// The audio of one web call, driven by a 20 ms clock: jitter buffer for input, paced output, recording of both.
// Independent of sockets and of the system clock.
import { createResampler } from '../audio/resample.ts'
import { SoundAnalyser } from '../audio/sound-features.ts'
import { TICK_MS } from '../rtp/clock.ts'
import { Fader } from '../rtp/fader.ts'
import { DroppingQueue, FrameRing, frameOf, Inbox } from '../rtp/frame-inbox.ts'
import type { RtpPacket } from '../rtp/packet.ts'
import { PlayQueue } from '../rtp/play-queue.ts'
import { Player } from '../rtp/player.ts'
import { AudioReceiver, type Decoder } from '../rtp/receiver.ts'
import { Recorder } from '../rtp/recorder.ts'
import { SampleStore } from '../rtp/sample-store.ts'
import type { Audio, AudioFrame, PlayoutResult } from '../voice/ports.ts'

export type CallAudioOptions = {
  codec: Decoder
  payloadType: number
  /** Sample rate of the output. */
  outputHz: number
  /** What the client has buffered, and drops when told so; 0 when it drops nothing. */
  bufferMs?: number
  /** Called every 20 ms; the frame's memory is reused. `isTalk`: the frame is not silence. */
  send(frame: Int16Array, isTalk: boolean): void
  /** A play was dropped or held after it had started: the client drops what it has buffered. */
  onCleared(): void
  nowMs: number
}

/** Two seconds of frames. */
const INPUT_FRAMES = 100
const MAX_DIGITS = 256
/** Skipped ticks are silence in the recording, up to this many: the machine may have slept. */
const MAX_SILENT_TICKS = 500

export class CallAudio {
  readonly input: Inbox<AudioFrame>
  readonly digits: Inbox<string>
  readonly #options: CallAudioOptions
  readonly #receiver: AudioReceiver
  readonly #frames = new FrameRing(INPUT_FRAMES)
  readonly #digits = new DroppingQueue<string>(MAX_DIGITS)
  readonly #plays: PlayQueue
  readonly #player: Player
  readonly #fader = new Fader()
  readonly #sound = new SoundAnalyser()
  readonly #frame: Int16Array
  #recording: { to: Recorder; ours: (frame: Int16Array) => Int16Array } | null = null
  /** Length of the recording so far. */
  #recordedMs = 0
  #nowMs: number
  #heardAtMs: number
  #isDropping = false
  #isClosed = false

  constructor(options: CallAudioOptions) {
    const { codec, payloadType, outputHz, bufferMs = 0, nowMs } = options
    this.#options = options
    this.#nowMs = nowMs
    this.#heardAtMs = nowMs
    this.#frame = new Int16Array((outputHz * TICK_MS) / 1000)
    this.#receiver = new AudioReceiver({ codec, payloadType, dtmfPayloadType: null, onDigit: () => {} })
    this.input = new Inbox(this.#frames)
    this.digits = new Inbox(this.#digits)
    this.#plays = new PlayQueue((play, heardMs, isDone, inFrameMs) => {
      if (this.#isDropping && heardMs > 0) options.onCleared()
      const recordedMs = this.#recording ? this.#recordedMs + inFrameMs : null
      this.#player.heard({ is: 'heard', leg: 0, play, heardMs, isDone, recordedMs }, this.#nowMs)
    }, bufferMs)
    this.#player = new Player(0, {
      tell: (command) => {
        if (command.do === 'play') this.#plays.open(command.play)
        if (command.do === 'drop') this.#drop(command.play)
      },
      say: (_leg, play, rateHz, pcm) => this.#plays.push(play, pcm, rateHz),
      sayEnd: (_leg, play) => this.#plays.end(play),
    })
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

  pushDigit(digit: string): void {
    if (this.#isClosed) return
    this.#digits.put(digit)
    this.digits.wake()
  }

  play(audio: Audio, signal: AbortSignal): Promise<PlayoutResult> {
    return this.#player.play(audio, signal)
  }

  volume(gain: number): void {
    this.#fader.wish(gain)
  }

  hold(isHeld: boolean): void {
    if (isHeld && this.#plays.isMidPlay && (this.#options.bufferMs ?? 0) > 0) this.#options.onCleared()
    this.#plays.hold(isHeld)
  }

  /** Resolves when the file is open. */
  record(path: string, onFailed: (problem: string) => void): Promise<void> {
    const { codec, outputHz } = this.#options
    const to = new Recorder(path, codec.rateHz, onFailed)
    this.#recording = { to, ours: sameRate(outputHz, codec.rateHz) }
    this.#recordedMs = 0
    return to.ready
  }

  /** `skipped` ticks were lost before this one. */
  tick(nowMs: number, skipped: number): void {
    if (this.#isClosed) return
    this.#nowMs = nowMs
    const { codec, outputHz, send } = this.#options
    if (skipped > 0) this.#skip(Math.min(skipped, MAX_SILENT_TICKS))
    const isTalk = this.#plays.read(this.#frame, outputHz) > 0
    if (isTalk) this.#fader.apply(this.#frame)
    send(this.#frame, isTalk)
    const pcm = this.#receiver.pull(nowMs)
    const place = this.#recording ? this.#recordedMs : null
    this.#write(pcm, this.#frame)
    this.#sound.push(pcm, codec.rateHz, this.#frame)
    const { levelDb, noiseDb, nearDb, pitchHz, isFar } = this.#sound
    const atMs = nowMs - this.#receiver.ageMs
    const sound = { levelDb, noiseDb, nearDb, pitchHz, isFar }
    this.#frames.put(frameOf({ pcm, rateHz: codec.rateHz, atMs }, place, sound))
    this.input.wake()
  }

  /** Ends input and output; resolves when the recording is complete. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.input.end()
    this.digits.end()
    this.#player.stop()
    this.#plays.dropAll()
    this.#player.end()
    await this.#recording?.to.finish()
  }

  #drop(play: number): void {
    this.#isDropping = true
    this.#plays.drop(play)
    this.#isDropping = false
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
