// Float samples to 16 bits, with a soft knee below full scale instead of clipping.

/** Below this nothing is changed; above it the curve bends and meets the ceiling only at infinity. */
const KNEE = 0.75
/** Resampling may raise peaks by up to a tenth: those must not clip either. */
const CEILING = 0.9
const FULL_SCALE = 32767

/** Stateless, so pieces of a stream can be limited independently. */
export function limited(sample: number): number {
  const size = Math.abs(sample)
  if (size <= KNEE) return sample
  return Math.sign(sample) * (KNEE + (CEILING - KNEE) * Math.tanh((size - KNEE) / (CEILING - KNEE)))
}

/** NaN becomes silence. */
export function toPcm16(samples: Float32Array, gain = 1): Int16Array {
  const pcm = new Int16Array(samples.length)
  for (let i = 0; i < samples.length; i++) pcm[i] = Math.round(limited((samples[i] as number) * gain) * FULL_SCALE)
  return pcm
}
