// Pitch of a voice by normalized autocorrelation, at 4 kHz: exact to a few Hz, and cheap enough for every frame of every call.
import { type Autocorrelation, type AutocorrelationShape, createAutocorrelation } from './autocorrelation-simd.ts'

const RATE_HZ = 4000
/** 400 down to 60 Hz. */
const MIN_LAG = 10
const MAX_LAG = 66
/** 30 ms are compared: two periods of a low voice. */
const SIZE = 120
const KEPT = SIZE + MAX_LAG + 4
/** The lags on either side of a peak are looked at too. */
const FARTHEST = MAX_LAG + 1
/** From the longest down; a few more than needed, since the kernel computes 32 at a time. */
const LAGS = 64
/** Samples that fit behind those that are kept, before these are moved to the front. */
const ROOM = 8
/** The least correlation of a voice. Noise reaches 0.3. */
const VOICED = 0.5
/** The first peak that is nearly the best is the period; later ones are its multiples. */
const NEARLY = 0.85
/** Scores of 32-bit sums that bend less have no peak: a hum far below any voice. */
const FLAT = 1e-4

const SHAPE = { samples: KEPT, size: SIZE, longest: FARTHEST, lags: LAGS }
let shared: Autocorrelation | undefined

/** Stateless between runs: one serves all trackers of a thread. */
function correlation(): Autocorrelation {
  shared ??= createAutocorrelation(SHAPE) ?? plainAutocorrelation(SHAPE)
  return shared
}

export function plainAutocorrelation({ samples: count, size, longest, lags }: AutocorrelationShape): Autocorrelation {
  const samples = new Float32Array(count)
  const sums = new Float32Array(lags)
  return {
    samples,
    sums,
    run() {
      for (let n = 0; n < lags; n++) {
        let sum = 0
        for (let i = count - size; i < count; i += 2)
          sum += (samples[i] as number) * (samples[i - longest + n] as number)
        sums[n] = sum
      }
    },
  }
}

export class PitchTracker {
  /** Samples as received, the newest before `#end`; resampled to 4 kHz only when needed, which is rarely. */
  #heard = new Int16Array(0)
  #end = 0
  #each = 0
  readonly #correlation = correlation()
  /** The latest samples at 4 kHz, the newest last. */
  readonly #kept = this.#correlation.samples
  /** Correlation for each lag. */
  readonly #scores = new Float64Array(FARTHEST + 1)

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
    for (let lag = MIN_LAG; lag <= MAX_LAG; lag++) {
      const score = scores[lag] as number
      const [left, right] = [scores[lag - 1] as number, scores[lag + 1] as number]
      if (score < best * NEARLY || score <= left || score < right || 2 * score - left - right < FLAT) continue
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
      shifted += (x[i - MIN_LAG + 1] as number) ** 2
    }
    const { sums } = this.#correlation
    this.#correlation.run()
    let best = 0
    for (let lag = MIN_LAG - 1; lag <= FARTHEST; lag++) {
      const score = (sums[FARTHEST - lag] as number) / Math.sqrt(energy * Math.max(1, shifted))
      this.#scores[lag] = score
      if (lag >= MIN_LAG && lag <= MAX_LAG && score > best) best = score
      // Two lags later the window holds the same samples except at its ends: the energy in between hardly changes.
      if (lag <= MAX_LAG) shifted += ((x[from - lag - 1] as number) ** 2 - (x[end - lag - 1] as number) ** 2) / 2
    }
    return best
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
