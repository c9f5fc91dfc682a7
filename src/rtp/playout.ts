// Playout buffer: decoded samples in, frames out, time-stretched by one pitch period at a time.
import { newFrame } from '../audio/pcm.ts'
import { findPeriod, longestPeriod, shortestPeriod } from '../audio/pitch-period.ts'

/** An RTP packet has at most 200 ms, and one is decoded ahead. */
const CAPACITY_MS = 500
const BLEND_MS = 5
/** A period at least this alike can be dropped or repeated inaudibly; below the quiet level any can. */
const ALIKE = 0.7
const QUIET = 100

export class Playout {
  readonly #rateHz: number
  readonly #samples: Int16Array
  /** Taking only moves this; the rest moves to the front when room is needed. */
  #start = 0
  #end = 0

  constructor(rateHz: number) {
    this.#rateHz = rateHz
    this.#samples = new Int16Array((CAPACITY_MS * rateHz) / 1000)
  }

  get length(): number {
    return this.#end - this.#start
  }

  /** Samples that do not fit are dropped. */
  append(pcm: Int16Array): void {
    const out = this.extend(pcm.length)
    out.set(out.length < pcm.length ? pcm.subarray(0, out.length) : pcm)
  }

  /** Appends `count` samples and returns a view of them, to be filled by the caller at once. */
  extend(count: number): Int16Array {
    if (this.#end + count > this.#samples.length) this.#moveToFront()
    const from = this.#end
    this.#end = Math.min(this.#samples.length, from + count)
    return this.#samples.subarray(from, this.#end)
  }

  /** Takes up to `count` samples. */
  take(count: number): Int16Array {
    const from = this.#start
    this.#start = Math.min(this.#end, from + count)
    const out = newFrame(this.#start - from)
    out.set(this.#samples.subarray(from, this.#start))
    if (this.#start === this.#end) {
      this.#start = 0
      this.#end = 0
    }
    return out
  }

  /** How many samples `shorten` needs to leave a frame. */
  shortenNeeds(frame: number): number {
    return frame + longestPeriod(this.#rateHz) + this.#blend
  }

  /** Drops one period at the front and returns its length; 0 when that would be audible, unless forced. */
  shorten(isForced: boolean): number {
    const blend = this.#blend
    const longest = Math.min(longestPeriod(this.#rateHz), this.length - blend)
    const period = this.#periodWithin(longest, isForced)
    if (period === 0) return 0
    const pcm = this.#samples
    const from = this.#start
    const to = from + period
    for (let i = 0; i < blend; i++) {
      const part = (i + 1) / (blend + 1)
      pcm[to + i] = Math.round((pcm[from + i] as number) * (1 - part) + (pcm[to + i] as number) * part)
    }
    this.#start = to
    return period
  }

  /** Repeats one period at the front. */
  lengthen(isForced: boolean): number {
    this.#moveToFront()
    const blend = this.#blend
    const room = this.#samples.length - this.#end
    const longest = Math.min(longestPeriod(this.#rateHz), this.#end - blend, room)
    const period = this.#periodWithin(longest, isForced)
    if (period === 0) return 0
    const pcm = this.#samples
    // x[0 .. period + blend) is followed by x[blend ..) after a blend from x[period + i] to x[i].
    const head = pcm.slice(0, period + blend)
    for (let i = 0; i < blend; i++) {
      const part = (i + 1) / (blend + 1)
      head[period + i] = Math.round((head[period + i] as number) * (1 - part) + (pcm[i] as number) * part)
    }
    pcm.copyWithin(period + blend, blend, this.#end)
    pcm.set(head)
    this.#end += period
    return period
  }

  get #blend(): number {
    return (BLEND_MS * this.#rateHz) / 1000
  }

  #periodWithin(longest: number, isForced: boolean): number {
    if (longest < shortestPeriod(this.#rateHz)) return 0
    const { samples, likeness } = findPeriod(this.#samples, this.#start, this.#blend, 1, this.#rateHz, longest)
    if (likeness >= ALIKE || isForced) return samples
    return this.#isQuiet(samples + this.#blend) ? samples : 0
  }

  #isQuiet(count: number): boolean {
    for (let i = this.#start; i < this.#start + count; i++)
      if (Math.abs(this.#samples[i] as number) > QUIET) return false
    return true
  }

  #moveToFront(): void {
    this.#samples.copyWithin(0, this.#start, this.#end)
    this.#end -= this.#start
    this.#start = 0
  }
}
