// Our own playout in what comes back: how loud it may be, and, once it is certain, which frames are nothing else. A telephone with
// a loudspeaker, or a gateway without an echo canceller, returns it later and quieter, with the same rise and fall.

/** Longest delay of an echo: the round trip and the peer's jitter buffer. */
const DELAYS = 15
/** Echo before it is measured. */
const FIRST_DB = -18
const MAX_DB = -6
/** The estimate follows the lower quartile of the measurements, since a caller who speaks over us is not an echo. */
const RISE_DB = 0.05
const FALL_DB = 0.15
/** Our playout below this is a pause, and so is what comes back. */
export const SILENCE_DB = -90
const PLAYING_DB = -50
const FLOOR_DB = -60
/** Weight of a frame in the running means: they cover about a second. */
const WEIGHT = 0.02
/** Frames before the correlation says anything, and the spread of level that it needs. */
const LEAST_FRAMES = 25
const MIN_SPREAD_DB = 5
/** Two people who speak at once seldom reach it; a caller who speaks over their echo lowers it for a while. */
const CERTAIN = 0.9
const LOST = 0.75
const CERTAIN_FRAMES = 10
const MAX_FRAMES = 50
/** An echo is at least this much quieter than what we play. */
const QUIETER_DB = 3
/** A frame within this of the expected echo is only echo. */
const WITHIN_DB = 6

/** Indexes in `#values`: the estimate, our loudest recent level, the running means of what comes back and of its square. */
const ESTIMATE = 0
const LOUDEST = 1
const HEARD = 2
const HEARD_SQUARE = 3

/** Moves a running mean towards the value, and returns it. */
function follow(means: Float64Array, place: number, weight: number, value: number): number {
  const before = means[place] as number
  const mean = before + weight * (value - before)
  means[place] = mean
  return mean
}

export class EchoTracker {
  readonly #played = new Float64Array(DELAYS).fill(SILENCE_DB)
  /** Running means for each delay: of our level, of its square, and of its product with what came back. */
  readonly #mean = new Float64Array(DELAYS)
  readonly #square = new Float64Array(DELAYS)
  readonly #product = new Float64Array(DELAYS)
  readonly #values = Float64Array.of(FIRST_DB, SILENCE_DB, 0, 0)
  #frames = 0
  #sum = 0
  /** Grows while the correlation is high. */
  #certain = 0
  #delay = 0
  #isCertain = false
  isEcho = false

  /** Our playout may be in what comes back. */
  get isPlaying(): boolean {
    return (this.#values[LOUDEST] as number) > PLAYING_DB
  }

  /** The loudest that an echo may be now. */
  get levelDb(): number {
    return this.isPlaying ? (this.#values[LOUDEST] as number) + (this.#values[ESTIMATE] as number) : SILENCE_DB
  }

  push(levelDb: number, playedDb: number): void {
    const values = this.#values
    this.#played[this.#frames++ % DELAYS] = playedDb
    let loudest = SILENCE_DB
    for (let i = 0; i < DELAYS; i++) loudest = Math.max(loudest, this.#played[i] as number)
    values[LOUDEST] = loudest
    this.isEcho = false
    if (loudest <= PLAYING_DB) return
    const echo = values[ESTIMATE] as number
    values[ESTIMATE] = levelDb - loudest > echo ? Math.min(MAX_DB, echo + RISE_DB) : echo - FALL_DB
    const heardDb = Math.max(FLOOR_DB, levelDb)
    this.#correlate(heardDb)
    this.isEcho = this.#isCertain && heardDb < this.#expectedDb() + WITHIN_DB
  }

  #playedAt(delay: number): number {
    const place = (this.#frames - 1 - delay + 2 * DELAYS) % DELAYS
    return Math.max(FLOOR_DB, this.#played[place] as number)
  }

  #correlate(heardDb: number): void {
    const weight = Math.max(WEIGHT, 1 / ++this.#sum)
    const heard = follow(this.#values, HEARD, weight, heardDb)
    const spread = follow(this.#values, HEARD_SQUARE, weight, heardDb ** 2) - heard ** 2
    let best = 0
    for (let delay = 0; delay < DELAYS; delay++) {
      const playedDb = this.#playedAt(delay)
      const played = follow(this.#mean, delay, weight, playedDb)
      const own = follow(this.#square, delay, weight, playedDb ** 2) - played ** 2
      const both = follow(this.#product, delay, weight, playedDb * heardDb) - played * heard
      if (own < MIN_SPREAD_DB ** 2 || spread < MIN_SPREAD_DB ** 2) continue
      const likeness = both / Math.sqrt(own * spread)
      if (likeness <= best) continue
      best = likeness
      this.#delay = delay
    }
    if (this.#sum >= LEAST_FRAMES) this.#judge(best, heard < (this.#mean[this.#delay] as number) - QUIETER_DB)
  }

  #judge(likeness: number, isQuieter: boolean): void {
    if (likeness >= CERTAIN && isQuieter) this.#certain = Math.min(MAX_FRAMES, this.#certain + 1)
    else if (likeness < LOST) this.#certain = Math.max(0, this.#certain - 1)
    if (this.#certain >= CERTAIN_FRAMES) this.#isCertain = true
    else if (this.#certain === 0) this.#isCertain = false
  }

  /** At the delay found, give or take a frame. */
  #expectedDb(): number {
    const delay = this.#delay
    const loudest = Math.max(
      this.#playedAt(Math.max(0, delay - 1)),
      this.#playedAt(delay),
      this.#playedAt(Math.min(DELAYS - 1, delay + 1)),
    )
    return loudest + (this.#values[HEARD] as number) - (this.#mean[delay] as number)
  }
}
