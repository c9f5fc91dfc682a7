// Follows one caller's audio beside the media clock: level, gate, VAD segmentation and the most recent audio. Reports events, and passes
// audio on around speech only. No promises and nearly no allocation per frame: it runs for every call in the media thread.
import type {
  AudioFrame,
  HeardAudio,
  ListenEvent,
  ListenOptions,
  ListenSink,
  SoundFeatures,
  SpeechChange,
} from '../ports.ts'
import { AudioHistory } from './audio-history.ts'
import { beepDetector, type HeardTone } from './beep-detector.ts'
import { PREROLL_MS } from './far-spans.ts'
import { SpeechSound } from './speech-sound.ts'
import { advance, defaultVadOptions, initialVadState, VAD_STEP_MS, type VadState } from './vad-segmenter.ts'

/** 20 ms of the caller; its features are made here where they are absent. */
export type TrackedFrame = Pick<AudioFrame, 'pcm' | 'rateHz'> & {
  readonly recordedMs?: number | null
  readonly sound?: SoundFeatures | null
}

export type TrackerOptions = Omit<ListenOptions, 'vad'> & {
  /** Audio is passed on in pieces of this length during speech; 0: each frame at once, and each position. */
  pieceMs: number
}

/** VAD may be this far behind; older audio is dropped in any case. */
const MAX_KEPT_MS = 60_000
/** The start of an utterance is known late. */
export const KEEP_QUIET_MS = 1000
/** Two consecutive steps are possible speech: single steps occur in noise all the time. */
const CANDIDATE_MS = 2 * VAD_STEP_MS
/** Pieces of the silence after speech, unless it is needed promptly. */
const QUIET_PIECE_MS = 240
/** The position is reported when it differs by this much from what the last one and the clock would tell. */
const MAX_DRIFT_MS = 20
/** A tone later than this is not a voicemail's. */
const LAST_TONE_MS = 90_000

export class SpeechTracker {
  readonly #sink: ListenSink
  readonly #options: TrackerOptions
  readonly #keepMs: number
  readonly #audio = new AudioHistory()
  readonly #sound = new SpeechSound()
  #state: VadState = { ...initialVadState }
  readonly #position = { nowMs: 0, arrivedAtMs: 0, rateHz: 0 }
  readonly #reported = { nowMs: 0, arrivedAtMs: 0, rateHz: 0 }
  /** Audio is passed on: from the start of speech until it is released. */
  #isWanted = false
  #passedToMs = -1
  #hasFar = false
  /** Starts of speech so far, and the latest of them. */
  #starts = 0
  #startedMs = 0
  /** Of the current speech, without its pauses. */
  #voicedMs = 0
  #isCandidate = false
  #isStrong = false
  readonly #toneIn: ((frame: TrackedFrame) => HeardTone | null) | null
  #hasTime: boolean
  readonly #pass: (run: HeardAudio) => void

