// The session's view of the caller's speech: receives events and audio from voice/listening/speech-tracker.ts, which runs in the media
// thread or here, and keeps the audio until it was transcribed.
import { monotonicMs } from '../base/time/clock.ts'
import { AudioHistory, type Utterance } from './listening/audio-history.ts'
import { FarSpans } from './listening/far-spans.ts'
import { KEEP_QUIET_MS, SpeechTracker } from './listening/speech-tracker.ts'
import { VAD_STEP_MS } from './listening/vad-segmenter.ts'
import { speechBounds } from './playout/speech-bounds.ts'
import type {
  Audio,
  AudioFrame,
  HeardAudio,
  HeardPosition,
  HeardTone,
  ListenEvent,
  Listening,
  ListenSink,
  SpeechChange,
  SpeechEvidence,
  Transport,
  Vad,
  VadStream,
} from './ports.ts'

export type UtteranceEvents = {
  onSpeech(change: SpeechChange): void
  /** Within speech: a pause that may end it, or its continuation. */
  onSpeechPause(on: boolean, voicedMs: number): void
  /** As the `candidate` event in ports.ts. */
  onSpeechCandidate(on: boolean, evidence: SpeechEvidence): void
}

/** Answering-machine detection; `time` returns false once it needs no more calls. */
export type AmdInput = { tone(tone: HeardTone, atMs: number): void; time(atMs: number): boolean }

type DetectorOptions = {
  /** How much recent audio to keep, including silence after speech; default: what the start of an utterance needs. */
  keepMs?: number
  /** The clock of the frames' `atMs`. */
  now?: () => number
  amd?: AmdInput
}

const MAX_UTTERANCE_MS = 60_000
const MAX_VAD_DELAY_MS = 2000
/** Silence kept after the last word. */
const TAIL_MS = 2 * VAD_STEP_MS
/** Speech may start this long before VAD's start; its first and last sound are searched within SEARCH_MS. */
const SEARCH_BEFORE_MS = 200
const SEARCH_MS = 2000
/** Length of the pieces for live recognition: vendors recommend 20 to 250 ms. */
const PIECE_MS = 60

export class UtteranceDetector implements ListenSink {
  readonly #vad: Vad
  readonly #events: UtteranceEvents
  readonly #keepMs: number
  readonly #needsSilence: boolean
  readonly #now: () => number
  readonly #amd: AmdInput | undefined
  #listening: Pick<Listening, 'release' | 'stopTime'> | undefined
  #nowMs = 0
  /** When the audio at `nowMs` arrived, on the clock. */
  #arrivedAtMs = 0
  readonly #audio = new AudioHistory()
  readonly #far = new FarSpans()
  #rateHz: number | undefined
  /** Start of the current speech. */
  #startedMs: number | null = null
  /** Start of the audio that is not transcribed yet, and the end of its last speech. */
  #pendingFromMs: number | null = null
  #endedMs = 0
  /** Start of the latest speech, and the number of starts so far. */
  #lastStartedMs = 0
  #starts = 0
  #follower: { atMs: number; onPiece: (piece: AudioFrame) => void } | undefined

  constructor(vad: Vad, events: UtteranceEvents, { keepMs, now = monotonicMs, amd }: DetectorOptions = {}) {
    this.#now = now
    this.#vad = vad
    this.#events = events
    this.#amd = amd
    this.#keepMs = Math.max(keepMs ?? 0, KEEP_QUIET_MS)
    this.#needsSilence = keepMs !== undefined
  }

  /** Media time as last reported; all audio near speech up to then is here. */
  get nowMs(): number {
    return this.#nowMs
  }

  /** Media time, extrapolated to now. */
  get liveMs(): number {
    return this.#nowMs + Math.max(0, this.#now() - this.#arrivedAtMs)
  }

  /** On the clock, when the audio at this position arrived. */
  arrivedAt(positionMs: number): number {
    return this.#arrivedAtMs - (this.#nowMs - positionMs)
  }

  /** Of the latest audio. */
  get rateHz(): number | undefined {
    return this.#rateHz
  }

  /** How much audio is kept. */
  get keptMs(): number {
    return this.#audio.nowMs - this.#audio.fromMs
  }

