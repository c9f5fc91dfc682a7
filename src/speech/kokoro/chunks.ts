// Splits a clip into chunks that are synthesized independently and cross-faded.
import { SAMPLES_PER_STEP } from './graph.ts'

/**
 * In steps of 12.5 ms: the first chunks are short so that audio starts soon, later ones long because they cost less.
 */
const SIZES: readonly number[] = [12, 20, 28, 40, 96]
/** Once audio is playing, chunks need not start small. */
const LATER = 3
/** Context on either side of a chunk, 50 ms, so that its edges sound as in a single run. */
export const CONTEXT_STEPS = 4
/** A remainder shorter than half a chunk, or than this, is added to the previous chunk. */
const MIN_REST = 24
const CRUMB = 10
/** Half of the 10 ms cross-fade between chunks. */
const FADE = 120

export type Chunk = { readonly from: number; readonly to: number }

/** Chunks from step `start` to the end. */
export function planChunks(start: number, steps: number, isLater = false): Chunk[] {
  const windows: Chunk[] = []
  let from = start
  while (from < steps) {
    const size = SIZES[Math.min(windows.length + (isLater ? LATER : 0), SIZES.length - 1)] as number
    const end = Math.min(steps, from + size)
    const to = steps - end < Math.max(CRUMB, Math.min(size / 2, MIN_REST)) ? steps : end
    windows.push({ from, to })
    from = to
  }
  return windows
}

/** The chunk's samples within a run, plus the parts to cross-fade; the run began at `contextFrom`. */
export function chunkSamples(run: Float32Array, { from, to }: Chunk, contextFrom: number, steps: number): Float32Array {
  const start = (from - contextFrom) * SAMPLES_PER_STEP - (from > 0 ? FADE : 0)
  const end = (to - contextFrom) * SAMPLES_PER_STEP + (to < steps ? FADE : 0)
  return run.slice(start, end)
}

/** Joins chunks in order and holds back the samples that will be cross-faded with the next one. */
export function crossfader() {
  let held: Float32Array = new Float32Array(0)
  return (samples: Float32Array, hasNext: boolean): Float32Array => {
    const out = samples.slice(0, samples.length - (hasNext ? 2 * FADE : 0))
    for (let i = 0; i < held.length; i++) {
      const share = i / held.length
      out[i] = (held[i] as number) * (1 - share) + (out[i] as number) * share
    }
    held = hasNext ? samples.slice(samples.length - 2 * FADE) : new Float32Array(0)
    return out
  }
}
