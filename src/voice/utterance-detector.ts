// Segments the caller's audio by VAD, and keeps the audio until it was transcribed.
import { monotonicMs } from '../base/clock.ts'
import { AudioHistory, type Utterance } from './audio-history.ts'
import type { Audio, AudioFrame, FinalProsody, Vad, VadStream } from './ports.ts'
import { speechBounds } from './speech-bounds.ts'
import { SpeechSound } from './speech-sound.ts'
import { advance, initialVadState, VAD_STEP_MS, type VadState } from './vad-segmenter.ts'

/**
 * `atMs`: where in the stream speech started or ended; `nowMs`: the stream's position; `voicedMs`: speech without its pauses.
 * `relativeDb`: its level against the caller's own, as far as known; `prosody`: of its end.
 */
export type SpeechChange = {
  isSpeaking: boolean
  atMs: number
  nowMs: number
  voicedMs: number
  relativeDb: number | null
  prosody: FinalProsody | null
}

export type UtteranceEvents = {
  onSpeech(change: SpeechChange): void
  /** Within speech: a pause that may become its end, or speech continues. */
  onSpeechPause(on: boolean, voicedMs: number): void
  /** Possible speech; or it was none. `isStrong`: voiced, and as loud as the caller; may follow a weak one, or the start of speech. */
  onSpeechCandidate(on: boolean, isStrong: boolean): void
}

const MAX_UTTERANCE_MS = 60_000
/** The start of an utterance is known late. */
const KEEP_QUIET_MS = 1000
/** Silence after the last word that belongs to the utterance. */
const TAIL_MS = 2 * VAD_STEP_MS
/** Two consecutive steps are possible speech: single steps occur in noise all the time. */
const CANDIDATE_MS = 2 * VAD_STEP_MS
/** Speech may have started this long before VAD reported it; this much of its start and end is searched. */
const SEARCH_BEFORE_MS = 200
const SEARCH_MS = 2000
/** Audio is passed on to whoever follows it in pieces of this length: vendors advise 20 to 250 ms. */
const PIECE_MS = 60

export class UtteranceDetector {
  readonly #vad: Vad
  readonly #events: UtteranceEvents
  readonly #keepMs: number
  readonly #now: () => number
  /** On the clock: when the audio at `nowMs` arrived. */
  #arrivedAtMs = 0
  readonly #audio = new AudioHistory()
  #state: VadState = initialVadState
  /** Start of the current speech. */
  #startedMs: number | null = null
  /** Start of the audio that was not transcribed yet, and the end of its last speech. */
  #pendingFromMs: number | null = null
  #endedMs = 0
  /** Start of the latest speech. */
  #lastStartedMs = 0
  /** Of the current speech, without its pauses. */
  #voicedMs = 0
  #isCandidate = false
  #isStrong = false
  readonly #sound = new SpeechSound()
  #follower: { atMs: number; onPiece: (piece: AudioFrame) => void } | undefined

  /** `keepMs`: how much recent audio is kept in any case; `now`: the clock of the frames' `atMs`. */
  constructor(vad: Vad, events: UtteranceEvents, { keepMs = KEEP_QUIET_MS, now = monotonicMs } = {}) {
    this.#now = now
    this.#vad = vad
    this.#events = events
    this.#keepMs = Math.max(keepMs, KEEP_QUIET_MS)
  }

  /** Media time: audio received so far. */
  get nowMs(): number {
    return this.#audio.nowMs
  }

