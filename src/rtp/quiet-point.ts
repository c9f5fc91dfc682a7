// Finds where frozen playout resumes: at a gap between words, so that no word starts in the middle.

const WINDOW_MS = 10
/** How much quieter than the loudest sound nearby: a gap between words, or else a dip between syllables. */
const GAPS_DB = [20, 12]
/** The part of a longer gap that is played again. */
const LEAD_MS = 40
/** Without any gap: short enough not to sound like a stutter. */
const MIN_REWIND_MS = 30

/** How many of the last samples to play again: back to their last quiet point. */
export function rewindToQuiet(pcm: Int16Array, rateHz: number): number {
  const size = Math.round((WINDOW_MS * rateHz) / 1000)
  const count = Math.floor(pcm.length / size)
  const energies = Float64Array.from({ length: count }, (_, i) => energyOf(pcm, pcm.length - (i + 1) * size, size))
  const loudest = energies.reduce((most, energy) => Math.max(most, energy), 1)
  const least = Math.min(pcm.length, Math.round((MIN_REWIND_MS * rateHz) / 1000))
  for (const gapDb of GAPS_DB) {
    const limit = loudest / 10 ** (gapDb / 10)
    const from = energies.findIndex((energy) => energy <= limit)
    if (from < 0) continue
    let to = from
    while (to < count && to - from < LEAD_MS / WINDOW_MS && (energies[to] as number) <= limit) to++
    // Frozen within a gap: the rest of it follows.
    return from === 0 ? 0 : Math.max(least, to * size)
  }
  return least
}

function energyOf(pcm: Int16Array, from: number, size: number): number {
  let sum = 0
  for (let i = from; i < from + size; i++) sum += (pcm[i] as number) ** 2
  return sum
}
