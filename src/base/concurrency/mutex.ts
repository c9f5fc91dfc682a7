// A fair mutex.

export class Mutex {
  #held = false
  readonly #waiting: (() => void)[] = []

  get held(): boolean {
    return this.#held
  }

  lock(): Promise<void> {
    if (!this.#held) {
      this.#held = true
      return Promise.resolve()
    }
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  unlock(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#held = false
  }
}
