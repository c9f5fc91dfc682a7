// How long to wait, for what, and when. Milliseconds, as people on a telephone expect them.
import { endpointingDelay, pauseFor, USUAL_PAUSE_MS } from './endpointing.ts'

export type TurnRules = {
  interruptible: boolean
  /** A pause this long at least, and at most, ends a turn. */
  minPauseMs: number
  maxPauseMs: number
  /** The model is asked while the pause is still waited for: so often in a turn, and not after so long a speech. */
  speculate: boolean
  maxGuesses: number
  guessWithinMs: number
  /** So long a turn model may take to say whether the caller has finished; 0: there is none. */
  judgeMs: number
  /** So much voice, or so many words, stop the agent. */
  interruptAfterMs: number
  interruptAfterWords: number
  /** Without words by then, the interruption was none. */
  resumeAfterMs: number
  /** So often a reply that nobody hears yet waits for a voice that says nothing. */
  maxHolds: number
  /** An acknowledgement so shortly before the agent's last word answers it. */
  murmurMs: number
  /** So long at most one speaks in a breath; then it is asked what is said, so often at most before the agent takes its turn. */
  breathMs: number
  maxBreaths: number
  recognitionMs: number
  /** Keys with less than this between them are one number. */
  keysGapMs: number
  idleReminderMs: number
  maxReminders: number
  silenceHangupMs: number
  maxDurationMs: number
  warnBeforeMs: number
  /** So long the caller waits for a reply before he is told that it is coming, and told again. */
  fillerMs: number
  nextFillerMs: number
  maxFillers: number
  /** So long the agent may take until it is heard, and so long while a tool works for it. */
  answerMs: number
  toolMs: number
  maxFailures: number
  /** What is done when a mailbox has answered. */
  voicemail: 'hangup' | 'message' | 'ignore'
  /** Without a tone the message is left after so much silence, or so long after the mailbox was known. */
  mailboxQuietMs: number
  mailboxMs: number
  /** What the caller says to end the call. */
  endPhrases: readonly string[]
}

export const usualRules: TurnRules = {
  interruptible: true,
  minPauseMs: 400,
  maxPauseMs: 2500,
  speculate: true,
  maxGuesses: 3,
  guessWithinMs: 10_000,
  judgeMs: 0,
  interruptAfterMs: 300,
  interruptAfterWords: 2,
  resumeAfterMs: 1500,
  maxHolds: 3,
  murmurMs: 1000,
  breathMs: 8000,
  maxBreaths: 3,
  recognitionMs: 8000,
  keysGapMs: 2500,
  idleReminderMs: 8000,
  maxReminders: 2,
  silenceHangupMs: 30_000,
  maxDurationMs: 1_800_000,
  warnBeforeMs: 30_000,
  fillerMs: 3000,
  nextFillerMs: 5000,
  maxFillers: 2,
  answerMs: 12_000,
  toolMs: 20_000,
  maxFailures: 3,
  voicemail: 'ignore',
  mailboxQuietMs: 1500,
  mailboxMs: 30_000,
  endPhrases: [],
}

const AFTER_SENTENCE_MS = 100
const AFTER_NUMBER_MS = 600
const DICTATING_MS = 1500

/** Words after which a person goes on; the second list alone may be an answer. */
const openers = [
  'e|ou|mas|que|de|do|da|dos|das|com|pra|por|porque|então|se|quando',
  'and|or|but|of|to|with|because|if|when',
  'y|o|pero|del|con|entonces|cuando',
  'eh|ahn|hum|hmm|ah|uh|er',
]
const binders = [
  'é|um|uma|para|meu|minha|seu|sua|nosso|nossa',
  'the|a|an|my|your|our|is|are|um',
  'es|el|la|los|las|un|una|mi|su|nuestro|nuestra',
]
const openEnds = new RegExp(`((^|\\s)(${openers.join('|')})|\\s(${binders.join('|')}))[.,…]*$`, 'i')
const sentenceEnd = /[.!?…]["'”)]*$/
const numberEnd = /\d[\d\s.,-]{0,160}$/
const lastDigits = /(?:\d[\s.,/-]{0,9}){1,160}$/
/** An address that is being spelt, or was written down so far. */
const address =
  /(^|\s)(arroba|at sign|at|ponto|dot|punto|underline|underscore|hífen|dash|guion|guión)(?=\s|$)[^.!?]{0,160}$|\S{0,160}@\S{0,160}$/i
const wholeAddress = /@[\w-]+(\.[\w-]+)+\.?$/
const saidDigits = new RegExp(
  `(?:(?:^|[\\s,-])(?:${[
    'zero|um|uma|dois|duas|três|tres|quatro|cinco|seis|meia|sete|oito|nove',
    'one|two|three|four|five|six|seven|eight|nine|oh',
    'cero|uno|dos|cuatro|siete|ocho|nueve',
  ].join('|')})){3,}[\\s.,-]*$`,
  'i',
)
/** A tax number or a mobile telephone has eleven digits, a company's number fourteen: after them nothing is awaited. */
const wholeNumbers = [11, 14]

function isDictated(said: string): boolean {
  if (address.test(said)) return !wholeAddress.test(said)
  if (saidDigits.test(said)) return true
  const written = lastDigits.exec(said)?.[0].trim() ?? ''
  const digits = written.replace(/\D/g, '').length
  const isYear = /^(19|20)\d\d[.,]?$/.test(written)
  return digits >= 4 && !isYear && !wholeNumbers.includes(digits)
}

/** What was said before these does not matter, and would take long to look at. */
const LAST_LETTERS = 160

const within = (ms: number, { minPauseMs, maxPauseMs }: TurnRules) => Math.min(maxPauseMs, Math.max(minPauseMs, ms))

/** How long a pause ends a turn that so far says this, of a caller whose own pauses are as long as `paceMs`. */
export function pauseAfter(text: string, rules: TurnRules, paceMs = USUAL_PAUSE_MS): number {
  const said = text.trim().slice(-LAST_LETTERS)
  const wished = (() => {
    if (isDictated(said)) return DICTATING_MS
    if (numberEnd.test(said) || wholeAddress.test(said)) return AFTER_NUMBER_MS
    return openEnds.test(said) || !sentenceEnd.test(said) ? endpointingDelay(paceMs) : AFTER_SENTENCE_MS
  })()
  return within(wished, rules)
}

/** The same where a turn model has judged it. Of digits and addresses it knows little: there the words are heeded too. */
export function judgedPause(text: string, finished: number, rules: TurnRules): number {
  const dictatingMs = isDictated(text.trim().slice(-LAST_LETTERS)) ? DICTATING_MS : 0
  return within(Math.max(dictatingMs, pauseFor(finished)), rules)
}
