// Token choice, and detection of hallucinated or repeating output. Pure.

export type Choice = { token: number; logit: number; logSum: number }

/** Far below the best a token adds nothing to the sum that one could see. */
const NEGLIGIBLE = 16

/** The likeliest token that the mask allows, and the logarithm of the sum of all; `mask` also says how many there are. */
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

/** Nobody says more than 9 tokens in a second. */
export const mostTokens = (seconds: number): number => Math.min(220, Math.ceil(8 + seconds * 9))

/** How many times a run of so many tokens may follow itself before it is a circle. */
const repeatsAllowed = (width: number, isFull: boolean): number => (width >= 5 && isFull ? 1 : width >= 3 ? 2 : 4)
const WIDEST = 30
/** Tokens a second that slow speech has; who says a phrase twice says it twice as fast as this at least. */
const SLOW_TOKENS_PER_SECOND = 2.5

/**
 * How many tokens at the end are only repetition; 0 while it is still speech. By telephone Whisper likes to say a whole
 * utterance twice: a phrase that follows itself once is a circle when the tokens before it already fill the time.
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

/** Below this average it is a guess about noise. */
const LEAST_LOG_PROBABILITY = -1
/** Silence, noise, hum and music give 0.46 to 0.95 where speech gives 0 to 0.4; then it must be surer of its words. */
const LIKELY_NO_SPEECH = 0.6
const LEAST_WHEN_UNLIKELY = -0.5

export function isHallucination(logProbability: number, noSpeech: number): boolean {
  return logProbability < (noSpeech > LIKELY_NO_SPEECH ? LEAST_WHEN_UNLIKELY : LEAST_LOG_PROBABILITY)
}

/** -60 dB of full scale: nothing that could be a voice, so the model is not even asked. */
const QUIET = 0.001

export const isQuiet = (samples: Float32Array): boolean => samples.every((sample) => Math.abs(sample) < QUIET)
