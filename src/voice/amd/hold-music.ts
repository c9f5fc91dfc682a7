// Music on hold: sound without pauses and without speech, whose energy is in few frequencies that change from note to note.
import { WINDOW_MS } from './tone-analysis.ts'

/** The spectrum is measured over two windows, every 160 ms, at 4 kHz. */
const EVERY_WINDOWS = 8
const RATE_HZ = 4000
/** A voice and most music have these; hum has not. */
const FROM_HZ = 200
const TO_HZ = 1800
const STEP_HZ = 50
/** Measurements of the last 3 s, and how many of them must be tonal and how often the strongest frequency must change. */
const KEPT = 18
const MIN_TONAL = 14
const MIN_CHANGES = 4
/** -46 dBFS. Pauses of speech are quieter. */
const MIN_LEVEL = 164
/** Geometric over arithmetic mean of the spectrum: about 0.5 for noise, less for tones. */
const MAX_FLATNESS = 0.15
/** Reported again after this many measurements while it goes on. */
const AGAIN = 6

/** Takes windows of 20 ms; returns whether music was found, once a second while it plays. */
export function holdMusic(rateHz: number): (samples: Int16Array, isOther: boolean) => boolean {
  const size = Math.round((rateHz * WINDOW_MS) / 1000)
  const each = Math.max(1, Math.round(rateHz / RATE_HZ))
  const half = Math.floor(size / each)
  const both = new Float64Array(2 * half)
  const waves = hannWaves(rateHz / each, 2 * half)
  /** The strongest frequency of each measurement, newest last; 0 if it was not tonal. */
  let peaks: number[] = []
  let windows = 0
  let sinceFound = AGAIN

  return (samples, isOther) => {
    windows++
    // Any pause, speech or network tone starts it over.
    if (isOther || levelOf(samples) < MIN_LEVEL) {
      peaks = []
      sinceFound = AGAIN
      return false
    }
    const place = windows % EVERY_WINDOWS
    if (place === EVERY_WINDOWS - 1) thin(samples, each, both, 0)
    if (place !== 0) return false
    thin(samples, each, both, half)
    peaks.push(tonalPeak(both, waves))
    if (peaks.length > KEPT) peaks.shift()
    if (peaks.length < KEPT || !isMusic(peaks)) return false
    if (++sinceFound <= AGAIN) return false
    sinceFound = 0
    return true
  }
}

function isMusic(peaks: readonly number[]): boolean {
  const tonal = peaks.filter((hz) => hz > 0)
  const changes = tonal.filter((hz, i) => i > 0 && hz !== tonal[i - 1])
  return tonal.length >= MIN_TONAL && changes.length >= MIN_CHANGES
}

/** Writes the sums of as many samples each. */
function thin(samples: Int16Array, each: number, to: Float64Array, at: number): void {
  for (let i = 0; i < to.length / 2; i++) {
    let sum = 0
    for (let j = 0; j < each; j++) sum += samples[i * each + j] as number
    to[at + i] = sum
  }
}

function levelOf(samples: Int16Array): number {
  let energy = 0
  for (let i = 0; i < samples.length; i++) energy += (samples[i] as number) ** 2
  return Math.sqrt(energy / samples.length)
}

type Wave = { readonly hz: number; readonly cos: Float64Array; readonly sin: Float64Array }

function hannWaves(rateHz: number, length: number): readonly Wave[] {
  const waves: Wave[] = []
  for (let hz = FROM_HZ; hz <= TO_HZ; hz += STEP_HZ) {
    const step = (2 * Math.PI * hz) / rateHz
    const hann = (i: number) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / length)
    const cos = Float64Array.from({ length }, (_, i) => hann(i) * Math.cos(step * i))
    const sin = Float64Array.from({ length }, (_, i) => hann(i) * Math.sin(step * i))
    waves.push({ hz, cos, sin })
  }
  return waves
}

/** The strongest frequency; 0 for noise. */
function tonalPeak(samples: Float64Array, waves: readonly Wave[]): number {
  let sum = 0
  let logs = 0
  let most = 0
  let peakHz = 0
  for (const { hz, cos, sin } of waves) {
    let re = 0
    let im = 0
    for (let i = 0; i < samples.length; i++) {
      re += (samples[i] as number) * (cos[i] as number)
      im += (samples[i] as number) * (sin[i] as number)
    }
    const power = re * re + im * im + 1
    sum += power
    logs += Math.log(power)
    if (power <= most) continue
    most = power
    peakHz = hz
  }
  const flatness = Math.exp(logs / waves.length) / (sum / waves.length)
  return flatness <= MAX_FLATNESS ? peakHz : 0
}
