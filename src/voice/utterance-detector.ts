// The ear: finds where a voice begins and ends in what is heard, and keeps the sound until it was understood.
import { monotonicMs } from '../base/clock.ts'
import { AudioHistory, type Utterance } from './audio-history.ts'
import type { Audio, AudioFrame, Vad, VadStream } from './ports.ts'
import { soundIn } from './speech-bounds.ts'
import { type Activity, advance, quietActivity, VAD_STEP_MS } from './vad-segmenter.ts'

export type UtteranceEvents = {
  /** `atMs` is where in the stream it began or ended; `nowMs` how far the stream is. */
  onVoice(on: boolean, atMs: number, nowMs: number, voicedMs: number): void
  /** Within a voice, a quiet that may become its end begins, or was none. */
  onSpeechPause(on: boolean, voicedMs: number): void
  /** Something sounds like a voice, and may turn out to be one; or was none. */
  onSpeechCandidate(on: boolean): void
}

/** What a listener could still want: the start of an utterance is known late, and nobody speaks longer in one breath. */
const MAX_UTTERANCE_MS = 60_000
const KEEP_QUIET_MS = 1000
/** A little of the quiet after the last word belongs to it. */
const TAIL_MS = 2 * VAD_STEP_MS
/** Two steps in a row that sound like a voice may be one: with one alone, noise would be taken for it all the time. */
const MAYBE_MS = 2 * VAD_STEP_MS
/** A voice may have begun so long before it was taken for one; of its beginning and its end so much is looked at. */
const BEFORE_MS = 200
const LAST_MS = 2000

export class UtteranceDetector {
  readonly #vad: Vad
  readonly #events: UtteranceEvents
  readonly #keepMs: number
  readonly #now: () => number
  /** On the clock: when what is heard at `nowMs` came in. */
  #cameAtMs = 0
  readonly #kept = new AudioHistory()
  #activity: Activity = quietActivity
  /** Where the voice that is heard now began. */
  #startedMs: number | null = null
  /** Where the sound begins that nobody has understood yet, and where its last voice ended. */
  #heldMs: number | null = null
  #endedMs = 0
  /** Of the voice that is heard now, without its lulls. */
  #voicedMs = 0
  #isMaybe = false

  /** `keepMs`: how much of what was heard last is kept in any case; `now`: the clock of the frames' `atMs`. */
  constructor(vad: Vad, events: UtteranceEvents, { keepMs = KEEP_QUIET_MS, now = monotonicMs } = {}) {
    this.#now = now
    this.#vad = vad
    this.#events = events
    this.#keepMs = Math.max(keepMs, KEEP_QUIET_MS)
  }

  /** How much was heard so far. */
  get nowMs(): number {
    return this.#kept.nowMs
  }

  /** How much would be heard by now if nothing waited on its way here. */
  get trueMs(): number {
    return this.nowMs + Math.max(0, this.#now() - this.#cameAtMs)
  }

  /** On the clock, when this place of the stream came in. */
  cameAt(placeMs: number): number {
    return this.#cameAtMs - (this.nowMs - placeMs)
  }

  /** Of what was heard last. */
  get rateHz(): number | undefined {
    return this.#kept.rateHz
  }

  /** How much sound is kept. */
  get keptMs(): number {
    return this.#kept.nowMs - this.#kept.fromMs
  }

  /** Listens until the far side leaves. */
  async listen(input: Audio): Promise<void> {
    let stream: VadStream | undefined
    let rateHz = 0
    try {
      for await (const frame of input) {
        if (frame.rateHz !== rateHz) {
          stream?.close()
          rateHz = frame.rateHz
          stream = this.#vad.open(rateHz === 8000 ? 8000 : 16_000)
          // The step that was begun is lost with its stream, but its time has passed.
          this.#activity = { ...this.#activity, atMs: this.nowMs }
        }
        this.#keep(frame)
        for (const probability of (await stream?.push(frame.pcm)) ?? []) this.#judge(probability)
      }
    } finally {
      stream?.close()
    }
  }

  /** All sound with a voice in it that was not released: until now, or until the last voice ended. */
  sound(): Utterance | undefined {
    if (this.#heldMs === null) return undefined
    const toMs = this.#startedMs === null ? Math.min(this.nowMs, this.#endedMs + TAIL_MS) : this.nowMs
    return this.#kept.cut(this.#heldMs, toMs)
  }

  /** All sound from then until now, as far as it is kept. */
  since(fromMs: number): Utterance | undefined {
    return this.#kept.cut(fromMs, this.nowMs)
  }

  /** Where the sound of a voice that began so begins, as far as it can be told by now; undefined when it is not kept any more. */
  beginning(fromMs: number): number | undefined {
    if (this.#kept.fromMs > fromMs) return undefined
    const around = this.#kept.cut(fromMs - BEFORE_MS, Math.min(this.nowMs, fromMs + LAST_MS))
    const sound = around && soundIn(around.pcm, around.rateHz)
    return sound ? around.fromMs + sound.fromMs : fromMs
  }

  /** Where the sound of a voice ends of which that is the last. */
  ending(fromMs: number, toMs: number): number {
    const around = this.#kept.cut(Math.max(fromMs, toMs - LAST_MS), toMs + TAIL_MS)
    const sound = around && soundIn(around.pcm, around.rateHz)
    return sound ? around.fromMs + sound.toMs : toMs
  }

  /** Where that is in the recording; null where there is none, or it is not kept any more. */
  recordedAt(ms: number): number | null {
    return this.#kept.recordedAt(ms)
  }

  /** What was heard until then has been understood. */
  release(toMs: number): void {
    this.#heldMs = this.#startedMs === null ? null : Math.max(this.#startedMs, toMs)
  }

  #keep({ pcm, rateHz, recordedMs, atMs }: AudioFrame): void {
    this.#cameAtMs = atMs ?? this.#now()
    this.#kept.add(pcm, rateHz, recordedMs ?? null)
    const neededMs = Math.min(this.#heldMs ?? Number.POSITIVE_INFINITY, this.#activity.atMs - this.#keepMs)
    this.#kept.drop(Math.max(neededMs, this.nowMs - MAX_UTTERANCE_MS))
  }

  #judge(probability: number): void {
    const before = this.#activity
    const { activity, event } = advance(before, probability)
    this.#activity = activity
    if (event?.type === 'start') {
      this.#startedMs = event.fromMs
      this.#heldMs ??= event.fromMs
      this.#voicedMs = activity.atMs - (before.changingSinceMs ?? before.atMs)
      this.#events.onVoice(true, event.fromMs, activity.atMs, this.#voicedMs)
    } else if (event) {
      this.#startedMs = null
      this.#endedMs = event.toMs
      this.#events.onVoice(false, event.toMs, activity.atMs, this.#voicedMs)
    } else if (activity.isSpeaking) this.#lull(before.changingSinceMs !== null, activity.changingSinceMs !== null)
    this.#doubt(activity)
  }

  #doubt({ isSpeaking, changingSinceMs, atMs }: Activity): void {
    const isMaybe = !isSpeaking && changingSinceMs !== null && atMs - changingSinceMs >= MAYBE_MS
    if (isMaybe === this.#isMaybe) return
    this.#isMaybe = isMaybe
    // One that became a voice was told as such.
    if (!isSpeaking) this.#events.onSpeechCandidate(isMaybe)
  }

  #lull(wasQuiet: boolean, isQuiet: boolean): void {
    if (!isQuiet) this.#voicedMs += VAD_STEP_MS
    if (wasQuiet !== isQuiet) this.#events.onSpeechPause(isQuiet, this.#voicedMs)
  }
}