  /** Media time without the delay of audio on its way here. */
  get liveMs(): number {
    return this.nowMs + Math.max(0, this.#now() - this.#arrivedAtMs)
  }

  /** On the clock, when the audio at this position arrived. */
  arrivedAt(positionMs: number): number {
    return this.#arrivedAtMs - (this.nowMs - positionMs)
  }

  /** Of the latest audio. */
  get rateHz(): number | undefined {
    return this.#audio.rateHz
  }

  /** How much audio is kept. */
  get keptMs(): number {
    return this.#audio.nowMs - this.#audio.fromMs
  }

  /** Resolves when the input ends. */
  async listen(input: Audio): Promise<void> {
    let stream: VadStream | undefined
    let rateHz = 0
    try {
      for await (const frame of input) {
        if (frame.rateHz !== rateHz) {
          stream?.close()
          rateHz = frame.rateHz
          stream = this.#vad.open(rateHz === 8000 ? 8000 : 16_000)
          // The incomplete step is lost with its stream, but its time has passed.
          this.#state = { ...this.#state, atMs: this.nowMs }
        }
        this.#keep(frame)
        const pcm = this.#sound.push(frame, this.nowMs)
        for (const probability of (await stream?.push(pcm)) ?? []) this.#advance(probability)
        if (this.#follower) this.#passOn(this.#sound.settledMs, PIECE_MS)
      }
    } finally {
      stream?.close()
    }
  }

  /** The audio with speech that was not released: until now, or until the last speech ended. */
  pendingUtterance(): Utterance | undefined {
    if (this.#pendingFromMs === null) return undefined
    const toMs = this.#startedMs === null ? Math.min(this.nowMs, this.#endedMs + TAIL_MS) : this.nowMs
    return this.#slice(this.#pendingFromMs, toMs)
  }

  get isSpeaking(): boolean {
    return this.#startedMs !== null
  }

  /** Where the pending audio starts; null: there is none. */
  get pendingFromMs(): number | null {
    return this.#pendingFromMs
  }

  /** Passes on the pending audio and all that follows, to one follower at a time, until the returned function is called; that passes on the rest. */
  follow(onPiece: (piece: AudioFrame) => void): () => void {
    const follower = { atMs: this.#pendingFromMs ?? this.nowMs, onPiece }
    this.#follower = follower
    this.#passOn(this.#sound.settledMs, 0)
    return () => {
      if (this.#follower !== follower) return
      this.#passOn(this.nowMs, 0)
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

  /** The audio from then until now, as far as it is kept. */
  audioSince(fromMs: number): Utterance | undefined {
    return this.#slice(fromMs, this.nowMs)
  }

  /** Where the sound of speech that started at `fromMs` starts, as far as is known; undefined when it is no longer kept. */
  soundStartMs(fromMs: number): number | undefined {
    if (this.#audio.fromMs > fromMs) return undefined
    const around = this.#slice(fromMs - SEARCH_BEFORE_MS, Math.min(this.nowMs, fromMs + SEARCH_MS))
    const sound = around && speechBounds(around.pcm, around.rateHz)
    return sound ? around.fromMs + sound.fromMs : fromMs
  }

  /** Where the sound of this speech ends. */
  soundEndMs(fromMs: number, toMs: number): number {
    const around = this.#slice(Math.max(fromMs, toMs - SEARCH_MS), toMs + TAIL_MS)
    const sound = around && speechBounds(around.pcm, around.rateHz)
    return sound ? around.fromMs + sound.toMs : toMs
  }

  /** Position in the recording; null if there is none, or the audio is no longer kept. */
  recordedAt(ms: number): number | null {
    return this.#audio.recordedAt(ms)
  }

  /** The audio until then is not transcribed again. */
  release(toMs: number): void {
    if (this.#pendingFromMs === null) return
    if (this.#startedMs !== null) this.#pendingFromMs = Math.max(this.#startedMs, toMs)
    else this.#pendingFromMs = this.#lastStartedMs >= toMs ? this.#lastStartedMs : null
  }

  #keep({ pcm, rateHz, recordedMs, atMs }: AudioFrame): void {
    this.#arrivedAtMs = atMs ?? this.#now()
    this.#audio.add(pcm, rateHz, recordedMs ?? null)
    const neededMs = Math.min(this.#pendingFromMs ?? Number.POSITIVE_INFINITY, this.#state.atMs - this.#keepMs)
    this.#audio.drop(Math.max(neededMs, this.nowMs - MAX_UTTERANCE_MS))
    this.#sound.drop(this.#audio.fromMs)
  }

  /** A copy, without the sound of others. The recording has it all. */
  #slice(fromMs: number, toMs: number): Utterance | undefined {
    const utterance = this.#audio.slice(fromMs, toMs)
    return utterance && this.#sound.withoutFar(utterance)
  }

  #advance(probability: number): void {
    const before = this.#state
    const { state, event } = advance(before, probability)
    this.#state = state
    if (event?.type === 'start') {
      this.#startedMs = event.fromMs
      this.#lastStartedMs = event.fromMs
      this.#pendingFromMs ??= event.fromMs
      this.#voicedMs = state.atMs - (before.changingSinceMs ?? before.atMs)
      this.#report(true, event.fromMs)
    } else if (event) {
      this.#startedMs = null
      this.#endedMs = event.toMs
      if (this.#isCandidate) this.#events.onSpeechCandidate(false, false)
      this.#isCandidate = false
      this.#isStrong = false
      this.#report(false, event.toMs)
    } else if (state.isSpeaking) this.#trackPause(before.changingSinceMs !== null, state.changingSinceMs !== null)
    this.#trackCandidate(state)
  }

  #report(isSpeaking: boolean, atMs: number): void {
    const fromMs = isSpeaking ? atMs : this.#lastStartedMs
    const toMs = isSpeaking ? this.nowMs : atMs
    this.#events.onSpeech({
      isSpeaking,
      atMs,
      nowMs: this.#state.atMs,
      voicedMs: this.#voicedMs,
      relativeDb: this.#sound.relativeDb(fromMs, toMs),
      prosody: isSpeaking ? null : this.#sound.prosody(fromMs, toMs),
    })
  }

  #trackCandidate({ isSpeaking, changingSinceMs, atMs }: VadState): void {
    const isPossible = isSpeaking || changingSinceMs !== null
    const isStrong = isPossible && (this.#isStrong || this.#sound.isStrong(isSpeaking))
    // With strong evidence one step is enough.
    const isLong = !isSpeaking && atMs - (changingSinceMs ?? atMs) >= CANDIDATE_MS
    const isCandidate = isStrong || isLong
    const isNews = isStrong ? !this.#isStrong : isCandidate !== this.#isCandidate && !isSpeaking
    this.#isCandidate = isCandidate
    this.#isStrong = isStrong
    // A weak one that became speech was reported as such.
    if (isNews) this.#events.onSpeechCandidate(isCandidate, isStrong)
  }

  #trackPause(wasQuiet: boolean, isQuiet: boolean): void {
    if (!isQuiet) this.#voicedMs += VAD_STEP_MS
    if (wasQuiet !== isQuiet) this.#events.onSpeechPause(isQuiet, this.#voicedMs)
  }
}
