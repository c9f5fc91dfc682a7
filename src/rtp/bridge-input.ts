// Audio from the other leg of a bridge: one frame per tick at this leg's rate, with little buffering.
import { createResampler, type Resampler } from '../audio/resample.ts'
import { SampleStore } from './sample-store.ts'

/** Frames that may wait. More gather while digits are sent instead; playing them would only add delay. */
const MAX_FRAMES = 2

export class BridgeInput {
  readonly #source = new SampleStore()
  readonly #ready = new SampleStore()
  #resampler: Resampler | null = null
  #fromHz = 0
  #toHz = 0

  /** The samples are copied. */
  push(pcm: Int16Array, rateHz: number): void {
    if (rateHz !== this.#fromHz) {
      this.#source.clear()
      this.#begin(rateHz, this.#toHz)
    }
    this.#source.add(pcm)
  }

  /** Fills the frame; with silence, and false, when less than a frame is buffered. */
  read(frame: Int16Array, rateHz: number): boolean {
    if (rateHz !== this.#toHz) this.#begin(this.#fromHz, rateHz)
    if (this.#source.length > 0) {
      this.#resampler ??= createResampler(this.#fromHz, rateHz)
      this.#ready.add(this.#resampler.push(this.#source.take(this.#source.length)))
    }
    const tooMany = this.#ready.length - MAX_FRAMES * frame.length
    if (tooMany > 0) this.#ready.take(tooMany)
    if (this.#ready.length < frame.length) {
      frame.fill(0)
      return false
    }
    frame.set(this.#ready.take(frame.length))
    return true
  }

  /** One of the two codecs has changed: drops the few samples of the old one. */
  #begin(fromHz: number, toHz: number): void {
    this.#fromHz = fromHz
    this.#toHz = toHz
    this.#resampler = null
    this.#ready.clear()
  }
}
