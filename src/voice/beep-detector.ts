// Finds the tone after which a mailbox records: one steady pitch of 400 to 2000 Hz for 0.2 to 1 s. Pure but for what it remembers.
import type { AudioFrame } from './ports.ts'

const WINDOW_MS = 20
const LOWEST_HZ = 400
const HIGHEST_HZ = 2000
/** Whole windows: those at its two ends are only half full. */
const SHORTEST = 9
const LONGEST = 50
/** What is quieter (-42 dB) is no tone that is meant to be heard. */
const QUIETEST = 260
/** So much of the sound is that one pitch; of a vowel or a chord it is less. */
const PUREST = 0.85
/** From one window to the next its pitch and its loudness stay so much the same. */
const PITCH = 0.03
const LOUDNESS = 1.6

type Tone = { hz: number; level: number }

/** Feed it what is heard; it says true at the end of each such tone. */
export function beepDetector(): (frame: AudioFrame) => boolean {
  let rateHz = 0
  let held: number[] = []
  let first: Tone | null = null
  let windows = 0

  /** True when the tone that went on has ended here. */
  function next(tone: Tone | null): boolean {
    if (first && tone && isSame(first, tone)) {
      windows++
      return false
    }
    const isBeep = windows >= SHORTEST && windows <= LONGEST
    first = tone
    windows = tone ? 1 : 0
    return isBeep
  }

  return ({ pcm, rateHz: given }) => {
    if (given !== rateHz) held = []
    rateHz = given
    const size = Math.round((rateHz * WINDOW_MS) / 1000)
    let isBeep = false
    for (const sample of pcm) {
      held.push(sample)
      if (held.length < size) continue
      isBeep = next(toneIn(held, rateHz)) || isBeep
      held = []
    }
    return isBeep
  }
}

const isSame = (a: Tone, b: Tone) =>
  Math.abs(a.hz - b.hz) <= PITCH * a.hz && b.level <= LOUDNESS * a.level && a.level <= LOUDNESS * b.level

/** The one pitch of which this sound is made, if it is. */
export function toneIn(samples: readonly number[], rateHz: number): Tone | null {
  let energy = 0
  for (const sample of samples) energy += sample * sample
  const level = Math.sqrt(energy / samples.length)
  if (level < QUIETEST) return null
  const hz = pitchOf(samples, rateHz)
  if (hz < LOWEST_HZ || hz > HIGHEST_HZ) return null
  return strengthAt(samples, hz, rateHz) >= PUREST * energy ? { hz, level } : null
}

/** By the times at which the wave crosses zero, the first and the last of them between two samples. */
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

/** How much of the energy lies at this pitch (Goertzel). */
function strengthAt(samples: readonly number[], hz: number, rateHz: number): number {
  const turn = (2 * Math.PI * hz) / rateHz
  const factor = 2 * Math.cos(turn)
  let [before, last] = [0, 0]
  for (const sample of samples) [before, last] = [last, sample + factor * last - before]
  return (2 * (last * last + before * before - factor * last * before)) / samples.length
}