  constructor(sink: ListenSink, options: TrackerOptions) {
    this.#sink = sink
    this.#options = options
    this.#keepMs = Math.max(options.keepMs, KEEP_QUIET_MS)
    this.#toneIn = options.hasAmd ? beepDetector() : null
    this.#hasTime = options.hasAmd
    this.#pass = (run) => {
      const nowMs = run.fromMs + (run.pcm.length * 1000) / run.rateHz
      const arrivedAtMs = this.#position.arrivedAtMs - (this.#position.nowMs - nowMs)
      sink.onAudio(run, { nowMs, arrivedAtMs, rateHz: run.rateHz })
    }
  }

  /** Of the latest audio. */
  get rateHz(): number | undefined {
    return this.#audio.rateHz
  }

  /** A frame that arrived then. Returns what VAD is to hear of it: silence where it is somebody else's. */
  push(frame: TrackedFrame, arrivedAtMs: number): Int16Array {
    // With another rate VAD begins anew: the incomplete step is lost, but its time has passed.
    if (frame.rateHz !== this.#audio.rateHz) this.#state.atMs = this.#audio.nowMs
    this.#audio.add(frame.pcm, frame.rateHz, frame.recordedMs ?? null)
    this.#position.nowMs = this.#audio.nowMs
    this.#position.arrivedAtMs = arrivedAtMs
    this.#position.rateHz = frame.rateHz
    const { nowMs } = this.#position
    const neededMs = Math.min(this.#isWanted ? this.#passedToMs : nowMs, this.#state.atMs - this.#keepMs)
    this.#audio.drop(Math.max(neededMs, nowMs - MAX_KEPT_MS))
    this.#sound.far.drop(this.#audio.fromMs)
    const pcm = this.#sound.push(frame, nowMs)
    if (this.#toneIn) this.#watch(frame)
    if (this.#isWanted) this.#passOn(this.#pieceMs)
    if (this.#isPositionNews()) this.#report({ type: 'position' })
    return pcm
  }

  /** VAD's probability of the next step. */
  advance(probability: number): void {
    const state = this.#state
    if (isSteady(state, probability)) {
      state.atMs += VAD_STEP_MS
      if (state.isSpeaking) this.#voicedMs += VAD_STEP_MS
    } else this.#change(probability)
    this.#trackCandidate()
  }

  /** All audio so far is passed on. */
  flush(): void {
    this.#report({ type: 'position' })
  }

  release(starts: number): void {
    // Speech that has started since then is not known there yet.
    if (starts === this.#starts && !this.#state.isSpeaking) this.#isWanted = false
  }

  stopTime(): void {
    this.#hasTime = false
  }

  get #pieceMs(): number {
    const { pieceMs, needsSilence } = this.#options
    return pieceMs === 0 || needsSilence || this.#state.isSpeaking ? pieceMs : QUIET_PIECE_MS
  }

  #isPositionNews(): boolean {
    const now = this.#position
    const before = this.#reported
    if (this.#options.pieceMs === 0 || now.rateHz !== before.rateHz) return true
    return Math.abs(now.nowMs - before.nowMs - (now.arrivedAtMs - before.arrivedAtMs)) > MAX_DRIFT_MS
  }

  #report(event: ListenEvent): void {
    if (this.#isWanted) this.#passOn(0)
    this.#mark()
    this.#sink.onEvent(event, this.#position)
  }

  #mark(): void {
    this.#reported.nowMs = this.#position.nowMs
    this.#reported.arrivedAtMs = this.#position.arrivedAtMs
    this.#reported.rateHz = this.#position.rateHz
  }

  #passOn(leastMs: number): void {
    const { nowMs } = this.#position
    const fromMs = this.#passedToMs
    if (nowMs <= fromMs || nowMs - fromMs < leastMs) return
    this.#passedToMs = nowMs
    this.#audio.each(fromMs, nowMs, this.#pass)
    this.#mark()
    // Its end may still turn out to be near.
    const sinceMs = fromMs - PREROLL_MS
    const spans = this.#sound.far.since(sinceMs)
    if (spans.length > 0 || this.#hasFar) this.#sink.onEvent({ type: 'far', sinceMs, spans }, this.#position)
    this.#hasFar = spans.length > 0
  }

  #change(probability: number): void {
    const before = this.#state
    const { state, event } = advance(before, probability)
    this.#state = state
    if (event?.type === 'start') {
      this.#startedMs = event.fromMs
      this.#starts++
      this.#voicedMs = state.atMs - (before.changingSinceMs ?? before.atMs)
      if (!this.#isWanted) this.#passedToMs = Math.max(this.#passedToMs, this.#audio.fromMs)
      this.#isWanted = true
      this.#reportSpeech(true, event.fromMs)
    } else if (event) {
      if (this.#isCandidate) this.#report({ type: 'candidate', on: false, isStrong: false })
      this.#isCandidate = false
      this.#isStrong = false
      this.#reportSpeech(false, event.toMs)
    } else if (state.isSpeaking) this.#trackPause(before.changingSinceMs !== null, state.changingSinceMs !== null)
  }

  #reportSpeech(isSpeaking: boolean, atMs: number): void {
    const fromMs = isSpeaking ? atMs : this.#startedMs
    const toMs = isSpeaking ? this.#position.nowMs : atMs
    const change: SpeechChange = {
      isSpeaking,
      atMs,
      nowMs: this.#state.atMs,
      voicedMs: this.#voicedMs,
      relativeDb: this.#sound.relativeDb(fromMs, toMs),
      prosody: isSpeaking ? null : this.#sound.prosody(fromMs, toMs),
    }
    this.#report({ type: 'speech', change })
  }

  #trackPause(wasQuiet: boolean, isQuiet: boolean): void {
    if (!isQuiet) this.#voicedMs += VAD_STEP_MS
    if (wasQuiet !== isQuiet) this.#report({ type: 'pause', on: isQuiet, voicedMs: this.#voicedMs })
  }

  #trackCandidate(): void {
    const { isSpeaking, changingSinceMs, atMs } = this.#state
    const isPossible = isSpeaking || changingSinceMs !== null
    const isStrong = isPossible && (this.#isStrong || this.#sound.isStrong(isSpeaking))
    // With strong evidence one step is enough.
    const isLong = !isSpeaking && atMs - (changingSinceMs ?? atMs) >= CANDIDATE_MS
    const isCandidate = isStrong || isLong
    const isNews = isStrong ? !this.#isStrong : isCandidate !== this.#isCandidate && !isSpeaking
    this.#isCandidate = isCandidate
    this.#isStrong = isStrong
    // A weak one that became speech was reported as such.
    if (isNews) this.#report({ type: 'candidate', on: isCandidate, isStrong })
  }

  #watch(frame: TrackedFrame): void {
    const tone = this.#position.nowMs < LAST_TONE_MS ? this.#toneIn?.(frame) : null
    if (tone) this.#report({ type: tone === 'beep' ? 'beep' : 'progress-tone' })
    if (this.#hasTime) this.#report({ type: 'time' })
  }
}

/** The step changes nothing but the time. */
function isSteady({ isSpeaking, changingSinceMs }: VadState, probability: number): boolean {
  if (changingSinceMs !== null) return false
  return isSpeaking ? probability >= defaultVadOptions.off : probability < defaultVadOptions.on
}
