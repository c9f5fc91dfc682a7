// The recording of a leg inside the worker: peer left, ours right. Without a codec yet, it starts with the first one.
import { Recorder } from '../audio/recorder.ts'
import { TICK_MS } from './clock.ts'

/** Ticks that the clock skipped are recorded as silence, up to this many: beyond, the machine was asleep. */
const MAX_SILENT_TICKS = 500

export class LegRecording {
  readonly #onFailed: (problem: string) => void
  #recorder: Recorder | null = null
  #recordedMs = 0
  /** Resolves when all stopped recordings are complete. */
  #finished: Promise<unknown> = Promise.resolve()
  /** The path, while no codec is agreed on. */
  #waiting: string | null = null

  constructor(onFailed: (problem: string) => void) {
    this.#onFailed = onFailed
  }

  /** The length so far; null while nothing is recorded. */
  get lengthMs(): number | null {
    return this.#recorder ? this.#recordedMs : null
  }

  /** Resolves when the file is open; at once without a rate. */
  async start(path: string, rateHz: number | undefined): Promise<void> {
    if (rateHz === undefined) this.#waiting = path
    else await this.#open(path, rateHz)
  }

  /** A codec was agreed on. */
  startWaiting(rateHz: number): void {
    if (this.#waiting !== null) void this.#open(this.#waiting, rateHz)
  }

  /** Resolves when the file is complete. */
  async stop(): Promise<void> {
    const recorder = this.#recorder
    this.#recorder = null
    this.#waiting = null
    this.#finished = Promise.all([this.#finished, recorder?.finish()])
    await this.#finished
  }

  write(left: Int16Array, right: Int16Array, rateHz: number): void {
    this.#recorder?.write(left, right, rateHz)
    this.#recordedMs += TICK_MS
  }

  skip(ticks: number, rateHz: number): void {
    if (!this.#recorder) return
    const silence = new Int16Array((rateHz * TICK_MS) / 1000)
    for (let i = 0; i < Math.min(ticks, MAX_SILENT_TICKS); i++) this.write(silence, silence, rateHz)
  }

  #open(path: string, rateHz: number): Promise<void> {
    void this.stop()
    const recorder = new Recorder(path, rateHz, this.#onFailed)
    this.#recorder = recorder
    this.#recordedMs = 0
    return recorder.ready
  }
}
