// How long to wait, for what, and when. Milliseconds, as people on a telephone expect them.

export type TurnRules = {
  interruptible: boolean
  /** A pause this long at least, and at most, ends a turn. */
  minPauseMs: number
  maxPauseMs: number
  /** So much voice, or so many words, stop the agent. */
  interruptAfterMs: number
  interruptAfterWords: number
  /** So much of a voice has gone by when it is first known to be one. */
  voiceKnownAfterMs: number
  /** Without words by then, the interruption was none. */
  resumeAfterMs: number
  idleReminderMs: number
  maxReminders: number
  silenceHangupMs: number
  /** So long the caller waits for a reply before he is told that it is coming. */
  fillerMs: number
  /** So long the agent may take until it is heard. */
  answerMs: number
  maxFailures: number
}

export const usualRules: TurnRules = {
  interruptible: true,
  minPauseMs: 400,
  maxPauseMs: 2500,
  interruptAfterMs: 300,
  interruptAfterWords: 2,
  voiceKnownAfterMs: 120,
  resumeAfterMs: 1500,
  idleReminderMs: 8000,
  maxReminders: 2,
  silenceHangupMs: 30_000,
  fillerMs: 3000,
  answerMs: 12_000,
  maxFailures: 3,
}

const AFTER_SENTENCE_MS = 100
const AFTER_NUMBER_MS = 600
const UNFINISHED_MS = 1200
const DICTATING_MS = 1500

/** Words after which a person goes on. */
const openEnds =
  /(^|\s)(e|ou|mas|que|de|do|da|com|para|por|porque|então|é|and|or|but|the|of|to|with|because|y|o|pero|que|de|con|para|porque|entonces|eh|hum|hmm|ah|uh|um|é\.\.\.)[.,…]*$/i
const sentenceEnd = /[.!?…]["'”)]*$/
const numberEnd = /\d[\d\s.,-]*$/
/** Several digits, said one by one or together, or an address that is being spelt. */
const dictated = /(\d[\s.,-]*){4,}$|\b(arroba|at sign|ponto|dot|punto|underline|hífen|guion)\b[^.!?]*$/i

/** How long a pause ends a turn that so far says this. */
export function pauseAfter(text: string, rules: TurnRules): number {
  const said = text.trim()
  const wished = (() => {
    if (dictated.test(said)) return DICTATING_MS
    if (openEnds.test(said)) return UNFINISHED_MS
    if (numberEnd.test(said.replace(/\.$/, ''))) return AFTER_NUMBER_MS
    return sentenceEnd.test(said) ? AFTER_SENTENCE_MS : UNFINISHED_MS
  })()
  return Math.min(rules.maxPauseMs, Math.max(rules.minPauseMs, wished))
}
