// Float samples to 16 bits, with peaks bent below full scale instead of cut off.

/** Below this nothing is changed; above it the curve bends and meets the ceiling only at infinity. */
const KNEE = 0.75
/** Another rate puts its samples elsewhere on the wave, up to a tenth higher: that must not be cut off either. */
const CEILING = 0.9
const FULL_SCALE = 32767

/** It has no memory, so pieces of a stream can be limited on their own and still fit together. */
export function limited(sample: number): number {
  const size = Math.abs(sample)
  if (size <= KNEE) return sample
  return Math.sign(sample) * (KNEE + (CEILING - KNEE) * Math.tanh((size - KNEE) / (CEILING - KNEE)))
}

/** What is not a number becomes silence. */
export function toPcm16(samples: Float32Array, gain = 1): Int16Array {
  const pcm = new Int16Array(samples.length)
  for (let i = 0; i < samples.length; i++) pcm[i] = Math.round(limited((samples[i] as number) * gain) * FULL_SCALE)
  return pcm
}
