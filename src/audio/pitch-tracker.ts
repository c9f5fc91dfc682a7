// Pitch of a voice by normalised autocorrelation, at 4 kHz: exact to a few Hz, and cheap enough for every frame of every call.

const RATE_HZ = 4000
/** 400 down to 60 Hz. */
const SHORTEST = 10
const LONGEST = 66
/** 30 ms are compared: two periods of a low voice. */
const SIZE = 120
const KEPT = SIZE + LONGEST + 1
const FROM = KEPT - SIZE
/** A voice repeats itself at least so well. Noise reaches 0.3. */
const VOICED = 0.5
/** The first peak that is nearly the best is the period; later ones are its multiples. */
const NEARLY = 0.85

export class PitchTracker {
  /** The latest samples, the newest last. */
  readonly #kept = new Float64Array(KEPT)
  /** Likeness for each lag, with one more on either side. */
  readonly #scores = new Float64Array(LONGEST + 2)

  push(pcm: Int16Array, rateHz: number): void {
    const each = Math.max(1, Math.round(rateHz / RATE_HZ))
    const count = Math.min(KEPT, Math.floor(pcm.length / each))
    this.#kept.copyWithin(0, count)
    let at = pcm.length - count * each
    for (let i = KEPT - count; i < KEPT; i++) {
      let sum = 0
      for (let k = 0; k < each; k++) sum += pcm[at++] as number
      this.#kept[i] = sum / each
    }
  }

  /** Of the last 30 ms; 0 when they are unvoiced. */
  pitchHz(): number {
    const best = this.#correlate()
    if (best < VOICED) return 0
    const scores = this.#scores
    for (let lag = SHORTEST; lag <= LONGEST; lag++) {
      const score = scores[lag] as number
      if (score < best * NEARLY || score <= (scores[lag - 1] as number) || score < (scores[lag + 1] as number)) continue
      const here = this.#likeness(lag)
      if (here < VOICED) continue
      const before = this.#likeness(lag - 1)
      const after = this.#likeness(lag + 1)
      // The vertex of the parabola through the three.
      const bend = before - 2 * here + after
      return RATE_HZ / (lag + (bend < 0 ? Math.max(-1, Math.min(1, (before - after) / (2 * bend))) : 0))
    }
    return 0
  }

  /** Fills the scores, from every second sample; the best of those that may be a pitch. */
  #correlate(): number {
    const x = this.#kept
    let energy = 1
    let shifted = 1
    for (let i = FROM; i < KEPT; i += 2) {
      energy += (x[i] as number) ** 2
      shifted += (x[i - SHORTEST + 1] as number) ** 2
    }
    let best = 0
    for (let lag = SHORTEST - 1; lag <= LONGEST + 1; lag++) {
      let sum = 0
      for (let i = FROM; i < KEPT; i += 2) sum += (x[i] as number) * (x[i - lag] as number)
      const score = sum / Math.sqrt(energy * Math.max(1, shifted))
      this.#scores[lag] = score
      if (lag >= SHORTEST && lag <= LONGEST && score > best) best = score
      // Two lags on, the same samples but for the first and the last: the energy hardly changes in between.
      if (lag <= LONGEST) shifted += ((x[FROM - lag - 1] as number) ** 2 - (x[KEPT - lag - 1] as number) ** 2) / 2
    }
    return best
  }

  #likeness(lag: number): number {
    const x = this.#kept
    let product = 0
    let energy = 1
    let shifted = 1
    for (let i = FROM; i < KEPT; i++) {
      const a = x[i] as number
      const b = x[i - lag] as number
      product += a * b
      energy += a * a
      shifted += b * b
    }
    return product / Math.sqrt(energy * shifted)
  }
}
