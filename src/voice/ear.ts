// The ear: finds where a voice begins and ends in what is heard, and keeps the sound of each utterance until it is asked for.
import { type Activity, advance, quietActivity, VAD_STEP_MS } from './activity.ts'
import type { Audio, AudioFrame, Vad } from './ports.ts'

export type Utterance = { pcm: Int16Array; rateHz: number; fromMs: number; toMs: number }

export type EarEvents = {
  /** `atMs` is where in the stream it began or ended; `nowMs` how far the stream is. */
  onVoice(on: boolean, atMs: number, nowMs: number): void
}

/** What a listener could still want: the start of an utterance is known late, and nobody speaks longer in one breath. */
const MAX_UTTERANCE_MS = 60_000
const KEEP_QUIET_MS = 1000

export class Ear {
  readonly #vad: Vad
  readonly #events: EarEvents
  #frames: AudioFrame[] = []
  #framesFromMs = 0
  #heardMs = 0
  #activity: Activity = quietActivity
  #startedMs: number | null = null
  #utterance: Utterance | undefined

  constructor(vad: Vad, events: EarEvents) {
    this.#vad = vad
    this.#events = events
  }

  /** How much was heard so far. */
  get nowMs(): number {
    return this.#heardMs
  }

  /** Listens until the far side leaves. */
  async listen(input: Audio): Promise<void> {
    let stream: ReturnType<Vad['open']> | undefined
    let rateHz = 0
    try {
      for await (const frame of input) {
        if (frame.rateHz !== rateHz) {
          stream?.close()
          rateHz = frame.rateHz
          stream = this.#vad.open(rateHz === 8000 ? 8000 : 16_000)
        }
        this.#keep(frame)
        for (const probability of (await stream?.push(frame.pcm)) ?? []) this.#judge(probability)
      }
    } finally {
      stream?.close()
    }
  }

  /** The sound of the utterance that ended last; once. */
  take(): Utterance | undefined {
    const taken = this.#utterance
    this.#utterance = undefined
    return taken
  }

  #keep(frame: AudioFrame): void {
    this.#frames.push(frame)
    this.#heardMs += (frame.pcm.length / frame.rateHz) * 1000
    const neededMs = this.#startedMs ?? this.#activity.atMs - KEEP_QUIET_MS
    const limitMs = Math.max(neededMs, this.#heardMs - MAX_UTTERANCE_MS)
    for (let first = this.#frames[0]; first; first = this.#frames[0]) {
      const ms = (first.pcm.length / first.rateHz) * 1000
      if (this.#framesFromMs + ms > limitMs) break
      this.#frames.shift()
      this.#framesFromMs += ms
    }
  }

  #judge(probability: number): void {
    const { activity, event } = advance(this.#activity, probability)
    this.#activity = activity
    if (!event) return
    if (event.type === 'start') {
      this.#startedMs = event.fromMs
      this.#events.onVoice(true, event.fromMs, activity.atMs)
      return
    }
    // A little of the quiet after the last word belongs to it.
    const utterance = this.#cut(this.#startedMs ?? 0, event.toMs + 2 * VAD_STEP_MS)
    this.#utterance = this.#utterance && utterance ? joined(this.#utterance, utterance) : (utterance ?? this.#utterance)
    this.#startedMs = null
    this.#events.onVoice(false, event.toMs, activity.atMs)
  }

  #cut(fromMs: number, toMs: number): Utterance | undefined {
    const rateHz = this.#frames.at(-1)?.rateHz
    if (rateHz === undefined) return undefined
    const same = this.#frames.filter((frame) => frame.rateHz === rateHz)
    const skippedMs = (this.#frames.length - same.length) * 20
    const all = concat(same.map(({ pcm }) => pcm))
    const at = (ms: number) => Math.max(0, Math.round(((ms - this.#framesFromMs - skippedMs) / 1000) * rateHz))
    return { pcm: all.slice(at(fromMs), at(toMs)), rateHz, fromMs, toMs }
  }
}

/** Two that were not taken between become one. */
function joined(a: Utterance, b: Utterance): Utterance {
  if (a.rateHz !== b.rateHz) return b
  return { ...b, fromMs: a.fromMs, pcm: concat([a.pcm, b.pcm]) }
}

function concat(parts: readonly Int16Array[]): Int16Array {
  const whole = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
