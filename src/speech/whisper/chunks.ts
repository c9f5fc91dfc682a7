// Splits long audio into chunks that fit Whisper's window, at the quietest points.
import { MEL_RATE_HZ } from '../../audio/mel.ts'

/** Whisper's window is 30 s, of which 3 are reserved for trailing silence. */
const MAX_SECONDS = 27
/** A cut is searched for in the last seconds of a chunk. */
const SEARCH_SECONDS = 6
const STEP = MEL_RATE_HZ / 50

export function chunksOf(samples: Float32Array): Float32Array[] {
  const out: Float32Array[] = []
  let rest = samples
  while (rest.length > MAX_SECONDS * MEL_RATE_HZ) {
    const cut = quietestPlace(rest, (MAX_SECONDS - SEARCH_SECONDS) * MEL_RATE_HZ, MAX_SECONDS * MEL_RATE_HZ)
    out.push(rest.subarray(0, cut))
    rest = rest.subarray(cut)
  }
  return [...out, rest]
}

/** The middle of the quietest 200 ms. */
function quietestPlace(samples: Float32Array, from: number, to: number): number {
  let best = to
  let least = Number.POSITIVE_INFINITY
  for (let at = from; at + 10 * STEP <= to; at += STEP) {
    let energy = 0
    for (let i = at; i < at + 10 * STEP; i++) energy += (samples[i] as number) ** 2
    if (energy < least) {
      least = energy
      best = at + 5 * STEP
    }
  }
  return best
}
