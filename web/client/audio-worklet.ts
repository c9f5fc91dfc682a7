// Runs in the browser's audio thread: takes the microphone to 16 kHz, and plays what comes at 24 kHz, evenly, however it comes.
import { createResampler } from '../../src/audio/resample.ts'

// What TypeScript's DOM does not know of an audio worklet.
declare const sampleRate: number
declare class AudioWorkletProcessor {
  readonly port: MessagePort
}
declare function registerProcessor(name: string, type: new () => AudioWorkletProcessor): void

const UP_HZ = 16_000
const DOWN_HZ = 24_000
const SENT_SAMPLES = (UP_HZ * 20) / 1000
const LEVEL_EVERY = Math.round(sampleRate * 0.05)
/** So much is gathered before a sentence is begun: more after it was not enough, then less again. */
const LEAD_MS = 80
const MORE_LEAD_MS = 40
const LESS_LEAD_MS = 10
const LONGEST_LEAD_MS = 240
/** Where it goes on so soon after it ran dry, that was no end but a gap. */
const GAP_MS = 120
/** A word that is shorter than that begins after so long all the same. */
const PATIENCE_MS = 150
/** What is queued beyond is old. */
const MOST_QUEUED_MS = 5000

const toInt16 = (floats: Float32Array): Int16Array =>
  Int16Array.from(floats, (value) => Math.max(-32_768, Math.min(32_767, Math.round(value * 32_768))))

/** How loud it was since it was asked last: RMS of full scale. */
function meter() {
  let sum = 0
  let count = 0
  return {
    add(samples: Float32Array): boolean {
      for (const sample of samples) sum += sample * sample
      count += samples.length
      return count >= LEVEL_EVERY
    },
    read(): number {
      const level = count === 0 ? 0 : Math.sqrt(sum / count)
      sum = 0
      count = 0
      return level
    },
  }
}

class Microphone extends AudioWorkletProcessor {
  readonly #resampler = createResampler(sampleRate, UP_HZ)
  readonly #meter = meter()
  #gathered: number[] = []
  #isMuted = false

  constructor() {
    super()
    this.port.onmessage = ({ data }) => {
      this.#isMuted = data.isMuted
    }
  }

  process([input]: Float32Array[][]): boolean {
    const sound = input?.[0]
    if (!sound) return true
    const heard = this.#isMuted ? new Float32Array(sound.length) : sound
    if (this.#meter.add(heard)) this.port.postMessage({ level: this.#meter.read() })
    this.#gathered.push(...this.#resampler.push(toInt16(heard)))
    while (this.#gathered.length >= SENT_SAMPLES) {
      const pcm = Int16Array.from(this.#gathered.splice(0, SENT_SAMPLES)).buffer
      this.port.postMessage({ pcm }, [pcm])
    }
    return true
  }
}

class Speaker extends AudioWorkletProcessor {
  readonly #meter = meter()
  #resampler = createResampler(DOWN_HZ, sampleRate)
  #queue: Int16Array[] = []
  #queued = 0
  #isPlaying = false
  #leadMs = LEAD_MS
  #waited = 0
  /** Since it ran dry; null while nobody knows whether that was the end. */
  #dry: number | null = null

  constructor() {
    super()
    this.port.onmessage = ({ data }) => {
      if (data === 'clear') this.#clear()
      else this.#add(this.#resampler.push(new Int16Array(data)))
    }
  }

  process(_inputs: Float32Array[][], [output]: Float32Array[][]): boolean {
    const [out, ...others] = output ?? []
    if (!out) return true
    if (this.#dry !== null) this.#dry += out.length
    if (!this.#isPlaying) this.#begin(out.length)
    if (this.#isPlaying) this.#fill(out)
    for (const channel of others) channel.set(out)
    if (this.#meter.add(out)) this.port.postMessage({ level: this.#meter.read(), queued: this.#queued })
    return true
  }

  #add(pcm: Int16Array): void {
    if (this.#dry !== null) {
      const wasGap = toMs(this.#dry) < GAP_MS
      this.#leadMs += wasGap ? MORE_LEAD_MS : -LESS_LEAD_MS
      this.#leadMs = Math.max(LEAD_MS, Math.min(LONGEST_LEAD_MS, this.#leadMs))
      this.#dry = null
    }
    this.#queue.push(pcm)
    this.#queued += pcm.length
    while (toMs(this.#queued) > MOST_QUEUED_MS) this.#queued -= this.#queue.shift()?.length ?? 0
  }

  #clear(): void {
    this.#resampler = createResampler(DOWN_HZ, sampleRate)
    this.#queue = []
    this.#queued = 0
    this.#isPlaying = false
    this.#dry = null
  }

  #begin(samples: number): void {
    this.#waited = this.#queued > 0 ? this.#waited + samples : 0
    this.#isPlaying = toMs(this.#queued) >= this.#leadMs || toMs(this.#waited) >= PATIENCE_MS
    if (this.#isPlaying) this.#waited = 0
  }

  #fill(out: Float32Array): void {
    let at = 0
    while (at < out.length) {
      const first = this.#queue[0]
      if (!first) {
        this.#isPlaying = false
        this.#dry = 0
        return
      }
      const count = Math.min(first.length, out.length - at)
      for (let i = 0; i < count; i++) out[at + i] = (first[i] as number) / 32_768
      at += count
      this.#queued -= count
      if (count === first.length) this.#queue.shift()
      else this.#queue[0] = first.subarray(count)
    }
  }
}

const toMs = (samples: number): number => (samples * 1000) / sampleRate

registerProcessor('ramal-microphone', Microphone)
registerProcessor('ramal-speaker', Speaker)
