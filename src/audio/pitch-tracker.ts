// Pitch of a voice by normalised autocorrelation, at 4 kHz: exact to a few Hz, and cheap enough for every frame of every call.

const RATE_HZ = 4000
/** 400 down to 60 Hz. */
const SHORTEST = 10
const LONGEST = 66
/** 30 ms are compared: two periods of a low voice. */
const SIZE = 120
const KEPT = SIZE + LONGEST + 4
/** Lags that are compared at a time: independent sums do not wait for each other. */
const AT_ONCE = 4
/** Of what is kept: so much more has room before it is moved to the front. */
const ROOM = 8
/** A voice repeats itself at least so well. Noise reaches 0.3. */
const VOICED = 0.5
/** The first peak that is nearly the best is the period; later ones are its multiples. */
const NEARLY = 0.85

export class PitchTracker {
  /** Samples as they came, the newest before `#end`: most are never asked about, and are not brought to 4 kHz. */
  #heard = new Int16Array(0)
  #end = 0
  #each = 0
  /** The latest samples at 4 kHz, the newest last. */
  readonly #kept = new Float64Array(KEPT)
  /** Likeness for each lag, with some more on either side. */
  readonly #scores = new Float64Array(LONGEST + 2 + AT_ONCE)

  push(pcm: Int16Array, rateHz: number): void {
    const each = Math.max(1, Math.round(rateHz / RATE_HZ))
    const kept = KEPT * each
    if (each !== this.#each) {
      this.#each = each
      this.#heard = new Int16Array(ROOM * kept)
      this.#end = kept
    }
    const part = pcm.length > kept ? pcm.subarray(-kept) : pcm
    if (this.#end + part.length > this.#heard.length) {
      this.#heard.copyWithin(0, this.#end - kept, this.#end)
      this.#end = kept
    }
    this.#heard.set(part, this.#end)
    this.#end += part.length
  }

  /** Of the last 30 ms; 0 when they are unvoiced. */
  pitchHz(): number {
    this.#decimate()
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

  #decimate(): void {
    const [kept, heard, each] = [this.#kept, this.#heard, this.#each]
    let at = this.#end - KEPT * each
    for (let i = 0; i < KEPT; i++) {
      let sum = 0
      for (let k = 0; k < each; k++) sum += heard[at++] as number
      kept[i] = sum / each
    }
  }

  /** Fills the scores, from every second sample; the best of those that may be a pitch. */
  #correlate(): number {
    const x = this.#kept
    const end = KEPT
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
    const x = this.#kept
    const end = KEPT
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
    const x = this.#kept
    const end = KEPT
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
