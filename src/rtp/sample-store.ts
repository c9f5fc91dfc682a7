// A FIFO of samples in reused memory: with new buffers for every call and second, garbage collection pauses would be audible.

const FIRST_SIZE = 2048
/** Extra room: a second of audio is then moved to the front four times a second. */
const ROOM = 1.25

export class SampleStore {
  /** How many taken samples are kept for `rewind`. */
  keep = 0
  #data = new Int16Array(FIRST_SIZE)
  #start = 0
  #end = 0

  get length(): number {
    return this.#end - this.#start
  }

  add(pcm: Int16Array): void {
    if (this.#end + pcm.length > this.#data.length) this.#makeRoom(pcm.length)
    this.#data.set(pcm, this.#end)
    this.#end += pcm.length
  }

  /** A view, until the next `add`. */
  take(count: number): Int16Array {
    const taken = this.#data.subarray(this.#start, this.#start + Math.min(count, this.length))
    this.#start += taken.length
    return taken
  }

  /** The last taken samples, as far as they are kept: a view, until the next `add`. */
  taken(most: number): Int16Array {
    return this.#data.subarray(this.#start - Math.min(most, this.#start, this.keep), this.#start)
  }

  /** Gives the last `count` taken samples once more. */
  rewind(count: number): void {
    this.#start -= Math.min(count, this.#start, this.keep)
  }

  clear(): void {
    this.keep = 0
    this.#start = 0
    this.#end = 0
  }

  #makeRoom(more: number): void {
    const old = this.#data
    const kept = Math.min(this.#start, this.keep)
    const length = kept + this.length
    const size = Math.ceil((length + more) * ROOM)
    if (size > old.length) this.#data = new Int16Array(size)
    this.#data.set(old.subarray(this.#start - kept, this.#end))
    this.#start = kept
    this.#end = length
  }
}
