// Playout queue of a leg: plays in order, resampled as they are sent, counted to the sample, dropped at once.
import { createResampler, type Resampler, resample } from '../audio/resample.ts'
import { TICK_MS } from './clock.ts'
import { SampleStore } from './sample-store.ts'

/** The main thread is told of progress so often. */
const TELL_EVERY_MS = 100

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
  heardMs: number
  toldMs: number
}

/** How much of a play has been sent; `isDone` with its last word. `inFrameMs`: how far that is in the frame that is being filled. */
export type OnPlayed = (play: number, heardMs: number, isDone: boolean, inFrameMs: number) => void

export class PlayQueue {
  readonly #plays: Play[] = []
  readonly #spare: SampleStore[] = []
  readonly #tell: OnPlayed

  constructor(tell: OnPlayed) {
    this.#tell = tell
  }

  get isEmpty(): boolean {
    return this.#plays.length === 0
  }

  open(id: number): void {
    const [source, ready] = [this.#spare.pop() ?? new SampleStore(), this.#spare.pop() ?? new SampleStore()]
    const line = { resampler: null, fromHz: 0, ready, toHz: 0 }
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

  /** Fills the frame from its beginning, the rest with silence, and says how many samples were somebody's. */
  read(frame: Int16Array, rateHz: number): number {
    let filled = 0
    for (let play = this.#plays[0]; play; play = this.#plays[0]) {
      if (!prepare(play, frame.length - filled, rateHz)) break
      const taken = play.ready.take(frame.length - filled)
      frame.set(taken, filled)
      filled += taken.length
      play.heardMs += (taken.length * 1000) / rateHz
      const inFrameMs = (filled * 1000) / rateHz
      this.#tellProgress(play, inFrameMs)
      if (!isSpent(play)) break
      this.#finish(0, inFrameMs)
    }
    frame.fill(0, filled)
    return filled
  }

  #tellProgress(play: Play, inFrameMs: number): void {
    if (play.heardMs === 0 || play.heardMs - play.toldMs < TELL_EVERY_MS) return
    play.toldMs = play.heardMs
    this.#tell(play.id, play.heardMs, false, inFrameMs)
  }

  #finish(at: number, inFrameMs = 0): void {
    const [play] = this.#plays.splice(at, 1)
    if (!play) return
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
  }
  play.toHz = rateHz
}

function endResampler(play: Play): void {
  if (play.resampler) play.ready.add(play.resampler.end())
  play.resampler = null
}

const isSpent = ({ hasEnd, runs, resampler, ready }: Play) =>
  hasEnd && runs.length === 0 && resampler === null && ready.length === 0
