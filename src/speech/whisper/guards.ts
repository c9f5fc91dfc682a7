// Token choice, and detection of hallucinated or repeating output. Pure.

export type Choice = { token: number; logit: number; logSum: number }

/** Tokens this far below the best add nothing measurable to the sum. */
const NEGLIGIBLE = 16

/** The most likely token that the mask allows, and the log of the sum of all; `mask` also gives their number. */
export function chooseToken(logits: Float32Array, mask: Uint8Array): Choice {
  let token = 0
  let logit = Number.NEGATIVE_INFINITY
  for (let i = 0; i < mask.length; i++) {
    const value = logits[i] as number
    if (value > logit && mask[i] === 0) {
      logit = value
      token = i
    }
  }
  let sum = 0
  for (let i = 0; i < mask.length; i++) {
    const below = (logits[i] as number) - logit
    if (below > -NEGLIGIBLE && mask[i] === 0) sum += Math.exp(below)
  }
  return { token, logit, logSum: logit + Math.log(sum) }
}

/** Speech has at most 9 tokens a second. */
export const mostTokens = (seconds: number): number => Math.min(220, Math.ceil(8 + seconds * 9))

/** How often a run of this many tokens may repeat before it is a loop. */
const repeatsAllowed = (width: number, isFull: boolean): number => (width >= 5 && isFull ? 1 : width >= 3 ? 2 : 4)
const WIDEST = 30
/** Tokens a second of slow speech; a phrase transcribed twice has at least twice this rate. */
const SLOW_TOKENS_PER_SECOND = 2.5

/**
 * How many tokens at the end are only repetition; 0 while it is still speech. On telephone audio Whisper tends to
 * repeat a whole utterance: a phrase repeated once is a loop if the tokens before it already fill the time.
 */
export function repeatLength(tokens: readonly number[], seconds: number): number {
  for (let width = 1; width <= WIDEST; width++) {
    const isFull = tokens.length - width >= seconds * SLOW_TOKENS_PER_SECOND
    const repeated = width * repeatsAllowed(width, isFull)
    if (tokens.length < repeated + width) continue
    let isSame = true
    for (let i = 1; i <= repeated && isSame; i++) isSame = tokens.at(-i) === tokens.at(-i - width)
    if (isSame) return repeated
  }
  return 0
}

/** Below this average the transcript is a guess at noise. */
const MIN_LOG_PROBABILITY = -1
/** Silence, noise, hum and music give 0.46 to 0.95, speech 0 to 0.4; above this the words need a higher confidence. */
const LIKELY_NO_SPEECH = 0.6
const MIN_WHEN_UNLIKELY = -0.5

export function isHallucination(logProbability: number, noSpeech: number): boolean {
  return logProbability < (noSpeech > LIKELY_NO_SPEECH ? MIN_WHEN_UNLIKELY : MIN_LOG_PROBABILITY)
}

/**
 * Below this average free words are unclear: of wrong sentences 9 of 29 on a clean line and 45 of 77 in babble at 10 dB,
 * of right ones 11 of 127 and 12 of 72.
 */
const UNCLEAR = -0.5

export const isUnclear = (logProbability: number): boolean => logProbability < UNCLEAR

/** A short answer needs this average per token, and a higher one if the model hears no speech (music: 0.5). */
const MIN_ANSWER = -2.4
const MIN_UNLIKELY_ANSWER = -0.9
const LIKELY_NO_ANSWER = 0.45
/** Sound this unlikely to be speech is never an answer: silence after a question gives "Sim" at -2.1. */
const NO_ANSWER = 0.6

export function isAnswer(averageLogProbability: number, noSpeech: number): boolean {
  if (noSpeech >= NO_ANSWER) return false
  return averageLogProbability >= (noSpeech >= LIKELY_NO_ANSWER ? MIN_UNLIKELY_ANSWER : MIN_ANSWER)
}

/** Whether the voice is about as long as the answer: 0.65 s is too long for "Ok", 0.2 s too short for "Segunda-feira". */
export function fitsDuration(answer: string, voicedSeconds: number): boolean {
  const letters = answer.match(/\p{L}/gu)?.length ?? 0
  return voicedSeconds <= 0.25 + 0.1 * letters && voicedSeconds >= 0.025 * letters
}

/** Speech even if no words were found; other sounds give at least 0.4. */
export const isSpeechLike = (noSpeech: number): boolean => noSpeech < 0.35

/** Removes the echo in "Maria Maria" when the voice was too short to say it twice. Linear. */
export function withoutEcho(text: string, voicedSeconds: number): string {
  const words = text.split(' ')
  const key = (word: string | undefined) => word?.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, '')
  for (const length of [1, 2, 3]) {
    if (words.length < 2 * length || words.length % length !== 0) continue
    if (voicedSeconds > 0.3 * words.length) continue
    if (words.every((word, i) => key(word) === key(words[i % length]))) return words.slice(0, length).join(' ')
  }
  return text
}

const bareWords = (text: string): string => ` ${(text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).join(' ')} `

/** Whether the output of three words and more only repeats the prompt, as Whisper does where it hears little. */
export function isRepetitionOf(text: string, prompt: string): boolean {
  const words = bareWords(text)
  return words.trim().split(' ').length >= 3 && bareWords(prompt).includes(words)
}

/** -60 dB of full scale: too quiet for a voice, so the model is not run. */
const QUIET = 0.001

export const isQuiet = (samples: Float32Array): boolean => samples.every((sample) => Math.abs(sample) < QUIET)
