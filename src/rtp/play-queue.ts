// Playout queue of a leg: plays in order, resampled as they are sent, counted to the sample, held and dropped at once.
import { createResampler, type Resampler, resample } from '../audio/resample.ts'
import { TICK_MS } from './clock.ts'
import { rewindToQuiet } from './quiet-point.ts'
import { SampleStore } from './sample-store.ts'

/** The main thread is told of progress so often. */
const TELL_EVERY_MS = 100
/** A play that was held continues from a quiet point, at most so long before the freeze. */
const MAX_REPEAT_MS = 600
/** Fade at the freeze and at the release. */
const FADE_MS = 10

type Play = {
  id: number
  /** As they came, and of which rate how many: one entry, unless the source changes its rate. */
  source: SampleStore
  runs: { rateHz: number; samples: number }[]
  hasEnd: boolean
  resampler: Resampler | null
  fromHz: number
  /** At the line's rate, `toHz`. */
  ready: SampleStore
  toHz: number
  /** So much of what was sent is kept. */
  keepMs: number
  /** Of `ready`, so many samples come for the second time and are not counted again. */
  repeated: number
  heardMs: number
  toldMs: number
}

/** How much of a play has been sent; `isDone` with its last word. `inFrameMs`: how far that is in the frame that is being filled. */
export type OnPlayed = (play: number, heardMs: number, isDone: boolean, inFrameMs: number) => void

export class PlayQueue {
  readonly #plays: Play[] = []
  readonly #spare: SampleStore[] = []
  readonly #tell: OnPlayed
  /** The peer buffers so much, and drops it when the queue is held: that was sent and not heard. */
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
    // Its first sound is told at once.
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

  /** No more comes; the play is done when what it has was sent. */
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

  /** Freezes the queue from the next frame on; released, it continues from the last quiet point. */
  hold(isHeld: boolean): void {
    if (isHeld === this.#isHeld) return
    this.#isHeld = isHeld
    const play = this.#frozen
    this.#frozen = null
    if (isHeld) {
      // What the peer has buffered is gone already.
      if (this.#unheardMs > 0 && this.isMidPlay) this.#freezeFirst()
    } else if (play) {
      rewind(play, this.#unheardMs)
      this.#isFadingIn = true
    }
  }

  /** Something of the first play was sent, and more of it is to come. */
  get isMidPlay(): boolean {
    return (this.#plays[0]?.heardMs ?? 0) > 0
  }

  /** Fills the frame from its beginning, the rest with silence, and says how many samples were somebody's. */
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

  /** Silence; in the first frame of a hold, after a short fade of a sound that goes on when the queue is released. */
  #freeze(frame: Int16Array, rateHz: number): number {
    frame.fill(0)
    const play = this.#plays[0]
    if (!play || !this.isMidPlay || this.#frozen === play) return 0
    this.#freezeFirst()
    // A change of the rate clears what was kept.
    if (this.#unheardMs > 0 || play.toHz !== rateHz) return 0
    const wanted = Math.min(frame.length, (FADE_MS * rateHz) / 1000)
    if (!prepare(play, wanted, rateHz)) return 0
    const tail = play.ready.take(wanted)
    frame.set(tail)
    fade(frame, tail.length, -1)
    // Not counted: it is heard when the queue is released.
    play.ready.rewind(tail.length)
    return tail.length
  }

  #freezeFirst(): void {
    const play = this.#plays[0]
    if (!play) return
    this.#frozen = play
    // Dropped while it is held, it ended here.
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

/** A play that could not fill what is left of the frame waits for more of its source, unless it has no more. */
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

/** The codec has changed in the middle of a play. */
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

/** Back to the last quiet point of what was heard, and over what was sent without being heard. */
function rewind(play: Play, unheardMs: number): void {
  const { ready, toHz } = play
  const sent = ready.taken(ready.keep)
  const unheard = Math.min(sent.length, Math.round((unheardMs * toHz) / 1000))
  const count = unheard + rewindToQuiet(sent.subarray(0, sent.length - unheard), toHz)
  ready.rewind(count)
  play.repeated += count
}

/** In place: the first `count` samples rise from silence, or fall to it. */
function fade(frame: Int16Array, count: number, towards: 1 | -1): void {
  for (let i = 0; i < count; i++) {
    frame[i] = ((frame[i] as number) * (towards > 0 ? i + 1 : count - 1 - i)) / count
  }
}

const isSpent = ({ hasEnd, runs, resampler, ready }: Play) =>
  hasEnd && runs.length === 0 && resampler === null && ready.length === 0
