// Packet loss concealment: repeats the last pitch periods with fade-out, and cross-fades when audio returns.
import { findPeriod, longestPeriod } from './pitch-period.ts'

const HISTORY_MS = 60
/** Size of the buffer, in lengths of the history. */
const ROOM = 4
const TEMPLATE_MS = 10
/** Repeating a single period would buzz. */
const REPEATED_PERIODS = 3
/** Full level for 10 ms, then a linear fade: a voice cannot be predicted for longer. */
const FULL_MS = 10
const FADED_AFTER_MS = 80
/** When the sound is known to have ended. */
const QUICK_FADE_MS = 5
/** The cross-fade back is longer after a longer loss. */
const BLEND_MS = 4
const MAX_BLEND_MS = 10
const BLEND_PER_LOST = 0.2
/** Less periodic sound is noise, which is repeated in the longest pieces. */
const VOICED = 0.4

export class Concealer {
  readonly #rateHz: number
  /** The last HISTORY_MS that were played end at `#end`; they move to the front when the buffer is full. */
  readonly #history: Int16Array
  readonly #kept: number
  #end: number
  readonly #cycle: Float32Array
  #cycleLength = 0
  #at = 0
  #gain = 0
  #made = 0
  #step = 0
  #stepFade = 0
  #isActive = false
  #hasHeard = false

  constructor(rateHz: number) {
    this.#rateHz = rateHz
    this.#kept = this.#samples(HISTORY_MS)
    this.#end = this.#kept
    this.#history = new Int16Array(ROOM * this.#kept)
    this.#cycle = new Float32Array(REPEATED_PERIODS * longestPeriod(rateHz))
  }

  /** From a loss until audio returns. */
  get isActive(): boolean {
    return this.#isActive
  }

  /** Whether the concealment has not faded out yet. */
  get isAudible(): boolean {
    return this.#isActive && this.#gain > 0
  }

  /** Called with everything that is played, except for concealed audio. */
  hear(pcm: Int16Array): void {
    this.#remember(pcm)
    this.#isActive = false
    this.#hasHeard = true
  }

  /** Synthesizes the next samples. `hasEnded`: the peer is silent and nothing was lost, so they fade at once. */
  conceal(out: Int16Array, hasEnded = false): void {
    if (!this.#isActive) this.#begin()
    const full = this.#samples(FULL_MS)
    const slope = 1 / this.#samples(hasEnded ? QUICK_FADE_MS : FADED_AFTER_MS - FULL_MS)
    for (let i = 0; i < out.length; i++) {
      out[i] = this.#next()
      if (hasEnded || this.#made > full) this.#gain = Math.max(0, this.#gain - slope)
    }
    // The history includes it: another loss may follow soon and must not find a seam.
    this.#remember(out)
  }

  /** Cross-fades from the concealment into the returning audio, in place. */
  rejoin(pcm: Int16Array): void {
    if (!this.#isActive) this.#begin()
    const lostMs = (this.#made * 1000) / this.#rateHz
    const blend = Math.min(pcm.length, this.#samples(Math.min(MAX_BLEND_MS, BLEND_MS + lostMs * BLEND_PER_LOST)))
    for (let i = 0; i < blend; i++) {
      const part = (i + 1) / (blend + 1)
      pcm[i] = Math.round((pcm[i] as number) * part + this.#next() * (1 - part))
    }
    this.#isActive = false
  }

  #remember(pcm: Int16Array): void {
    const history = this.#history
    const kept = this.#kept
    if (pcm.length >= kept) {
      history.set(pcm.subarray(pcm.length - kept))
      this.#end = kept
      return
    }
    if (this.#end + pcm.length > history.length) {
      history.copyWithin(0, this.#end - kept, this.#end)
      this.#end = kept
    }
    history.set(pcm, this.#end)
    this.#end += pcm.length
  }

  #samples(ms: number): number {
    return Math.round((ms * this.#rateHz) / 1000)
  }

  #next(): number {
    this.#made++
    if (this.#gain === 0) return 0
    const step = this.#step
    this.#step = Math.abs(step) > Math.abs(this.#stepFade) ? step - this.#stepFade : 0
    const sample = ((this.#cycle[this.#at] as number) + step) * this.#gain
    this.#at = this.#at + 1 < this.#cycleLength ? this.#at + 1 : 0
    return sample > 32767 ? 32767 : sample < -32768 ? -32768 : Math.round(sample)
  }

  #begin(): void {
    const history = this.#history
    const end = this.#end
    this.#isActive = true
    this.#made = 0
    this.#gain = this.#hasHeard ? 1 : 0
    if (!this.#hasHeard) return
    const template = this.#samples(TEMPLATE_MS)
    const found = findPeriod(history, end - template, template, -1, this.#rateHz)
    const period = found.likeness >= VOICED ? found.samples : longestPeriod(this.#rateHz)
    const blend = period >> 2
    const periods = Math.max(1, Math.min(REPEATED_PERIODS, Math.floor((this.#kept - blend) / period)))
    const length = periods * period
    for (let i = 0; i < length; i++) this.#cycle[i] = history[end - length + i] as number
    // Cross-fade the end of the cycle into its start.
    for (let i = 0; i < blend; i++) {
      const part = (i + 1) / (blend + 1)
      const at = length - blend + i
      this.#cycle[at] = (this.#cycle[at] as number) * (1 - part) + (history[end - length - blend + i] as number) * part
    }
    this.#cycleLength = length
    this.#at = length - period
    // The step between the last played sample and the first repeated one is faded out over half a period.
    this.#step = (history[end - 1] as number) - (history[end - period - 1] as number)
    this.#stepFade = this.#step / (period >> 1)
  }
}
