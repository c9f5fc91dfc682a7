// Playout queue of a leg: plays in order, resampled as they are sent and counted to the sample; holds and drops take effect at once.
import { createResampler, type Resampler, resample } from '../audio/resample.ts'
import { TICK_MS } from './clock.ts'
import { rewindToQuiet } from './quiet-point.ts'
import { SampleStore } from './sample-store.ts'

/** How often progress is reported to the main thread. */
const TELL_EVERY_MS = 100
/** A held play resumes from a quiet point, at most this long before the freeze. */
const MAX_REPEAT_MS = 600
/** Fade at the freeze and at the release. */
const FADE_MS = 10

type Play = {
  id: number
  /** Samples as received, with the count per rate: one run unless the source changes its rate. */
  source: SampleStore
  runs: { rateHz: number; samples: number }[]
  hasEnd: boolean
  resampler: Resampler | null
  fromHz: number
  /** At the line's rate, `toHz`. */
  ready: SampleStore
  toHz: number
  /** How much of what was sent is kept for a rewind. */
  keepMs: number
  /** Samples at the start of `ready` that are sent a second time and not counted again. */
  repeated: number
  heardMs: number
  toldMs: number
}

/** How much of a play was sent; `isDone` with the last report. `inFrameMs`: where that is in the frame being filled. */
export type OnPlayed = (play: number, heardMs: number, isDone: boolean, inFrameMs: number) => void

export class PlayQueue {
  readonly #plays: Play[] = []
  readonly #spare: SampleStore[] = []
  readonly #tell: OnPlayed
  /** The peer buffers this much and drops it when the queue is held: sent but not heard. */
  readonly #unheardMs: number
  #isHeld = false
  /** The play that was frozen while it was heard. */
  #frozen: Play | null = null
  #isFadingIn = false

  constructor(tell: OnPlayed, unheardMs = 0) {
    this.#tell = tell
    this.#unheardMs = unheardMs
  }

  get isEmpty(): boolean {
    return this.#plays.length === 0
  }

