// Runs on the audio thread: resamples the microphone to 16 kHz, and plays 24 kHz audio through a jitter buffer.
import { createResampler } from '../../src/audio/resample.ts'

// Audio worklet globals missing from TypeScript's DOM types.
declare const sampleRate: number
declare class AudioWorkletProcessor {
  readonly port: MessagePort
}
declare function registerProcessor(name: string, type: new () => AudioWorkletProcessor): void

const UP_HZ = 16_000
const DOWN_HZ = 24_000
const FRAME_SAMPLES = (UP_HZ * 20) / 1000
const LEVEL_EVERY = Math.round(sampleRate * 0.05)
/** Jitter buffer: audio queued before playback starts. Grows after an underrun, then shrinks again. */
const LEAD_MS = 80
const LEAD_GROW_MS = 40
const LEAD_SHRINK_MS = 10
const MAX_LEAD_MS = 240
/** Audio that resumes this soon after an underrun was a gap, not the end of a sentence. */
const GAP_MS = 120
/** Audio shorter than the lead starts playing after this wait. */
const MAX_WAIT_MS = 150
/** Queue limit: the oldest audio beyond it is dropped. */
const MAX_QUEUED_MS = 5000

const toInt16 = (floats: Float32Array): Int16Array =>
  Int16Array.from(floats, (value) => Math.max(-32_768, Math.min(32_767, Math.round(value * 32_768))))

/** RMS level since the last read, relative to full scale. */
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
  #pending: number[] = []
  #isMuted = false

  constructor() {
    super()
    this.port.onmessage = ({ data }) => {
      this.#isMuted = data.isMuted
    }
  }

  process([input]: Float32Array[][]): boolean {
    const channel = input?.[0]
    if (!channel) return true
    const samples = this.#isMuted ? new Float32Array(channel.length) : channel
    if (this.#meter.add(samples)) this.port.postMessage({ level: this.#meter.read() })
    this.#pending.push(...this.#resampler.push(toInt16(samples)))
    while (this.#pending.length >= FRAME_SAMPLES) {
      const pcm = Int16Array.from(this.#pending.splice(0, FRAME_SAMPLES)).buffer
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
  /** Samples since the underrun; null if there was none. */
  #underrun: number | null = null

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
    if (this.#underrun !== null) this.#underrun += out.length
    if (!this.#isPlaying) this.#begin(out.length)
    if (this.#isPlaying) this.#fill(out)
    for (const channel of others) channel.set(out)
    if (this.#meter.add(out)) this.port.postMessage({ level: this.#meter.read(), queued: this.#queued })
    return true
  }

  #add(pcm: Int16Array): void {
    if (this.#underrun !== null) {
      const wasGap = toMs(this.#underrun) < GAP_MS
      this.#leadMs += wasGap ? LEAD_GROW_MS : -LEAD_SHRINK_MS
      this.#leadMs = Math.max(LEAD_MS, Math.min(MAX_LEAD_MS, this.#leadMs))
      this.#underrun = null
    }
    this.#queue.push(pcm)
    this.#queued += pcm.length
    while (toMs(this.#queued) > MAX_QUEUED_MS) this.#queued -= this.#queue.shift()?.length ?? 0
  }

  #clear(): void {
    this.#resampler = createResampler(DOWN_HZ, sampleRate)
    this.#queue = []
    this.#queued = 0
    this.#isPlaying = false
    this.#underrun = null
  }

  #begin(samples: number): void {
    this.#waited = this.#queued > 0 ? this.#waited + samples : 0
    this.#isPlaying = toMs(this.#queued) >= this.#leadMs || toMs(this.#waited) >= MAX_WAIT_MS
    if (this.#isPlaying) this.#waited = 0
  }

  #fill(out: Float32Array): void {
    let at = 0
    while (at < out.length) {
      const first = this.#queue[0]
      if (!first) {
        this.#isPlaying = false
        this.#underrun = 0
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
