// Turns speech probabilities into starts and ends of speech. Pure: time is counted in VAD steps.

/** Silero's window, at any sample rate. */
export const VAD_STEP_MS = 32

type VadOptions = {
  /** Possible speech from this probability on … */
  on: number
  /** … until it falls below this. */
  off: number
  /** Speech starts after this long. */
  startMs: number
  /** Speech ends after this much silence. */
  stopMs: number
  /** Audio before the start that is included: an initial consonant is quieter than its vowel. */
  prefixMs: number
}

export const defaultVadOptions: VadOptions = { on: 0.5, off: 0.35, startMs: 120, stopMs: 250, prefixMs: 300 }

export type VadState = {
  /** Media time after the last step. */
  atMs: number
  isSpeaking: boolean
  /** Start of the sound that may start speech, or of the silence that may end it. */
  changingSinceMs: number | null
  /** End of the previous utterance; its audio is not part of the next. */
  endedMs: number
}

/** `atMs`: when it was detected; `fromMs` and `toMs`: bounds of the utterance in media time. */
export type VadEvent = { type: 'start'; atMs: number; fromMs: number } | { type: 'end'; atMs: number; toMs: number }

export const initialVadState: VadState = { atMs: 0, isSpeaking: false, changingSinceMs: null, endedMs: 0 }

export function advance(
  before: VadState,
  probability: number,
  options: VadOptions = defaultVadOptions,
): { state: VadState; event: VadEvent | null } {
  const atMs = before.atMs + VAD_STEP_MS
  const sinceMs = changingSince(before, probability, options)
  const state: VadState = { ...before, atMs, changingSinceMs: sinceMs }
  const durationMs = sinceMs === null ? 0 : atMs - sinceMs
  if (sinceMs === null || durationMs < (before.isSpeaking ? options.stopMs : options.startMs))
    return { state, event: null }
  if (before.isSpeaking) {
    const ended = { ...state, isSpeaking: false, changingSinceMs: null, endedMs: sinceMs }
    return { state: ended, event: { type: 'end', atMs, toMs: sinceMs } }
  }
  const fromMs = Math.max(before.endedMs, sinceMs - options.prefixMs)
  return { state: { ...state, isSpeaking: true, changingSinceMs: null }, event: { type: 'start', atMs, fromMs } }
}

/** Hysteresis: between the two thresholds nothing changes. */
function changingSince({ isSpeaking, changingSinceMs, atMs }: VadState, probability: number, options: VadOptions) {
  const isLoud = probability >= options.on
  const isQuiet = probability < options.off
  if (isSpeaking ? isLoud : isQuiet) return null
  if (changingSinceMs !== null) return changingSinceMs
  return (isSpeaking ? isQuiet : isLoud) ? atMs : null
}
