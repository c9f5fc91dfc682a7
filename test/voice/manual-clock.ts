// Time that passes only when a test says so. Everything that was waiting for a moment runs before time goes on.
import type { Clock } from '../../src/voice/ports.ts'

type Sleeper = { at: number; order: number; wake: () => void }

export class ManualClock implements Clock {
  #now = 0
  #order = 0
  #sleepers: Sleeper[] = []

  now(): number {
    return this.#now
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const sleeper = { at: this.#now + ms, order: this.#order++, wake: resolve }
      this.#sleepers.push(sleeper)
      const stop = () => {
        this.#sleepers = this.#sleepers.filter((each) => each !== sleeper)
        resolve()
      }
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop, { once: true })
    })
  }

  async pass(ms: number): Promise<void> {
    const end = this.#now + ms
    for (;;) {
      await settled()
      const next = this.#sleepers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at || a.order - b.order)[0]
      if (!next) break
      this.#now = next.at
      this.#sleepers = this.#sleepers.filter((each) => each !== next)
      next.wake()
    }
    this.#now = end
    await settled()
  }
}

/** Every promise that can be resolved without time passing is. */
async function settled(): Promise<void> {
  for (let i = 0; i < 2; i++) await new Promise((resolve) => setImmediate(resolve))
}
