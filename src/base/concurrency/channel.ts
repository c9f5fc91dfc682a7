// A bounded queue from a producer to one consumer: the consumer iterates, and the producer waits while it is full.

export class Channel<T> implements AsyncIterable<T> {
  readonly #items: T[] = []
  readonly #max: number
  #ended = false
  #error: unknown
  #wakeReader: (() => void) | undefined
  #wakeWriter: (() => void) | undefined

  constructor(max = 64) {
    this.#max = max
  }

  /** Resolves when there is room again; false if the consumer has stopped. */
  async push(item: T): Promise<boolean> {
    if (this.#ended) return false
    this.#items.push(item)
    this.#wakeReader?.()
    while (this.#items.length >= this.#max && !this.#ended) await new Promise<void>((wake) => (this.#wakeWriter = wake))
    return !this.#ended
  }

  /** Ends the queue; an error is thrown to the consumer after the queued values. */
  end(error?: unknown): void {
    if (this.#ended) return
    this.#ended = true
    this.#error = error
    this.#wakeReader?.()
    this.#wakeWriter?.()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    try {
      while (true) {
        while (this.#items.length > 0) {
          const item = this.#items.shift() as T
          this.#wakeWriter?.()
          yield item
        }
        if (this.#ended) break
        await new Promise<void>((wake) => (this.#wakeReader = wake))
      }
      if (this.#error !== undefined) throw this.#error
    } finally {
      this.end()
    }
  }
}
