// 16-bit samples and floats of -1 to 1, and helpers for sample buffers.

export function toFloats(pcm: Int16Array): Float32Array {
  const out = new Float32Array(pcm.length)
  for (let i = 0; i < pcm.length; i++) out[i] = (pcm[i] as number) / 32768
  return out
}

/** Samples beyond full scale are clipped instead of wrapping around. */
export const clamped = (sample: number): number => Math.max(-32768, Math.min(32767, Math.round(sample)))

/** 100 frames of 20 ms at 8 kHz. */
const SLAB_SAMPLES = 16_000
let slab = new ArrayBuffer(2 * SLAB_SAMPLES)
let slabUsed = 0

/** A zeroed frame from a shared slab: a buffer of its own costs more than filling it. */
export function newFrame(samples: number): Int16Array {
  if (samples > SLAB_SAMPLES / 10) return new Int16Array(samples)
  if (slabUsed + samples > SLAB_SAMPLES) {
    slab = new ArrayBuffer(2 * SLAB_SAMPLES)
    slabUsed = 0
  }
  const frame = new Int16Array(slab, 2 * slabUsed, samples)
  slabUsed += samples
  return frame
}

export function joinPcm(parts: readonly Int16Array[]): Int16Array {
  if (parts.length === 1) return parts[0] as Int16Array
  const out = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}

/** Root mean square in dB below full scale. */
export function levelDb(pcm: Int16Array): number {
  let sum = 0
  for (const sample of pcm) sum += sample * sample
  return 10 * Math.log10(sum / pcm.length / 32768 ** 2 + 1e-12)
}
