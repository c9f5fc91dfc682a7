// Bounded inboxes for slow readers: they drop the oldest items, and reading may pause and resume.
import type { AudioFrame, SoundFeatures } from '../voice/ports.ts'

export type Store<T> = {
  /** Undefined when empty. */
  take(): T | undefined
}

type Waiting<T> = { reader: symbol; give: (result: IteratorResult<T>) => void }

/** Turns a store into an AsyncIterable: call `wake` after each write to the store, and `end` after the last. */
export class Inbox<T> implements AsyncIterable<T> {
  readonly #store: Store<T>
  #waiting: Waiting<T>[] = []
  readonly #onReading: (isRead: boolean) => void
  #readers = 0
  #hasEnd = false

  /** `onReading`: whether there is a reader, from its first `next` until its `return`. */
  constructor(store: Store<T>, onReading: (isRead: boolean) => void = () => {}) {
    this.#store = store
    this.#onReading = onReading
  }

  /** Hands a value directly to a waiting reader; false when there is none. */
  hand(value: T): boolean {
    const waiting = this.#waiting.shift()
    waiting?.give({ value, done: false })
    return waiting !== undefined
  }

  wake(): void {
    while (this.#waiting.length > 0) {
      const value = this.#store.take()
      if (value === undefined) return
      this.#waiting.shift()?.give({ value, done: false })
    }
  }

  end(): void {
    if (this.#hasEnd) return
    this.wake()
    this.#hasEnd = true
    for (const { give } of this.#waiting.splice(0)) give({ value: undefined, done: true })
  }

  [Symbol.asyncIterator](): AsyncIterator<T> {
    let isOver = false
    let isReading = false
    const reader = Symbol()
    return {
      next: () => {
        if (!isReading && !isOver) {
          isReading = true
          if (++this.#readers === 1) this.#onReading(true)
        }
        const value = isOver ? undefined : this.#store.take()
        if (value !== undefined) return Promise.resolve({ value, done: false })
        if (isOver || this.#hasEnd) return Promise.resolve({ value: undefined, done: true })
        return new Promise((give) => this.#waiting.push({ reader, give }))
      },
      return: () => {
        if (isReading && !isOver && --this.#readers === 0) this.#onReading(false)
        isOver = true
        for (const one of this.#waiting) if (one.reader === reader) one.give({ value: undefined, done: true })
        this.#waiting = this.#waiting.filter((one) => one.reader !== reader)
        return Promise.resolve({ value: undefined, done: true })
      },
    }
  }
}

/** A queue of small items, such as digits. */
export class DroppingQueue<T> implements Store<T> {
  readonly #items: T[] = []
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  put(item: T): void {
    this.#items.push(item)
    if (this.#items.length > this.#max) this.#items.shift()
  }

  take(): T | undefined {
    return this.#items.shift()
  }
}

/** A frame without fields that have no value. */
export function frameOf(
  base: { pcm: Int16Array; rateHz: number; atMs: number },
  recordedMs: number | null,
  sound: SoundFeatures | null,
): AudioFrame {
  const frame: { -readonly [Key in keyof AudioFrame]: AudioFrame[Key] } = base
  if (recordedMs !== null) frame.recordedMs = recordedMs
  if (sound !== null) frame.sound = sound
  return frame
}

/** Frames of audio in one ring of samples: no object per frame while nobody reads. */
export class FrameRing implements Store<AudioFrame> {
  readonly #frames: number
  #ring = new Int16Array(0)
  readonly #times: Float64Array
  /** Where each frame starts in the recording; NaN without a recording. */
  readonly #places: Float64Array
  readonly #sounds: (SoundFeatures | null)[]
  #samples = 0
  #rateHz = 0
  #first = 0
  #count = 0

  constructor(frames: number) {
    this.#frames = frames
    this.#times = new Float64Array(frames)
    this.#places = new Float64Array(frames)
    this.#sounds = Array(frames).fill(null)
  }

  /** A change of rate or frame length drops the buffered frames. */
  put({ pcm, rateHz, atMs = 0, recordedMs = Number.NaN, sound }: AudioFrame): void {
    if (rateHz !== this.#rateHz || pcm.length !== this.#samples) {
      this.#rateHz = rateHz
      this.#samples = pcm.length
      this.#ring = new Int16Array(this.#frames * pcm.length)
      this.#first = 0
      this.#count = 0
    }
    if (this.#count === this.#frames) this.#first = (this.#first + 1) % this.#frames
    else this.#count++
    const place = (this.#first + this.#count - 1) % this.#frames
    this.#ring.set(pcm, place * this.#samples)
    this.#times[place] = atMs
    this.#places[place] = recordedMs
    this.#sounds[place] = sound ?? null
  }

  take(): AudioFrame | undefined {
    if (this.#count === 0) return undefined
    const at = this.#first * this.#samples
    const atMs = this.#times[this.#first] as number
    const recordedMs = this.#places[this.#first] as number
    const sound = this.#sounds[this.#first] ?? null
    this.#first = (this.#first + 1) % this.#frames
    this.#count--
    const frame = { pcm: this.#ring.slice(at, at + this.#samples), rateHz: this.#rateHz, atMs }
    return frameOf(frame, Number.isNaN(recordedMs) ? null : recordedMs, sound)
  }
}
