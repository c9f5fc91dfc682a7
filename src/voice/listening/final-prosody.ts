// The final tone of an utterance, from pitch and level of its last voiced sound: falling like a statement, rising like a question, or level.
// Null unless it is clear: a wrong answer costs the caller their turn, no answer costs a little time.
import type { FinalProsody } from '../ports.ts'

/** Of one frame of 20 ms; `pitchHz` is 0 where it is unvoiced. */
export type PitchFrame = { readonly levelDb: number; readonly pitchHz: number }

const FRAME_MS = 20
/** Frames this far below the loudest are reverberation or another speaker. */
const AUDIBLE_DB = 28
/** Length of the end that is analyzed, and its minimum of voiced frames. */
const END_MS = 320
const MIN_FRAMES = 6
/** Frames farther from the median of the end are octave errors. */
const OCTAVE_ST = 7
/** Semitones a second, and semitones of the last 80 ms against the utterance. Measured on the embedded voices in three languages. */
const FALLING = { slope: -10, end: -8 }
const RISING = { slope: 12, end: 1.5 }
const LEVEL = { slope: 8, end: 2.5 }
const LAST_FRAMES = 4
/** Minimum voiced duration, without a break, of a held syllable and of a rise. */
const HELD_MS = 160
const RISE_MS = 100

const semitones = (hz: number) => 12 * Math.log2(hz / 100)
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] as number

type Voiced = { at: number; st: number }

/** `frames`: the last seconds of the utterance. */
export function finalProsody(frames: readonly PitchFrame[]): FinalProsody | null {
  const loudestDb = frames.reduce((most, { levelDb }) => Math.max(most, levelDb), Number.NEGATIVE_INFINITY)
  const voiced = frames.flatMap(({ levelDb, pitchHz }, at): Voiced[] =>
    pitchHz > 0 && levelDb > loudestDb - AUDIBLE_DB ? [{ at, st: semitones(pitchHz) }] : [],
  )
  const last = voiced.at(-1)
  if (!last) return null
  const near = smoothed(voiced.filter(({ at }) => at > last.at - END_MS / FRAME_MS))
  const middle = median(near.map(({ st }) => st))
  const end = near.filter(({ st }) => Math.abs(st - middle) < OCTAVE_ST)
  if (end.length < MIN_FRAMES) return null
  const slope = slopeOf(end)
  const endSt = mean(end.slice(-LAST_FRAMES).map(({ st }) => st)) - median(voiced.map(({ st }) => st))
  if (slope <= FALLING.slope && endSt <= FALLING.end) return 'falling'
  if (slope >= RISING.slope && endSt >= RISING.end && lastRunMs(voiced) >= RISE_MS) return 'rising'
  const isSteady = Math.abs(slope) <= LEVEL.slope && Math.abs(endSt) <= LEVEL.end
  return isSteady && lastRunMs(voiced) >= HELD_MS ? 'level' : null
}

/** Median filter: removes single outliers. */
const smoothed = (frames: readonly Voiced[]): Voiced[] =>
  frames.map(({ at, st }, i) => ({ at, st: median([frames[i - 1]?.st ?? st, st, frames[i + 1]?.st ?? st]) }))

/** Semitones a second, by least squares. */
function slopeOf(points: readonly Voiced[]): number {
  const [x, y] = [mean(points.map(({ at }) => at)), mean(points.map(({ st }) => st))]
  let [xy, xx] = [0, 0]
  for (const { at, st } of points) {
    xy += (at - x) * (st - y)
    xx += (at - x) ** 2
  }
  return (xy / xx) * (1000 / FRAME_MS)
}

/** Duration of the last voiced run; single unvoiced frames do not break it. */
function lastRunMs(voiced: readonly Voiced[]): number {
  let first = voiced.length - 1
  while (first > 0 && (voiced[first]?.at ?? 0) - (voiced[first - 1]?.at ?? 0) <= 2) first--
  return (voiced.length - first) * FRAME_MS
}
