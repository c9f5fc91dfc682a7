// Segments the caller's audio by VAD, and keeps the audio until it was transcribed.
import { monotonicMs } from '../base/clock.ts'
import { AudioHistory, type Utterance } from './audio-history.ts'
import type { Audio, AudioFrame, Vad, VadStream } from './ports.ts'
import { speechBounds } from './speech-bounds.ts'
import { advance, initialVadState, VAD_STEP_MS, type VadState } from './vad-segmenter.ts'

/** `atMs`: where in the stream speech started or ended; `nowMs`: the stream's position; `voicedMs`: speech without its pauses. */
export type SpeechChange = { isSpeaking: boolean; atMs: number; nowMs: number; voicedMs: number }

export type UtteranceEvents = {
  onSpeech(change: SpeechChange): void
  /** Within speech: a pause that may become its end, or speech continues. */
  onSpeechPause(on: boolean, voicedMs: number): void
  /** Possible speech; or it was none. */
  onSpeechCandidate(on: boolean): void
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
  /** Of the current speech, without its pauses. */
  #voicedMs = 0
  #isCandidate = false

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
        for (const probability of (await stream?.push(frame.pcm)) ?? []) this.#advance(probability)
      }
    } finally {
      stream?.close()
    }
  }

  /** The audio with speech that was not released: until now, or until the last speech ended. */
  pendingUtterance(): Utterance | undefined {
    if (this.#pendingFromMs === null) return undefined
    const toMs = this.#startedMs === null ? Math.min(this.nowMs, this.#endedMs + TAIL_MS) : this.nowMs
    return this.#audio.slice(this.#pendingFromMs, toMs)
  }

  /** The audio from then until now, as far as it is kept. */
  audioSince(fromMs: number): Utterance | undefined {
    return this.#audio.slice(fromMs, this.nowMs)
  }

  /** Where the sound of speech that started at `fromMs` starts, as far as is known; undefined when it is no longer kept. */
  soundStartMs(fromMs: number): number | undefined {
    if (this.#audio.fromMs > fromMs) return undefined
    const around = this.#audio.slice(fromMs - SEARCH_BEFORE_MS, Math.min(this.nowMs, fromMs + SEARCH_MS))
    const sound = around && speechBounds(around.pcm, around.rateHz)
    return sound ? around.fromMs + sound.fromMs : fromMs
  }

  /** Where the sound of this speech ends. */
  soundEndMs(fromMs: number, toMs: number): number {
    const around = this.#audio.slice(Math.max(fromMs, toMs - SEARCH_MS), toMs + TAIL_MS)
    const sound = around && speechBounds(around.pcm, around.rateHz)
    return sound ? around.fromMs + sound.toMs : toMs
  }

  /** Position in the recording; null if there is none, or the audio is no longer kept. */
  recordedAt(ms: number): number | null {
    return this.#audio.recordedAt(ms)
  }

  /** The audio until then was transcribed. */
  release(toMs: number): void {
    this.#pendingFromMs = this.#startedMs === null ? null : Math.max(this.#startedMs, toMs)
  }

  #keep({ pcm, rateHz, recordedMs, atMs }: AudioFrame): void {
    this.#arrivedAtMs = atMs ?? this.#now()
    this.#audio.add(pcm, rateHz, recordedMs ?? null)
    const neededMs = Math.min(this.#pendingFromMs ?? Number.POSITIVE_INFINITY, this.#state.atMs - this.#keepMs)
    this.#audio.drop(Math.max(neededMs, this.nowMs - MAX_UTTERANCE_MS))
  }

  #advance(probability: number): void {
    const before = this.#state
    const { state, event } = advance(before, probability)
    this.#state = state
    if (event?.type === 'start') {
      this.#startedMs = event.fromMs
      this.#pendingFromMs ??= event.fromMs
      this.#voicedMs = state.atMs - (before.changingSinceMs ?? before.atMs)
      this.#report(true, event.fromMs)
    } else if (event) {
      this.#startedMs = null
      this.#endedMs = event.toMs
      this.#report(false, event.toMs)
    } else if (state.isSpeaking) this.#trackPause(before.changingSinceMs !== null, state.changingSinceMs !== null)
    this.#trackCandidate(state)
  }

  #report(isSpeaking: boolean, atMs: number): void {
    this.#events.onSpeech({ isSpeaking, atMs, nowMs: this.#state.atMs, voicedMs: this.#voicedMs })
  }

  #trackCandidate({ isSpeaking, changingSinceMs, atMs }: VadState): void {
    const isCandidate = !isSpeaking && changingSinceMs !== null && atMs - changingSinceMs >= CANDIDATE_MS
    if (isCandidate === this.#isCandidate) return
    this.#isCandidate = isCandidate
    // One that became speech was reported as such.
    if (!isSpeaking) this.#events.onSpeechCandidate(isCandidate)
  }

  #trackPause(wasQuiet: boolean, isQuiet: boolean): void {
    if (!isQuiet) this.#voicedMs += VAD_STEP_MS
    if (wasQuiet !== isQuiet) this.#events.onSpeechPause(isQuiet, this.#voicedMs)
  }
}
