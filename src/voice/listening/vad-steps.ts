// VAD steps on their way to the engine, in reused buffers without an object per step; and the messages to and from its thread.
import type { MessagePort } from 'node:worker_threads'
import type { Energy } from './steady-noise.ts'

export type VadRate = 8000 | 16000

/** Samples per step: 32 ms at either rate. */
export const stepSamples = (rateHz: VadRate): number => (rateHz === 8000 ? 256 : 512)

/**
 * Steps at one sample rate: `streams` holds the stream of each of the `count` steps (a stream may have several, in order), `pcm` their
 * samples, concatenated. Both buffers return with the probabilities.
 */
export type ToVad =
  | { do: 'steps'; rateHz: VadRate; count: number; streams: Uint32Array; pcm: Int16Array }
  | { do: 'forget'; stream: number }
  /** Connects another thread with its own streams. */
  | { do: 'connect'; port: MessagePort }
  | { do: 'close' }
export type FromVad =
  | { type: 'ready' }
  | { type: 'probabilities'; values: Float32Array; streams: Uint32Array; pcm: Int16Array }
  | { type: 'failed'; message: string }

const FIRST_STEPS = 32

export class StepQueue<T> {
  readonly #size: number
  #owners: (T | undefined)[] = []
  #contexts = new Uint8Array(FIRST_STEPS)
  #all = new Float64Array(FIRST_STEPS)
  #high = new Float64Array(FIRST_STEPS)
  /** Transferred with the steps, and back with their results. */
  streams: Uint32Array = new Uint32Array(FIRST_STEPS)
  pcm: Int16Array
  count = 0

  constructor(rateHz: VadRate) {
    this.#size = stepSamples(rateHz)
    this.pcm = new Int16Array(FIRST_STEPS * this.#size)
  }

  /** `energy` is null for a step that only serves as context for the next one. */
  add(owner: T, stream: number, pcm: Int16Array, energy: Energy | null): void {
    const place = this.count++
    // Buffers lost with the engine's thread are empty.
    if (this.count > this.streams.length || this.count > this.#all.length) this.#grow()
    this.#owners[place] = owner
    this.streams[place] = stream
    this.pcm.set(pcm, place * this.#size)
    this.#contexts[place] = energy ? 0 : 1
    this.#all[place] = energy?.all ?? 0
    this.#high[place] = energy?.high ?? 0
  }

  /** Each step with its energy, written to `energy`; null for a context. Empties the queue. */
  each(energy: Energy, take: (owner: T, place: number, energy: Energy | null) => void): void {
    const { count } = this
    this.count = 0
    for (let place = 0; place < count; place++) {
      const owner = this.#owners[place] as T
      this.#owners[place] = undefined
      energy.all = this.#all[place] as number
      energy.high = this.#high[place] as number
      take(owner, place, this.#contexts[place] === 1 ? null : energy)
    }
  }

  #grow(): void {
    const capacity = Math.max(FIRST_STEPS, 2 * this.count, this.#all.length)
    this.#contexts = copied(new Uint8Array(capacity), this.#contexts)
    this.#all = copied(new Float64Array(capacity), this.#all)
    this.#high = copied(new Float64Array(capacity), this.#high)
    this.streams = copied(new Uint32Array(capacity), this.streams)
    this.pcm = copied(new Int16Array(capacity * this.#size), this.pcm)
  }
}

/** `from` is shorter, or was transferred away. */
function copied<A extends { length: number; set(from: A): void }>(to: A, from: A): A {
  if (from.length > 0) to.set(from)
  return to
}