  /** Resolves when the caller's audio ends; rejects when VAD fails. */
  listen(transport: Pick<Transport, 'input' | 'listen'>): Promise<void> {
    const hasAmd = this.#amd !== undefined
    const options = { vad: this.#vad, keepMs: this.#keepMs, needsSilence: this.#needsSilence, hasAmd }
    const listening = transport.listen?.(options, this)
    this.#listening = listening
    return listening?.ended ?? this.#listenHere(transport.input)
  }

  async #listenHere(input: Audio): Promise<void> {
    const [keepMs, needsSilence, hasAmd] = [this.#keepMs, this.#needsSilence, this.#amd !== undefined]
    const tracker = new SpeechTracker(this, { keepMs, needsSilence, hasAmd, pieceMs: 0 })
    this.#listening = tracker
    let stream: VadStream | undefined
    try {
      for await (const frame of input) {
        if (frame.rateHz !== tracker.rateHz || !stream) {
          stream?.close()
          stream = this.#vad.open(frame.rateHz === 8000 ? 8000 : 16_000)
        }
        const pcm = tracker.push(frame, frame.atMs ?? this.#now())
        for (const probability of await stream.push(pcm)) tracker.advance(probability)
      }
    } finally {
      stream?.close()
    }
  }

  onAudio(run: HeardAudio, position: HeardPosition): void {
    if (run.fromMs !== this.#audio.nowMs) this.#audio.restart(run.fromMs)
    this.#audio.add(run.pcm, run.rateHz, run.recordedMs)
    this.#moveTo(position)
    // VAD reports the start of speech late: keep the audio before it.
    const neededMs = this.#nowMs - this.#keepMs - MAX_VAD_DELAY_MS
    this.#audio.drop(Math.max(Math.min(this.#pendingFromMs ?? neededMs, neededMs), this.#nowMs - MAX_UTTERANCE_MS))
    this.#far.drop(this.#audio.fromMs)
    if (this.#follower) this.#passOn(this.#far.settledMs(this.#audio.nowMs), PIECE_MS)
  }

  onEvent(event: ListenEvent, position: HeardPosition): void {
    this.#moveTo(position)
    if (event.type === 'speech') this.#speechChanged(event.change)
    else if (event.type === 'pause') this.#events.onSpeechPause(event.on, event.voicedMs)
    else if (event.type === 'candidate') this.#events.onSpeechCandidate(event.on, event.evidence)
    else if (event.type === 'far') this.#far.replace(event.sinceMs, event.spans)
    else if (event.type === 'tone') this.#amd?.tone(event.tone, this.#nowMs)
    else if (event.type === 'time' && !this.#amd?.time(this.#nowMs)) this.#listening?.stopTime()
  }

  /** The speech that was not released: up to now, or to the end of the last speech. */
  pendingUtterance(): Utterance | undefined {
    if (this.#pendingFromMs === null) return undefined
    const knownMs = this.#audio.nowMs
    const toMs = this.#startedMs === null ? Math.min(knownMs, this.#endedMs + TAIL_MS) : knownMs
    return this.#slice(this.#pendingFromMs, toMs)
  }

  get isSpeaking(): boolean {
    return this.#startedMs !== null
  }

  /** Start of the pending audio; null if there is none. */
  get pendingFromMs(): number | null {
    return this.#pendingFromMs
  }

  /** Passes the pending audio and all that follows to one follower at a time. The returned function passes on the rest and stops. */
  follow(onPiece: (piece: AudioFrame) => void): () => void {
    const follower = { atMs: this.#pendingFromMs ?? this.#audio.nowMs, onPiece }
    this.#follower = follower
    this.#passOn(this.#far.settledMs(this.#audio.nowMs), 0)
    return () => {
      if (this.#follower !== follower) return
      this.#passOn(this.#audio.nowMs, 0)
      this.#follower = undefined
    }
  }

  #passOn(toMs: number, leastMs: number): void {
    const follower = this.#follower
    if (!follower || toMs <= follower.atMs || toMs - follower.atMs < leastMs) return
    const piece = this.#slice(follower.atMs, toMs)
    follower.atMs = toMs
    if (piece && piece.pcm.length > 0) follower.onPiece({ pcm: piece.pcm, rateHz: piece.rateHz })
  }

  /** The audio since then, as far as it is kept. */
  audioSince(fromMs: number): Utterance | undefined {
    return this.#slice(fromMs, this.#audio.nowMs)
  }

  /** The first audible sound of speech that started at `fromMs`; undefined if that audio is no longer kept. */
  soundStartMs(fromMs: number): number | undefined {
    if (this.#audio.fromMs > fromMs) return undefined
    const around = this.#slice(fromMs - SEARCH_BEFORE_MS, Math.min(this.#audio.nowMs, fromMs + SEARCH_MS))
    const sound = around && speechBounds(around.pcm, around.rateHz)
    return sound ? around.fromMs + sound.fromMs : fromMs
  }

  /** The last audible sound of this speech. */
  soundEndMs(fromMs: number, toMs: number): number {
    const around = this.#slice(Math.max(fromMs, toMs - SEARCH_MS), toMs + TAIL_MS)
    const sound = around && speechBounds(around.pcm, around.rateHz)
    return sound ? around.fromMs + sound.toMs : toMs
  }

  /** Position in the recording; null if there is none, or the audio is no longer kept. */
  recordedAt(ms: number): number | null {
    return this.#audio.recordedAt(ms)
  }

  /** The audio up to `toMs` is not transcribed again. */
  release(toMs: number): void {
    if (this.#pendingFromMs === null) return
    if (this.#startedMs !== null) this.#pendingFromMs = Math.max(this.#startedMs, toMs)
    else this.#pendingFromMs = this.#lastStartedMs >= toMs ? this.#lastStartedMs : null
    if (this.#pendingFromMs === null) this.#listening?.release(this.#starts)
  }

  #moveTo({ nowMs, arrivedAtMs, rateHz }: HeardPosition): void {
    if (nowMs < this.#nowMs) return
    this.#rateHz = rateHz
    this.#nowMs = nowMs
    this.#arrivedAtMs = arrivedAtMs
  }

  #speechChanged(change: SpeechChange): void {
    if (change.isSpeaking) {
      this.#starts++
      this.#startedMs = change.atMs
      this.#lastStartedMs = change.atMs
      this.#pendingFromMs ??= change.atMs
    } else {
      this.#startedMs = null
      this.#endedMs = change.atMs
    }
    this.#events.onSpeech(change)
  }

  /** A copy with other speakers silenced; the recording keeps them. */
  #slice(fromMs: number, toMs: number): Utterance | undefined {
    const utterance = this.#audio.slice(fromMs, toMs)
    return utterance && this.#far.silence(utterance)
  }
}
