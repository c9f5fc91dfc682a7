// Pitch of a voice by normalised autocorrelation, at 4 kHz: exact to a few Hz, and cheap enough for every frame of every call.

const RATE_HZ = 4000
/** 400 down to 60 Hz. */
const SHORTEST = 10
const LONGEST = 66
/** 30 ms are compared: two periods of a low voice. */
const SIZE = 120
const KEPT = SIZE + LONGEST + 1 + 3
const ROOM = 8 * KEPT
/** Lags that are compared at a time: independent sums do not wait for each other. */
const AT_ONCE = 4
/** A voice repeats itself at least so well. Noise reaches 0.3. */
const VOICED = 0.5
/** The first peak that is nearly the best is the period; later ones are its multiples. */
const NEARLY = 0.85

export class PitchTracker {
  /** The latest samples are those before `#end`; they move to the front when there is no more room. */
  readonly #samples = new Float64Array(ROOM)
  #end = KEPT
  /** Likeness for each lag, with one more on either side. */
  readonly #scores = new Float64Array(LONGEST + 2 + AT_ONCE)

  push(pcm: Int16Array, rateHz: number): void {
    const each = Math.max(1, Math.round(rateHz / RATE_HZ))
    const count = Math.min(KEPT, Math.floor(pcm.length / each))
    const samples = this.#samples
    if (this.#end + count > ROOM) {
      samples.copyWithin(0, this.#end - KEPT, this.#end)
      this.#end = KEPT
    }
    const end = this.#end + count
    let at = pcm.length - count * each
    for (let i = this.#end; i < end; i++) {
      let sum = 0
      for (let k = 0; k < each; k++) sum += pcm[at++] as number
      samples[i] = sum / each
    }
    this.#end = end
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
    const x = this.#samples
    const end = this.#end
    const from = end - SIZE
    let energy = 1
    let shifted = 1
    for (let i = from; i < end; i += 2) {
      energy += (x[i] as number) ** 2
      shifted += (x[i - SHORTEST + 1] as number) ** 2
    }
    for (let lag = SHORTEST - 1; lag <= LONGEST + 1; lag += AT_ONCE) this.#correlateAt(lag)
    let best = 0
    for (let lag = SHORTEST - 1; lag <= LONGEST + 1; lag++) {
      const score = (this.#scores[lag] as number) / Math.sqrt(energy * Math.max(1, shifted))
      this.#scores[lag] = score
      if (lag >= SHORTEST && lag <= LONGEST && score > best) best = score
      // Two lags on, the same samples but for the first and the last: the energy hardly changes in between.
      if (lag <= LONGEST) shifted += ((x[from - lag - 1] as number) ** 2 - (x[end - lag - 1] as number) ** 2) / 2
    }
    return best
  }

  /** The sums of products for this lag and the next three. */
  #correlateAt(lag: number): void {
    const x = this.#samples
    const end = this.#end
    let [a, b, c, d] = [0, 0, 0, 0]
    for (let i = end - SIZE; i < end; i += 2) {
      const sample = x[i] as number
      a += sample * (x[i - lag] as number)
      b += sample * (x[i - lag - 1] as number)
      c += sample * (x[i - lag - 2] as number)
      d += sample * (x[i - lag - 3] as number)
    }
    this.#scores[lag] = a
    this.#scores[lag + 1] = b
    this.#scores[lag + 2] = c
    this.#scores[lag + 3] = d
  }

  #likeness(lag: number): number {
    const x = this.#samples
    const end = this.#end
    let product = 0
    let energy = 1
    let shifted = 1
    for (let i = end - SIZE; i < end; i++) {
      const a = x[i] as number
      const b = x[i - lag] as number
      product += a * b
      energy += a * a
      shifted += b * b
    }
    return product / Math.sqrt(energy * shifted)
  }
}
