// Timing of turn taking in milliseconds, and how long a pause ends a turn.
import { DEFAULT_PAUSE_MS, endpointingDelay, pauseForProbability } from './endpointing.ts'

export type TurnRules = {
  interruptible: boolean
  /** Bounds of the pause that ends a turn. */
  minPauseMs: number
  maxPauseMs: number
  /** Preemptive generation: start the reply during the pause; at most so often per turn, and only for turns this short. */
  speculate: boolean
  maxEarlyReplies: number
  earlyReplyMaxSpeechMs: number
  /** How long the turn model may take; 0: there is none. */
  turnModelMs: number
  /** This much speech, or this many words, interrupt the agent. */
  interruptAfterMs: number
  interruptAfterWords: number
  /** Without words by then it was a false interruption. */
  resumeAfterMs: number
  /** How often speech without words may delay a reply of which nothing was played. */
  maxFalseStarts: number
  /** A backchannel this shortly before the end of the agent's turn answers it. */
  backchannelMs: number
  /** Speech this long is transcribed before it ends; after `maxProbes` times the agent takes its turn. */
  maxUtteranceMs: number
  maxProbes: number
  recognitionTimeoutMs: number
  /** Digits closer together than this are one number. */
  digitGapMs: number
  idleReminderMs: number
  maxReminders: number
  silenceHangupMs: number
  maxDurationMs: number
  warnBeforeMs: number
  /** Silence before the first filler, and between fillers. */
  fillerMs: number
  nextFillerMs: number
  maxFillers: number
  /** How long the agent may take to become audible, and how long while a tool runs. */
  replyTimeoutMs: number
  toolTimeoutMs: number
  maxFailures: number
  voicemail: 'hangup' | 'message' | 'ignore'
  /** Without a tone the message is left after this much silence, or this long after the voicemail was detected. */
  voicemailSilenceMs: number
  voicemailMaxMs: number
  /** What the caller says to end the call. */
  endPhrases: readonly string[]
}

export const defaultTurnRules: TurnRules = {
  interruptible: true,
  minPauseMs: 400,
  maxPauseMs: 2500,
  speculate: true,
  maxEarlyReplies: 3,
  earlyReplyMaxSpeechMs: 10_000,
  turnModelMs: 0,
  interruptAfterMs: 300,
  interruptAfterWords: 2,
  resumeAfterMs: 1500,
  maxFalseStarts: 3,
  backchannelMs: 1000,
  maxUtteranceMs: 8000,
  maxProbes: 3,
  recognitionTimeoutMs: 8000,
  digitGapMs: 2500,
  idleReminderMs: 8000,
  maxReminders: 2,
  silenceHangupMs: 30_000,
  maxDurationMs: 1_800_000,
  warnBeforeMs: 30_000,
  fillerMs: 3000,
  nextFillerMs: 5000,
  maxFillers: 2,
  replyTimeoutMs: 12_000,
  toolTimeoutMs: 20_000,
  maxFailures: 3,
  voicemail: 'ignore',
  voicemailSilenceMs: 1500,
  voicemailMaxMs: 30_000,
  endPhrases: [],
}

const AFTER_SENTENCE_MS = 100
const AFTER_NUMBER_MS = 600
const DICTATION_MS = 1500

/** Words after which people go on; those of the second list may be an answer on their own. */
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
/** An e-mail or web address being spelt, or transcribed so far. */
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
/** Complete numbers: a Brazilian CPF or mobile number has 11 digits, a CNPJ 14. */
const completeLengths = [11, 14]

function isDictated(said: string): boolean {
  if (address.test(said)) return !wholeAddress.test(said)
  if (saidDigits.test(said)) return true
  const written = lastDigits.exec(said)?.[0].trim() ?? ''
  const digits = written.replace(/\D/g, '').length
  const isYear = /^(19|20)\d\d[.,]?$/.test(written)
  return digits >= 4 && !isYear && !completeLengths.includes(digits)
}

/** Only the end of the text matters; this bounds the time of the regular expressions. */
const LAST_LETTERS = 160

const bounded = (ms: number, { minPauseMs, maxPauseMs }: TurnRules) => Math.min(maxPauseMs, Math.max(minPauseMs, ms))

/** How long a pause ends a turn with this transcript, for a caller with this average pause. */
export function endpointingPause(text: string, rules: TurnRules, averagePauseMs = DEFAULT_PAUSE_MS): number {
  const said = text.trim().slice(-LAST_LETTERS)
  const pauseMs = (() => {
    if (isDictated(said)) return DICTATION_MS
    if (numberEnd.test(said) || wholeAddress.test(said)) return AFTER_NUMBER_MS
    return openEnds.test(said) || !sentenceEnd.test(said) ? endpointingDelay(averagePauseMs) : AFTER_SENTENCE_MS
  })()
  return bounded(pauseMs, rules)
}

/** The same from a turn model's probability. It knows little about digits and addresses: there the transcript counts too. */
export function turnModelPause(text: string, probability: number, rules: TurnRules): number {
  const dictationMs = isDictated(text.trim().slice(-LAST_LETTERS)) ? DICTATION_MS : 0
  return bounded(Math.max(dictationMs, pauseForProbability(probability)), rules)
}
