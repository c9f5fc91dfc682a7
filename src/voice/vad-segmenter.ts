// From probabilities to "someone began to speak" and "someone stopped". Pure: no clock but the steps themselves.

/** Silero's step, at any rate. */
export const VAD_STEP_MS = 32

export type ActivityRules = {
  /** From this probability on it may be speech … */
  on: number
  /** … until it falls below this one. */
  off: number
  /** So long it must last to count as a beginning. */
  startMs: number
  /** So long it must be quiet to count as an end. */
  stopMs: number
  /** So much sound before the beginning belongs to it: the first consonant is quieter than the first vowel. */
  prefixMs: number
}

export const usualRules: ActivityRules = { on: 0.5, off: 0.35, startMs: 120, stopMs: 250, prefixMs: 300 }

export type Activity = {
  /** Time of the stream after the last step. */
  atMs: number
  isSpeaking: boolean
  /** When the sound that may become a beginning began, or the quiet that may become an end. */
  changingSinceMs: number | null
  /** Before this all belongs to the utterance before. */
  endedMs: number
}

/** `atMs` is when it was known; `fromMs` and `toMs` are where the utterance begins and ends in the stream. */
export type ActivityEvent =
  | { type: 'start'; atMs: number; fromMs: number }
  | { type: 'end'; atMs: number; toMs: number }

export const quietActivity: Activity = { atMs: 0, isSpeaking: false, changingSinceMs: null, endedMs: 0 }

export function advance(
  before: Activity,
  probability: number,
  rules: ActivityRules = usualRules,
): { activity: Activity; event: ActivityEvent | null } {
  const atMs = before.atMs + VAD_STEP_MS
  const sinceMs = changingSince(before, probability, rules)
  const activity: Activity = { ...before, atMs, changingSinceMs: sinceMs }
  const lastedMs = sinceMs === null ? 0 : atMs - sinceMs
  if (sinceMs === null || lastedMs < (before.isSpeaking ? rules.stopMs : rules.startMs))
    return { activity, event: null }
  if (before.isSpeaking) {
    const ended = { ...activity, isSpeaking: false, changingSinceMs: null, endedMs: sinceMs }
    return { activity: ended, event: { type: 'end', atMs, toMs: sinceMs } }
  }
  const fromMs = Math.max(before.endedMs, sinceMs - rules.prefixMs)
  return { activity: { ...activity, isSpeaking: true, changingSinceMs: null }, event: { type: 'start', atMs, fromMs } }
}

/** Between the two thresholds what was going on goes on. */
function changingSince({ isSpeaking, changingSinceMs, atMs }: Activity, probability: number, rules: ActivityRules) {
  const isLoud = probability >= rules.on
  const isQuiet = probability < rules.off
  if (isSpeaking ? isLoud : isQuiet) return null
  if (changingSinceMs !== null) return changingSinceMs
  return (isSpeaking ? isQuiet : isLoud) ? atMs : null
}
