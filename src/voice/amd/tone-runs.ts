// Joins windows with the same tone into runs. Noise and lost packets may interrupt a run for some windows.
import type { Tone } from './tone-analysis.ts'

/** Times are numbers of windows; `toAt` is the last window with the tone. */
export type ToneRun = {
  /** Mean of its windows. */
  hz: number
  readonly otherHz: number
  readonly fromAt: number
  toAt: number
  /** Directly follows a tone of another frequency, or is directly followed by one. */
  readonly isChained: boolean
  isFollowed: boolean
}

/** Complete windows; those at both ends are partly silent. */
const MIN_WINDOWS = 9
/** Largest change of pitch and level from the first window. */
const MAX_PITCH_CHANGE = 0.03
const MAX_LEVEL_RATIO = 1.6
/** Shorter breaks do not end a tone. The three tones of SIT follow each other within 30 ms. */
const BREAK_WINDOWS = 4

export function toneRuns() {
  let run: ToneRun | null = null
  let first: Tone = { hz: 0, otherHz: 0, level: 0 }
  let heard = 0
  let hzSum = 0

  function started(tone: Tone, at: number, isChained: boolean): ToneRun {
    first = tone
    heard = 1
    hzSum = tone.hz
    // A pair is known after two windows.
    const fromAt = tone.otherHz > 0 ? at - 1 : at
    return { hz: tone.hz, otherHz: tone.otherHz, fromAt, toAt: at, isChained, isFollowed: false }
  }

  return {
    /** The tone that goes on, once it is long enough. */
    get current(): ToneRun | null {
      return run && heard >= MIN_WINDOWS ? run : null
    },
    /** Returns the run that has just ended, if it was long enough. */
    next(tone: Tone | null, at: number): ToneRun | null {
      if (run && tone && isSame(first, tone)) {
        hzSum += tone.hz
        run.hz = hzSum / ++heard
        run.toAt = at
        return null
      }
      const isOther = run !== null && tone !== null && !isPitch(first, tone)
      if (run && !isOther && at - run.toAt < BREAK_WINDOWS) return null
      const ended = run && heard >= MIN_WINDOWS ? run : null
      if (ended) ended.isFollowed = isOther
      run = tone && started(tone, at, isOther && ended !== null)
      return ended
    },
  }
}

const isPitch = (a: Tone, b: Tone): boolean => {
  // A window with half of a pair in it may look like one tone between the two.
  if (a.otherHz > 0 && b.otherHz === 0) return b.hz > a.hz - 30 && b.hz < a.otherHz + 30
  return a.otherHz === b.otherHz && Math.abs(a.hz - b.hz) <= MAX_PITCH_CHANGE * a.hz
}
const isSame = (a: Tone, b: Tone) =>
  a.otherHz === b.otherHz &&
  isPitch(a, b) &&
  b.level <= MAX_LEVEL_RATIO * a.level &&
  a.level <= MAX_LEVEL_RATIO * b.level
