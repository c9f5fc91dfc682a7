// Where a sound begins and ends, by its level: voice activity knows that in steps and a little late, and voices begin with silence.
import type { Span } from './ports.ts'

const BLOCK_MS = 10
/** What is so far below the loudest of a sound (30 dB) is not heard as part of it. */
const FAINT = 0.001
/** Nor is what is no louder than twice the noise of the line, or than this (54 dB below the loudest that can be). */
const ABOVE_NOISE = 4
const LEAST = (32_768 * 0.002) ** 2
/** Of the blocks, so many are quieter than what is taken for the noise. */
const QUIET_PART = 0.1

/** The power of each 10 ms of a sound that comes in pieces of any size. */
export class LevelMeter {
  readonly #levels: number[] = []
  readonly #lineHz: number
  /** Samples that are not part of a level yet. */
  #waiting = new Int16Array(0)
  #sum = 0
  #count = 0

  /** Heard over a line of this rate: the hiss of an s does not pass through a telephone. */
  constructor(lineHz = Number.POSITIVE_INFINITY) {
    this.#lineHz = lineHz
  }

  push(pcm: Int16Array, rateHz: number): void {
    const each = Math.max(1, Math.floor(rateHz / this.#lineHz))
    const blockSize = Math.max(1, Math.round((rateHz * BLOCK_MS) / 1000 / each))
    const width = 2 * each - 1
    const all = new Int16Array(this.#waiting.length + pcm.length)
    all.set(this.#waiting)
    all.set(pcm, this.#waiting.length)
    let at = 0
    for (; at + width <= all.length; at += each) {
      let mean = 0
      // Weights of a triangle: each of the sample and its neighbours.
      for (let i = 0; i < width; i++) mean += (all[at + i] as number) * (each - Math.abs(i - each + 1))
      mean /= each * each
      this.#sum += mean * mean
      if (++this.#count < blockSize) continue
      this.#levels.push(this.#sum / this.#count)
      this.#sum = 0
      this.#count = 0
    }
    this.#waiting = all.slice(at)
  }

  get levels(): readonly number[] {
    return this.#levels
  }

  /** From the first to the last sound within the first `untilMs`; undefined where there is none. `gainAt` is how loud it was heard. */
  soundUntil(untilMs: number, gainAt: (ms: number) => number = () => 1): Span | undefined {
    const made = this.#levels.slice(0, Math.ceil(untilMs / BLOCK_MS))
    const heard = made.map((level, i) => level * gainAt(i * BLOCK_MS) ** 2)
    return loudPart(heard, untilMs, 0)
  }
}

/** The same of a line, on which there may be noise. */
export function soundIn(pcm: Int16Array, rateHz: number): Span | undefined {
  const meter = new LevelMeter()
  meter.push(pcm, rateHz)
  const { levels } = meter
  const noise = levels.toSorted((a, b) => a - b)[Math.floor(levels.length * QUIET_PART)] ?? 0
  return loudPart(levels, (pcm.length / rateHz) * 1000, noise)
}

function loudPart(levels: readonly number[], untilMs: number, noise: number): Span | undefined {
  const loudest = levels.reduce((most, level) => Math.max(most, level), 0)
  // A sound without a pause has no noise to be told from.
  const limit = Math.max(LEAST, loudest * FAINT, Math.min(noise * ABOVE_NOISE, loudest / ABOVE_NOISE))
  const first = levels.findIndex((level) => level >= limit)
  if (first < 0) return undefined
  const toMs = (levels.findLastIndex((level) => level >= limit) + 1) * BLOCK_MS
  return { fromMs: first * BLOCK_MS, toMs: Math.min(untilMs, toMs) }
}
