// Makes an utterance easy to recognize: level, and a start that is neither abrupt nor silent. Pure.
import { MEL_RATE_HZ } from '../../audio/mel.ts'

const BLOCK = MEL_RATE_HZ / 100
/** Blocks this far below the loudest one (30 dB) are a pause. */
const BELOW_LOUDEST = 0.001
/** Quiet callers are raised to this peak, by 20 dB at most: beyond that the line's noise would be louder than speech. */
const PEAK = 0.5
const MAX_GAIN = 10
/** A word that starts with the first sample is often misheard: 200 ms before it removed a fifth of the errors. */
const LEAD = MEL_RATE_HZ / 5
/** Line noise of -61 dBFS. A small gain: 47 of 60 sentences instead of 46, 12 of 27 words instead of 10. */
const NOISE = 0.003

export type Conditioned = {
  samples: Float32Array
  /** Sound without its pauses. */
  voicedSeconds: number
}

/** Pauses stay as long as they are: shortened to 250 ms, dictated digits had 16 % errors instead of 9. */
export function condition(samples: Float32Array): Conditioned {
  let peak = 0
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample))
  const gain = Math.min(MAX_GAIN, Math.max(1, PEAK / Math.max(peak, 1e-6)))
  const out = new Float32Array(LEAD + samples.length)
  // The same noise every time: one utterance has one transcript.
  let seed = 1
  for (let i = 0; i < out.length; i++) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    out[i] = (samples[i - LEAD] ?? 0) * gain + (seed / 2 ** 32 - 0.5) * NOISE
  }
  return { samples: out, voicedSeconds: pausesOf(samples).filter((isPause) => !isPause).length / 100 }
}

function pausesOf(samples: Float32Array): boolean[] {
  const powers = Array.from({ length: Math.ceil(samples.length / BLOCK) }, (_, block) => {
    let sum = 0
    for (let i = block * BLOCK; i < Math.min(samples.length, (block + 1) * BLOCK); i++)
      sum += (samples[i] as number) ** 2
    return sum
  })
  const loudest = powers.reduce((most, power) => Math.max(most, power), 0)
  return powers.map((power) => power <= loudest * BELOW_LOUDEST)
}
