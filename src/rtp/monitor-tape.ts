// Audio of one side of a monitored call: a tape that is read by time, and its conversion to the listeners' rate.
import { createResampler, type Resampler } from '../audio/resample.ts'
import type { AudioFrame } from '../voice/ports.ts'

export const LISTEN_HZ = 16_000
export const FRAME_MS = 20
export const FRAME_SAMPLES = (LISTEN_HZ * FRAME_MS) / 1000

type Sound = Pick<AudioFrame, 'pcm' | 'rateHz'>

/** Frames in order, read by time; they are copied only when they are read. */
export class Tape {
  #frames: Sound[] = []
  #at = 0

  get ms(): number {
    return this.#frames.reduce((sum, { pcm, rateHz }) => sum + (pcm.length / rateHz) * 1000, 0) - this.#goneMs
  }
  get #goneMs(): number {
    return (this.#at / (this.#frames[0]?.rateHz ?? 1)) * 1000
  }

  push({ pcm, rateHz }: Sound): void {
    if (pcm.length > 0) this.#frames.push({ pcm, rateHz })
  }
  clear(): void {
    this.#frames = []
    this.#at = 0
  }

  /** Moves on by at most `ms` and returns by how much. The sound goes to `into`, up to the first frame of another rate. */
  read(ms: number, into?: { pcm: Int16Array; from: number; rateHz: number }): number {
    let leftMs = ms
    for (let frame = this.#frames[0]; frame; frame = this.#frames[0]) {
      const { pcm, rateHz } = frame
      if (into && into.rateHz !== rateHz) break
      const room = into ? into.pcm.length - into.from : Number.POSITIVE_INFINITY
      const wanted = Math.min(room, Math.round((leftMs * rateHz) / 1000))
      const count = Math.min(wanted, pcm.length - this.#at)
      if (count <= 0) break
      if (into) {
        into.pcm.set(pcm.subarray(this.#at, this.#at + count), into.from)
        into.from += count
      }
      this.#at += count
      leftMs -= (count / rateHz) * 1000
      if (this.#at < pcm.length) break
      this.#frames.shift()
      this.#at = 0
    }
    return ms - leftMs
  }

  get rateHz(): number | undefined {
    return this.#frames[0]?.rateHz
  }
}

/** Reads frames of 20 ms at the listeners' rate, whatever the rate of the tape. */
export class FrameReader {
  #rateHz = LISTEN_HZ
  #resampler: Resampler = createResampler(LISTEN_HZ, LISTEN_HZ)
  #ready = new Int16Array(0)

  next(tape: Tape | undefined): Int16Array {
    const rateHz = tape?.rateHz ?? this.#rateHz
    if (rateHz !== this.#rateHz) {
      this.#rateHz = rateHz
      this.#resampler = createResampler(rateHz, LISTEN_HZ)
      this.#ready = new Int16Array(0)
    }
    const pcm = new Int16Array(Math.round((rateHz * FRAME_MS) / 1000))
    tape?.read(FRAME_MS, { pcm, from: 0, rateHz })
    const made = this.#resampler.push(pcm)
    const all = new Int16Array(Math.max(FRAME_SAMPLES, this.#ready.length + made.length))
    // The delay of the filter is silence before the sound, not a gap in it.
    all.set(this.#ready, all.length - made.length - this.#ready.length)
    all.set(made, all.length - made.length)
    this.#ready = all.slice(FRAME_SAMPLES).slice(-FRAME_SAMPLES)
    return all.subarray(0, FRAME_SAMPLES)
  }
}