  open(id: number): void {
    const [source, ready] = [this.#spare.pop() ?? new SampleStore(), this.#spare.pop() ?? new SampleStore()]
    const line = { resampler: null, fromHz: 0, ready, toHz: 0, keepMs: MAX_REPEAT_MS + this.#unheardMs, repeated: 0 }
    // The first sound is reported at once.
    this.#plays.push({ id, source, runs: [], hasEnd: false, ...line, heardMs: 0, toldMs: -TELL_EVERY_MS })
  }

  /** The samples are copied. */
  push(id: number, pcm: Int16Array, rateHz: number): void {
    const play = this.#plays.find((one) => one.id === id)
    if (!play) return
    play.source.add(pcm)
    const run = play.runs.at(-1)
    if (run?.rateHz === rateHz) run.samples += pcm.length
    else play.runs.push({ rateHz, samples: pcm.length })
  }

  /** The source has ended: the play is done when the rest was sent. */
  end(id: number): void {
    const play = this.#plays.find((one) => one.id === id)
    if (play) play.hasEnd = true
  }

  drop(id: number): void {
    const at = this.#plays.findIndex((play) => play.id === id)
    if (at >= 0) this.#finish(at)
  }

  dropAll(): void {
    while (this.#plays.length > 0) this.#finish(0)
  }

  /** Freezes the queue from the next frame on; when released, it resumes from the last quiet point. */
  hold(isHeld: boolean): void {
    if (isHeld === this.#isHeld) return
    this.#isHeld = isHeld
    const play = this.#frozen
    this.#frozen = null
    if (isHeld) {
      // The peer has dropped its buffer.
      if (this.#unheardMs > 0 && this.isMidPlay) this.#freezeFirst()
    } else if (play) {
      rewind(play, this.#unheardMs)
      this.#isFadingIn = true
    }
  }

  /** The first play is partly sent. */
  get isMidPlay(): boolean {
    return (this.#plays[0]?.heardMs ?? 0) > 0
  }

  /** Fills the frame, padded with silence. Returns how many samples came from plays. */
  read(frame: Int16Array, rateHz: number): number {
    if (this.#isHeld) return this.#freeze(frame, rateHz)
    let filled = 0
    for (let play = this.#plays[0]; play; play = this.#plays[0]) {
      if (!prepare(play, frame.length - filled, rateHz)) break
      const taken = play.ready.take(frame.length - filled)
      frame.set(taken, filled)
      filled += taken.length
      const repeated = Math.min(play.repeated, taken.length)
      play.repeated -= repeated
      play.heardMs += ((taken.length - repeated) * 1000) / rateHz
      const inFrameMs = (filled * 1000) / rateHz
      this.#tellProgress(play, inFrameMs)
      if (!isSpent(play)) break
      this.#finish(0, inFrameMs)
    }
    frame.fill(0, filled)
    if (this.#isFadingIn && filled > 0) {
      this.#isFadingIn = false
      fade(frame, (FADE_MS * rateHz) / 1000, 1)
    }
    return filled
  }

  /** Fills the frame with silence; in the first frame of a hold, after a short fade-out that is not counted as played. */
  #freeze(frame: Int16Array, rateHz: number): number {
    frame.fill(0)
    const play = this.#plays[0]
    if (!play || !this.isMidPlay || this.#frozen === play) return 0
    this.#freezeFirst()
    // A change of rate has cleared what was kept.
    if (this.#unheardMs > 0 || play.toHz !== rateHz) return 0
    const wanted = Math.min(frame.length, (FADE_MS * rateHz) / 1000)
    if (!prepare(play, wanted, rateHz)) return 0
    const tail = play.ready.take(wanted)
    frame.set(tail)
    fade(frame, tail.length, -1)
    // Not counted: it is played when the queue is released.
    play.ready.rewind(tail.length)
    return tail.length
  }

  #freezeFirst(): void {
    const play = this.#plays[0]
    if (!play) return
    this.#frozen = play
    // If it is dropped while held, it ended here.
    play.toldMs = play.heardMs
    this.#tell(play.id, play.heardMs, false, 0)
  }

  #tellProgress(play: Play, inFrameMs: number): void {
    if (play.heardMs === 0 || play.heardMs - play.toldMs < TELL_EVERY_MS) return
    play.toldMs = play.heardMs
    this.#tell(play.id, play.heardMs, false, inFrameMs)
  }

  #finish(at: number, inFrameMs = 0): void {
    const [play] = this.#plays.splice(at, 1)
    if (!play) return
    if (this.#frozen === play) this.#frozen = null
    for (const store of [play.source, play.ready]) {
      store.clear()
      if (this.#spare.length < 2) this.#spare.push(store)
    }
    this.#tell(play.id, play.heardMs, true, inFrameMs)
  }
}

/** False when the play cannot fill the rest of the frame and must wait for its source. */
function prepare(play: Play, wanted: number, rateHz: number): boolean {
  if (play.toHz !== rateHz) changeRate(play, rateHz)
  while (play.ready.length < wanted) {
    const run = play.runs[0]
    if (!run) break
    if (play.resampler && play.fromHz !== run.rateHz) endResampler(play)
    play.resampler ??= createResampler(run.rateHz, rateHz)
    play.fromHz = run.rateHz
    const pcm = play.source.take(Math.min(run.samples, Math.ceil((run.rateHz * TICK_MS) / 1000)))
    run.samples -= pcm.length
    if (run.samples === 0) play.runs.shift()
    play.ready.add(play.resampler.push(pcm))
  }
  if (play.hasEnd && play.runs.length === 0) endResampler(play)
  return play.hasEnd || play.ready.length >= wanted
}

/** The codec changed during a play. */
function changeRate(play: Play, rateHz: number): void {
  endResampler(play)
  const left = play.ready.take(play.ready.length)
  if (left.length > 0) {
    const changed = resample(left, play.toHz, rateHz)
    play.ready.clear()
    play.ready.add(changed)
    play.repeated = Math.round((play.repeated * rateHz) / play.toHz)
  } else play.ready.clear()
  play.ready.keep = Math.round((play.keepMs * rateHz) / 1000)
  play.toHz = rateHz
}

function endResampler(play: Play): void {
  if (play.resampler) play.ready.add(play.resampler.end())
  play.resampler = null
}

/** Rewinds over what was sent but not heard, and then to the last quiet point. */
function rewind(play: Play, unheardMs: number): void {
  const { ready, toHz } = play
  const sent = ready.taken(ready.keep)
  const unheard = Math.min(sent.length, Math.round((unheardMs * toHz) / 1000))
  const count = unheard + rewindToQuiet(sent.subarray(0, sent.length - unheard), toHz)
  ready.rewind(count)
  play.repeated += count
}

/** Fades the first `count` samples in (1) or out (-1), in place. */
function fade(frame: Int16Array, count: number, towards: 1 | -1): void {
  for (let i = 0; i < count; i++) {
    frame[i] = ((frame[i] as number) * (towards > 0 ? i + 1 : count - 1 - i)) / count
  }
}

const isSpent = ({ hasEnd, runs, resampler, ready }: Play) =>
  hasEnd && runs.length === 0 && resampler === null && ready.length === 0
