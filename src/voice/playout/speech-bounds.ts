// Start and end of speech by level: VAD works in coarse steps and reports late, and synthesized speech starts with silence.
import type { Span } from '../ports.ts'

const BLOCK_MS = 10
/** Audio 30 dB below the peak is not part of the speech … */
const BELOW_PEAK = 0.001
/** … nor is audio below 6 dB over the line noise, or below -54 dBFS. */
const ABOVE_NOISE = 4
const MIN_POWER = (32_768 * 0.002) ** 2
/** The noise level is this quantile of the blocks. */
const NOISE_QUANTILE = 0.1

/** The power of each 10 ms of audio. */
export class LevelMeter {
  readonly #levels: number[] = []
  readonly #lineRateHz: number
  /** Samples not yet part of a block. */
  #rest = new Int16Array(0)
  #sum = 0
  #count = 0

  /** Measures at the line's sample rate: a narrowband line carries no sibilants. */
  constructor(lineRateHz = Number.POSITIVE_INFINITY) {
    this.#lineRateHz = lineRateHz
  }

  push(pcm: Int16Array, rateHz: number): void {
    const each = Math.max(1, Math.floor(rateHz / this.#lineRateHz))
    const blockSize = Math.max(1, Math.round((rateHz * BLOCK_MS) / 1000 / each))
    if (each === 1) this.#addAll(pcm, blockSize)
    else this.#addFiltered(pcm, blockSize, each)
  }

  #addAll(pcm: Int16Array, blockSize: number): void {
    for (let at = 0; at < pcm.length; ) {
      const end = Math.min(pcm.length, at + blockSize - this.#count)
      this.#count += end - at
      let sum = 0
      for (; at < end; at++) sum += (pcm[at] as number) * (pcm[at] as number)
      this.#sum += sum
      this.#closeBlock(blockSize)
    }
  }

  /** Decimates with a triangular low-pass filter. */
  #addFiltered(pcm: Int16Array, blockSize: number, each: number): void {
    const width = 2 * each - 1
    const all = new Int16Array(this.#rest.length + pcm.length)
    all.set(this.#rest)
    all.set(pcm, this.#rest.length)
    let at = 0
    for (; at + width <= all.length; at += each) {
      const mean = each === 2 ? meanOfThree(all, at) : triangularMean(all, at, each)
      this.#sum += mean * mean
      this.#count++
      this.#closeBlock(blockSize)
    }
    this.#rest = all.slice(at)
  }

  #closeBlock(blockSize: number): void {
    if (this.#count < blockSize) return
    this.#levels.push(this.#sum / this.#count)
    this.#sum = 0
    this.#count = 0
  }

  get levels(): readonly number[] {
    return this.#levels
  }

  /** From the first to the last sound within the first `untilMs`; undefined for silence. `gainAt`: the playout gain. */
  boundsUntil(untilMs: number, gainAt: (ms: number) => number = () => 1): Span | undefined {
    const synthesized = this.#levels.slice(0, Math.ceil(untilMs / BLOCK_MS))
    const played = synthesized.map((level, i) => level * gainAt(i * BLOCK_MS) ** 2)
    return loudPart(played, untilMs, 0)
  }
}

/** The usual case, from 16 or 22 kHz to 8 kHz. */
const meanOfThree = (pcm: Int16Array, at: number): number =>
  ((pcm[at] as number) + 2 * (pcm[at + 1] as number) + (pcm[at + 2] as number)) / 4

function triangularMean(pcm: Int16Array, at: number, each: number): number {
  let sum = 0
  for (let i = 0; i < 2 * each - 1; i++) sum += (pcm[at + i] as number) * (each - Math.abs(i - each + 1))
  return sum / (each * each)
}

/** As `LevelMeter.boundsUntil`, for audio from a line, which may have noise. */
export function speechBounds(pcm: Int16Array, rateHz: number): Span | undefined {
  const meter = new LevelMeter()
  meter.push(pcm, rateHz)
  const { levels } = meter
  const noise = Float64Array.from(levels).sort()[Math.floor(levels.length * NOISE_QUANTILE)] ?? 0
  return loudPart(levels, (pcm.length / rateHz) * 1000, noise)
}

function loudPart(levels: readonly number[], untilMs: number, noise: number): Span | undefined {
  const loudest = levels.reduce((most, level) => Math.max(most, level), 0)
  // In audio without a pause, the quietest blocks are speech, not noise.
  const limit = Math.max(MIN_POWER, loudest * BELOW_PEAK, Math.min(noise * ABOVE_NOISE, loudest / ABOVE_NOISE))
  const first = levels.findIndex((level) => level >= limit)
  if (first < 0) return undefined
  const toMs = (levels.findLastIndex((level) => level >= limit) + 1) * BLOCK_MS
  return { fromMs: first * BLOCK_MS, toMs: Math.min(untilMs, toMs) }
}
