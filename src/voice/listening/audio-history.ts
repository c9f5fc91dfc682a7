// The most recent audio in reused blocks: with hundreds of calls, keeping frames for a second each would burden the garbage collector.
import type { HeardAudio } from '../ports.ts'

export type Utterance = { pcm: Int16Array; rateHz: number; fromMs: number; toMs: number }

type Block = { pcm: Int16Array; count: number; rateHz: number; fromMs: number; recordedMs: number | null }

const BLOCK_MS = 100
/** Two seconds: the length of most utterances. */
const MAX_SPARE_BLOCKS = 20
/** Positions in the recording are rounded to milliseconds. */
const TOLERANCE_MS = 1

const lengthMs = ({ count, rateHz }: Block): number => (count * 1000) / rateHz
const toMs = (block: Block): number => block.fromMs + lengthMs(block)

export class AudioHistory {
  readonly #blocks: Block[] = []
  /** Dropped blocks, for reuse. */
  readonly #spare: Int16Array[] = []
  #nowMs = 0

  /** Media time: audio received so far. */
  get nowMs(): number {
    return this.#nowMs
  }

  /** Start of what is kept. */
  get fromMs(): number {
    return this.#blocks[0]?.fromMs ?? this.#nowMs
  }

  /** Of the latest audio. */
  get rateHz(): number | undefined {
    return this.#blocks.at(-1)?.rateHz
  }

  /** Copies the samples. */
  add(pcm: Int16Array, rateHz: number, recordedMs: number | null): void {
    for (let at = 0; at < pcm.length; ) {
      const passedMs = (at * 1000) / rateHz
      const block = this.#blockFor(rateHz, this.#nowMs + passedMs, recordedMs === null ? null : recordedMs + passedMs)
      const room = block.pcm.length - block.count
      const part = at === 0 && pcm.length <= room ? pcm : pcm.subarray(at, at + room)
      block.pcm.set(part, block.count)
      block.count += part.length
      at += part.length
    }
    this.#nowMs += (pcm.length * 1000) / rateHz
  }

  #blockFor(rateHz: number, fromMs: number, recordedMs: number | null): Block {
    const last = this.#blocks.at(-1)
    if (last && last.count < last.pcm.length && last.rateHz === rateHz && continues(last, recordedMs)) return last
    const size = Math.ceil((rateHz * BLOCK_MS) / 1000)
    const spare = this.#spare.pop()
    const pcm = spare?.length === size ? spare : new Int16Array(size)
    const block: Block = { pcm, count: 0, rateHz, fromMs, recordedMs }
    this.#blocks.push(block)
    return block
  }

  /** Drops blocks that end by then. */
  drop(untilMs: number): void {
    for (let first = this.#blocks[0]; first && toMs(first) <= untilMs; first = this.#blocks[0]) {
      if (this.#spare.length < MAX_SPARE_BLOCKS) this.#spare.push(first.pcm)
      this.#blocks.shift()
    }
  }

  /** Drops all audio; the next starts at `atMs`. */
  restart(atMs: number): void {
    this.drop(Number.POSITIVE_INFINITY)
    this.#nowMs = atMs
  }

  /** The runs of audio between the two, in order: views with one sample rate each and no gap in the recording. */
  each(fromMs: number, untilMs: number, take: (run: HeardAudio) => void): void {
    for (const block of this.#blocks) {
      if (toMs(block) <= fromMs || block.fromMs >= untilMs) continue
      const { rateHz } = block
      const from = Math.max(0, Math.round(((fromMs - block.fromMs) * rateHz) / 1000))
      const to = Math.min(block.count, Math.round(((untilMs - block.fromMs) * rateHz) / 1000))
      const afterMs = (from * 1000) / rateHz
      const recordedMs = block.recordedMs === null ? null : block.recordedMs + afterMs
      take({ pcm: block.pcm.subarray(from, to), rateHz, fromMs: block.fromMs + afterMs, recordedMs })
    }
  }

  slice(fromMs: number, untilMs: number): Utterance | undefined {
    const overlapping = this.#blocks.filter((block) => toMs(block) > fromMs && block.fromMs < untilMs)
    const rateHz = overlapping.at(-1)?.rateHz
    if (rateHz === undefined) return undefined
    // STT takes one sample rate: after a change, audio at the old rate is left out.
    const sameRate = overlapping.slice(overlapping.findLastIndex((block) => block.rateHz !== rateHz) + 1)
    const parts = sameRate.map((block) => {
      const at = (ms: number) => Math.round(((ms - block.fromMs) * rateHz) / 1000)
      return block.pcm.subarray(Math.max(0, at(fromMs)), Math.min(block.count, at(untilMs)))
    })
    return { pcm: concat(parts), rateHz, fromMs: Math.max(fromMs, sameRate[0]?.fromMs ?? fromMs), toMs: untilMs }
  }

  /** Position in the recording; null if there is none, or the audio is no longer kept. */
  recordedAt(ms: number): number | null {
    const block = this.#blocks.find((one) => one.fromMs <= ms && ms <= toMs(one))
    return block === undefined || block.recordedMs === null ? null : block.recordedMs + ms - block.fromMs
  }
}

function continues(last: Block, recordedMs: number | null): boolean {
  if (last.recordedMs === null || recordedMs === null) return last.recordedMs === recordedMs
  return Math.abs(last.recordedMs + lengthMs(last) - recordedMs) < TOLERANCE_MS
}

function concat(parts: readonly Int16Array[]): Int16Array {
  const whole = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
