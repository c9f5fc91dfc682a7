// Input features of a smart-turn model: Whisper's log-mel spectrogram of the last 8 s. Pure.
import { logMel, MEL_HOP, MEL_RATE_HZ } from '../../audio/mel.ts'
import { toFloats } from '../../audio/pcm.ts'
import { resample } from '../../audio/resample.ts'

export const TURN_FRAMES = 800
const SAMPLES = TURN_FRAMES * MEL_HOP
/** The last frame extends past the end by less than this: the audio is mirrored there, as at the start. */
const MIRRORED = MEL_HOP

/** [80, 800]. Shorter audio is padded with silence at the start. */
export function turnFeatures(pcm: Int16Array, rateHz: number): Float32Array {
  const most = Math.ceil((SAMPLES / MEL_RATE_HZ) * rateHz)
  const heard = toFloats(resample(pcm.subarray(-most), rateHz, MEL_RATE_HZ)).subarray(-SAMPLES)
  const sound = new Float32Array(SAMPLES + MIRRORED)
  sound.set(heard, SAMPLES - heard.length)
  level(sound.subarray(0, SAMPLES))
  for (let i = 0; i < MIRRORED; i++) sound[SAMPLES + i] = sound[SAMPLES - 2 - i] as number
  return logMel(sound, TURN_FRAMES)
}

/** Normalized to mean 0 and variance 1. */
function level(samples: Float32Array): void {
  let sum = 0
  for (const sample of samples) sum += sample
  const mean = sum / samples.length
  let squares = 0
  for (const sample of samples) squares += (sample - mean) ** 2
  const scale = 1 / Math.sqrt(squares / samples.length + 1e-7)
  for (let i = 0; i < samples.length; i++) samples[i] = ((samples[i] as number) - mean) * scale
}
