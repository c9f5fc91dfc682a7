// Tracks one caller's audio in the media thread: level, gate, VAD segmentation and recent audio. Reports events, and passes on only the
// audio around speech. No promises and almost no allocation per frame, because it runs for every call.

import { callProgressDetector } from '../amd/call-progress.ts'
import type {
  AudioFrame,
  HeardAudio,
  ListenEvent,
  ListenOptions,
  ListenSink,
  SoundFeatures,
  SpeechChange,
  SpeechEvidence,
} from '../ports.ts'
import { AudioHistory } from './audio-history.ts'
import { PREROLL_MS } from './far-spans.ts'
import { evidenceAfter } from './overlap-evidence.ts'
import { SpeechSound } from './speech-sound.ts'
import { advance, defaultVadOptions, initialVadState, VAD_STEP_MS, type VadState } from './vad-segmenter.ts'

/** 20 ms of the caller's audio; missing features are computed here. */
export type TrackedFrame = Pick<AudioFrame, 'pcm' | 'rateHz'> & {
  readonly recordedMs?: number | null
  readonly sound?: SoundFeatures | null
}

type TrackerOptions = Omit<ListenOptions, 'vad'> & {
  /** Length of the pieces passed on during speech; 0: each frame and each position at once. */
  pieceMs: number
}

/** VAD may lag this far behind; older audio is always dropped. */
const MAX_KEPT_MS = 60_000
/** The start of an utterance is known late. */
export const KEEP_QUIET_MS = 1000
/** Two consecutive steps: single steps occur constantly in noise. */
const CANDIDATE_MS = 2 * VAD_STEP_MS
/** Length of pieces in the silence after speech, unless that is needed promptly. */
const QUIET_PIECE_MS = 240
/** The position is reported when it differs by this much from the extrapolated one. */
const MAX_DRIFT_MS = 20
/** Tones are not analysed after this: AMD has ended by then. */
const LAST_TONE_MS = 150_000

export class SpeechTracker {
  readonly #sink: ListenSink
  readonly #options: TrackerOptions
  readonly #keepMs: number
  readonly #audio = new AudioHistory()
  readonly #sound = new SpeechSound()
  #state: VadState = { ...initialVadState }
  readonly #position = { nowMs: 0, arrivedAtMs: 0, rateHz: 0 }
  readonly #reported = { nowMs: 0, arrivedAtMs: 0, rateHz: 0 }
  /** Audio is being passed on: from the start of speech until it is released. */
  #isWanted = false
  #passedToMs = -1
  #hasFar = false
  /** Starts of speech so far, and the latest of them. */
  #starts = 0
  #startedMs = 0
  /** Duration of the current speech without its pauses. */
  #voicedMs = 0
  #isCandidate = false
  #evidence: SpeechEvidence = 'none'
  readonly #toneIn: ReturnType<typeof callProgressDetector> | null
  #hasTime: boolean
  readonly #pass: (run: HeardAudio) => void

  constructor(sink: ListenSink, options: TrackerOptions) {
    this.#sink = sink
    this.#options = options
    this.#keepMs = Math.max(options.keepMs, KEEP_QUIET_MS)
    this.#toneIn = options.hasAmd ? callProgressDetector() : null
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

  /** Takes a frame. Returns the audio for VAD: silence if the frame comes from another source. */
  push(frame: TrackedFrame, arrivedAtMs: number): Int16Array {
    // At another rate VAD starts over: the incomplete step is lost, but its time has passed.
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
    if (this.#evidence === 'long' || this.#evidence === 'over') this.#trackEnd()
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

  /** Passes on all audio so far. */
  flush(): void {
    this.#report({ type: 'position' })
  }

  release(starts: number): void {
    // The session does not know yet about speech that started since.
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
    // The end of the previous piece may still turn out to be near.
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
      if (this.#isCandidate) this.#report({ type: 'candidate', on: false, evidence: 'none' })
      this.#isCandidate = false
      this.#evidence = 'none'
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
    const soundMs = isSpeaking ? this.#voicedMs : atMs - (changingSinceMs ?? atMs)
    const evidence = isPossible ? this.#judged(soundMs) : 'none'
    const isCandidate = isSpeaking ? evidence !== 'none' : soundMs >= CANDIDATE_MS
    const isStronger = evidence !== 'none' && evidence !== this.#evidence
    // A weak candidate that became speech was already reported as speech.
    const isNews = isStronger || (isCandidate !== this.#isCandidate && !isSpeaking)
    this.#isCandidate = isCandidate
    this.#evidence = evidence
    if (isNews) this.#report({ type: 'candidate', on: isCandidate, evidence })
  }

  /** Evidence only grows, and not in a pause. */
  #judged(soundMs: number): SpeechEvidence {
    const { isSpeaking, changingSinceMs, atMs } = this.#state
    const isInPause = isSpeaking && changingSinceMs !== null
    const isOpen = this.#evidence === 'none' || this.#evidence === 'long'
    if (!isOpen || isInPause) return this.#evidence
    const found = this.#sound.evidence(isSpeaking ? this.#startedMs : atMs - soundMs, soundMs)
    return found === 'none' ? this.#evidence : found
  }

  /** Sooner than VAD, which notices the end of speech late. */
  #trackEnd(): void {
    const evidence = evidenceAfter(this.#evidence, this.#sound.endOf(this.#voicedMs))
    if (evidence === this.#evidence) return
    this.#evidence = evidence
    this.#report({ type: 'candidate', on: true, evidence })
  }

  #watch(frame: TrackedFrame): void {
    const tone = this.#position.nowMs < LAST_TONE_MS ? this.#toneIn?.(frame, this.#state.isSpeaking) : null
    if (tone) this.#report({ type: 'tone', tone })
    if (this.#hasTime) this.#report({ type: 'time' })
  }
}

/** The step only advances the time. */
function isSteady({ isSpeaking, changingSinceMs }: VadState, probability: number): boolean {
  if (changingSinceMs !== null) return false
  return isSpeaking ? probability >= defaultVadOptions.off : probability < defaultVadOptions.on
}
