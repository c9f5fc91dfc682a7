// The test tone of an echo call, and its detection in the returned audio.
import { levelDb } from '../../audio/pcm.ts'
import type { Audio, AudioFrame } from '../../voice/ports.ts'

/** Not a network signaling tone, with whole periods in 100 ms. */
const TONE_HZ = 1170
const RATE_HZ = 8000
const AMPLITUDE = 9000
/** 20 ms frames that must contain the tone. */
const FRAMES_HEARD = 15
const SILENCE_DB = -50

const piece: AudioFrame = {
  rateHz: RATE_HZ,
  pcm: Int16Array.from({ length: RATE_HZ / 10 }, (_, i) => AMPLITUDE * Math.sin((2 * Math.PI * TONE_HZ * i) / RATE_HZ)),
}

/** The tone in frames of 100 ms. */
export async function* testTone(seconds: number): AsyncGenerator<AudioFrame> {
  for (let i = 0; i < seconds * 10; i++) yield piece
}

/** True as soon as the tone is detected; false if the audio ends first. */
export async function detectTone(input: Audio): Promise<boolean> {
  let frames = 0
  for await (const { pcm, rateHz } of input) {
    const all = levelDb(pcm)
    if (all > SILENCE_DB && toneLevelDb(pcm, rateHz) > all - 3) frames++
    if (frames >= FRAMES_HEARD) return true
  }
  return false
}

/** Goertzel's filter. */
function toneLevelDb(pcm: Int16Array, rateHz: number): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * TONE_HZ) / rateHz)
  let [one, two] = [0, 0]
  for (const sample of pcm) [one, two] = [sample / 32_768 + coefficient * one - two, one]
  return 10 * Math.log10((2 * (one * one + two * two - coefficient * one * two)) / pcm.length ** 2 + 1e-12)
}
