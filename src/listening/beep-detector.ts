// Detects a voicemail's recording tone: a steady pitch of 400 to 2000 Hz for 0.2 to 1 s.
import type { AudioFrame } from '../voice/ports.ts'

const WINDOW_MS = 20
const MIN_HZ = 400
const MAX_HZ = 2000
/** In complete windows: those at both ends are partly silent. */
const MIN_WINDOWS = 9
const MAX_WINDOWS = 50
/** -42 dBFS. */
const MIN_LEVEL = 260
/** Share of the energy at the one pitch; vowels and chords have less. */
const MIN_PURITY = 0.85
/** Largest change of pitch and level from the first window. */
const MAX_PITCH_CHANGE = 0.03
const MAX_LEVEL_RATIO = 1.6

type Tone = { hz: number; level: number }

/** Takes frames; returns true at the end of each tone. */
export function beepDetector(): (frame: Pick<AudioFrame, 'pcm' | 'rateHz'>) => boolean {
  let rateHz = 0
  let window: number[] = []
  let first: Tone | null = null
  let windows = 0

  /** True when a tone ends here. */
  function next(tone: Tone | null): boolean {
    if (first && tone && isSame(first, tone)) {
      windows++
      return false
    }
    const isBeep = windows >= MIN_WINDOWS && windows <= MAX_WINDOWS
    first = tone
    windows = tone ? 1 : 0
    return isBeep
  }

  return ({ pcm, rateHz: frameRateHz }) => {
    if (frameRateHz !== rateHz) window = []
    rateHz = frameRateHz
    const size = Math.round((rateHz * WINDOW_MS) / 1000)
    let isBeep = false
    for (const sample of pcm) {
      window.push(sample)
      if (window.length < size) continue
      isBeep = next(toneIn(window, rateHz)) || isBeep
      window = []
    }
    return isBeep
  }
}

const isSame = (a: Tone, b: Tone) =>
  Math.abs(a.hz - b.hz) <= MAX_PITCH_CHANGE * a.hz &&
  b.level <= MAX_LEVEL_RATIO * a.level &&
  a.level <= MAX_LEVEL_RATIO * b.level

/** The pitch of these samples; null if they are not a tone. */
export function toneIn(samples: readonly number[], rateHz: number): Tone | null {
  let energy = 0
  for (const sample of samples) energy += sample * sample
  const level = Math.sqrt(energy / samples.length)
  if (level < MIN_LEVEL) return null
  const hz = pitchOf(samples, rateHz)
  if (hz < MIN_HZ || hz > MAX_HZ) return null
  return strengthAt(samples, hz, rateHz) >= MIN_PURITY * energy ? { hz, level } : null
}

/** From zero crossings, the first and last interpolated between samples. */
function pitchOf(samples: readonly number[], rateHz: number): number {
  let firstAt = 0
  let lastAt = 0
  let crossings = 0
  for (let i = 1; i < samples.length; i++) {
    const [a, b] = [samples[i - 1] as number, samples[i] as number]
    if (a < 0 === b < 0) continue
    lastAt = i - 1 + a / (a - b)
    if (crossings === 0) firstAt = lastAt
    crossings++
  }
  return crossings < 3 ? 0 : ((crossings - 1) * rateHz) / (2 * (lastAt - firstAt))
}

/** Energy at this pitch (Goertzel). */
function strengthAt(samples: readonly number[], hz: number, rateHz: number): number {
  const turn = (2 * Math.PI * hz) / rateHz
  const factor = 2 * Math.cos(turn)
  let [before, last] = [0, 0]
  for (const sample of samples) [before, last] = [last, sample + factor * last - before]
  return (2 * (last * last + before * before - factor * last * before)) / samples.length
}
