// Whisper inference: samples to text. Runs in a worker thread (worker.ts).
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Tensor } from 'onnxruntime-node'
import { logMel, MEL_BANDS, MEL_HOP, MEL_RATE_HZ } from '../../audio/mel.ts'
import { LruCache } from '../../base/lru-cache.ts'
import { loadRuntime, type Runtime, type Session, sessionOptions } from '../onnx/runtime.ts'
import { type AnswerTree, answerTree, findAnswer } from './answer-search.ts'
import { condition } from './conditioning.ts'
import { type Decoder, type DecoderState, decoderOf } from './decoder.ts'
import { whisperFiles } from './folder.ts'
import {
  chooseToken,
  fitsDuration,
  isAnswer,
  isHallucination,
  isRepetitionOf,
  isSpeechLike,
  isUnclear,
  mostTokens,
  withoutEcho,
} from './guards.ts'
import { findNumber } from './number-search.ts'
import { isAsLong, isDictatedNumber, numberExample, numberPieces } from './number-words.ts'
import { answersFor } from './short-answers.ts'
import { type TokenTree, tokenTree } from './token-tree.ts'
import { loadTokens, type WhisperTokens, whisperLanguage } from './tokens.ts'
import { findWords, termTree } from './word-search.ts'

type WhisperResult = {
  text: string
  /** Average log-probability of the tokens. */
  logProbability: number
  noSpeech: number
  /** It sounded like speech, whether or not there are words. */
  hasSpeech: boolean
  /** Free words, some of which are probably wrong. */
  isUnclear: boolean
  tokens: number
  melMs: number
  encodeMs: number
  decodeMs: number
}
type WhisperOptions = {
  language: string
  hints?: readonly string[]
  names?: readonly string[]
  words?: readonly string[]
  prompt?: string
}
export type WhisperModel = {
  /**
   * Samples of -1 to 1 at 16 kHz, at most 27 s. Undefined if `isCanceled`, which is checked between steps, returned
   * true.
   */
  transcribe(
    samples: Float32Array,
    options: WhisperOptions,
    isCanceled: () => boolean,
  ): Promise<WhisperResult | undefined>
  release(): Promise<void>
}

/** Trailing silence, in s: with less, the ends of telephone utterances are misheard (measured: 3 is best). */
const PADDING_SECONDS = 3
/** The encoder produces one position from two mel frames. */
const POSITIONS_PER_SECOND = MEL_RATE_HZ / MEL_HOP / 2
const MAX_POSITIONS = 1500

/** Longer utterances are not searched for short answers. */
const MAX_ANSWER_SECONDS = 1.3
/** An answer is preferred to other words unless they are more likely by this margin; a smaller one if those are fairly certain. */
const ANSWER_MARGIN = 3.3
const SURE_MARGIN = 1.5
const SURE_WORDS = -0.6
/** From this average on an answer is certain, and free recognition is not needed. */
const CERTAIN_ANSWER = -0.9

/** `bonus`: for expected words, beside `sum`. `isFree`: neither a short answer nor a dictated number. */
type Decoded = {
  said: readonly number[]
  text: string
  noSpeech: number
  sum: number
  bonus: number
  count: number
  isFree: boolean
}
type Opened = { state: DecoderState; row: Float32Array; noSpeech: number }
type Canceled = () => boolean
type Request = {
  sound: Tensor
  seconds: number
  voicedSeconds: number
  options: WhisperOptions
  isCanceled: Canceled
}
/** The loaded model, and the search trees that were made for it. */
type Loaded = {
  runtime: Runtime
  encoder: Session
  decoder: Decoder
  tokens: WhisperTokens
  nothingSuppressed: Uint8Array
  answerTrees: LruCache<string, AnswerTree>
  numberTrees: Map<string, TokenTree>
  termTrees: LruCache<string, TokenTree>
}

const averageOf = ({ sum, count }: Decoded): number => sum / count
const averageWithBonus = ({ sum, bonus, count }: Decoded): number => (sum + bonus) / count
/** From this average on words are certain, and are not recognized a second time. */
const CERTAIN_WORDS = -0.15
/** Below this average the utterance was not a number after all. */
const MIN_NUMBER = -0.8
/** Above this, a second pass with hints would only hallucinate. */
const MAX_NO_SPEECH = 0.6
const NO_TERMS = tokenTree([], () => [])

export async function loadWhisper(folder: string, threads: number): Promise<WhisperModel> {
  const runtime = await loadRuntime()
  const options = sessionOptions(threads)
  const tokens = await loadTokens(folder)
  const config = JSON.parse(await readFile(join(folder, whisperFiles.model), 'utf8')) as {
    decoder_attention_heads: number
    d_model: number
    vocab_size: number
  }
  const encoder = await runtime.InferenceSession.create(join(folder, whisperFiles.encoder), options)
  const session = await runtime.InferenceSession.create(join(folder, whisperFiles.decoder), options)
  const heads = config.decoder_attention_heads
  const model: Loaded = {
    runtime,
    encoder,
    decoder: decoderOf({ runtime, session, heads, headSize: config.d_model / heads }),
    tokens,
    nothingSuppressed: new Uint8Array(config.vocab_size),
    answerTrees: new LruCache(16),
    numberTrees: new Map(),
    termTrees: new LruCache(16),
  }
  return {
    transcribe: (samples, asked, isCanceled) => transcribe(model, samples, asked, isCanceled),
    async release() {
      await encoder.release()
      await session.release()
    },
  }
}

async function transcribe(
  model: Loaded,
  samples: Float32Array,
  options: WhisperOptions,
  isCanceled: Canceled,
): Promise<WhisperResult | undefined> {
  const { samples: ready, voicedSeconds } = condition(samples)
  const seconds = ready.length / MEL_RATE_HZ
  const opening = model.tokens.opening(options.language, []) // fails for an unknown language
  const { sound, melMs, encodeMs } = await encode(model, ready)
  const startedMs = performance.now()
  if (isCanceled()) return undefined
  const request = { sound, seconds, voicedSeconds, options, isCanceled }
  const isShort = voicedSeconds <= MAX_ANSWER_SECONDS
  const heard = isShort
    ? await decodeShort(model, request)
    : await decodeWords(model, await open(model, sound, opening), request)
  if (!heard || isCanceled()) return undefined
  const logProbability = averageOf(heard)
  const isRefused = heard.said.length > 0 && isHallucination(logProbability, heard.noSpeech)
  const text = isRefused ? '' : withoutEcho(heard.text, voicedSeconds)
  return {
    text,
    logProbability,
    noSpeech: heard.noSpeech,
    hasSpeech: text !== '' || isSpeechLike(heard.noSpeech),
    isUnclear: heard.isFree && isUnclear(logProbability),
    tokens: heard.count - 1,
    melMs,
    encodeMs,
    decodeMs: performance.now() - startedMs,
  }
}

async function encode({ runtime, encoder }: Loaded, samples: Float32Array) {
  const startedMs = performance.now()
  const seconds = samples.length / MEL_RATE_HZ + PADDING_SECONDS
  const frames = 2 * Math.min(MAX_POSITIONS, Math.ceil(seconds * POSITIONS_PER_SECOND))
  const mel = new runtime.Tensor('float32', logMel(samples, frames), [1, MEL_BANDS, frames])
  const melMs = performance.now() - startedMs
  const { last_hidden_state: sound } = await encoder.run({ input_features: mel })
  if (!sound) throw new Error('whisper: the encoder gave nothing')
  return { sound, melMs, encodeMs: performance.now() - startedMs - melMs }
}

async function open(model: Loaded, sound: Tensor, opening: readonly number[]): Promise<Opened> {
  const { decoder, tokens, nothingSuppressed } = model
  // The fourth from the end is the start: hints and a prompt come before it.
  const { state, rows } = await decoder.open(sound, opening, opening.length - 4)
  const atStart = rows[0] as Float32Array
  const noSpeech = Math.exp((atStart[tokens.noSpeech] as number) - chooseToken(atStart, nothingSuppressed).logSum)
  return { state, row: rows.at(-1) as Float32Array, noSpeech }
}

/** Free words, with what the agent expects where they are almost as likely as others. */
async function decodeFreely(model: Loaded, opened: Opened, request: Request): Promise<Decoded | undefined> {
  const { decoder, tokens } = model
  const { seconds, isCanceled } = request
  const terms = opened.noSpeech > MAX_NO_SPEECH ? NO_TERMS : termsOf(model, request)
  const found = await findWords({ terms, decoder, tokens, seconds, isCanceled }, opened)
  if (!found) return undefined
  const { said } = found
  return { ...found, text: tokens.textOf(said), noSpeech: opened.noSpeech, count: said.length + 1, isFree: true }
}

function termsOf(
  { termTrees, tokens }: Loaded,
  { options: { hints = [], names = [], words = [] } }: Request,
): TokenTree {
  const known = [...hints, ...names]
  if (known.length + words.length === 0) return NO_TERMS
  const key = JSON.stringify([known, words])
  const tree = termTrees.get(key) ?? termTree({ names: known, words }, tokens.encode)
  termTrees.set(key, tree)
  return tree
}

async function decodeAnswer(
  { decoder, tokens, answerTrees }: Loaded,
  opened: Opened,
  { options: { language, hints = [] }, isCanceled }: Request,
): Promise<Decoded | undefined> {
  const name = whisperLanguage(language)
  const key = JSON.stringify([name, hints])
  const tree = answerTrees.get(key) ?? answerTree(answersFor(name, hints), tokens.encode)
  answerTrees.set(key, tree)
  const found = await findAnswer({ tree, decoder, tokens, isCanceled }, opened.state, opened.row)
  if (!found || !isAnswer(found.score / found.tokens, opened.noSpeech)) return undefined
  const { text, score: sum, tokens: count } = found
  return { said: [], text, noSpeech: opened.noSpeech, sum, bonus: 0, count, isFree: false }
}

/** A dictated number once more, in words. Undefined if it is none. */
async function decodeNumber(
  model: Loaded,
  first: Decoded,
  { sound, seconds, options, isCanceled }: Request,
): Promise<Decoded | undefined> {
  const { decoder, tokens, numberTrees } = model
  const language = whisperLanguage(options.language)
  const example = numberExample(language)
  if (example === undefined) return undefined
  const tree = numberTrees.get(language) ?? tokenTree(numberPieces(language), tokens.encode)
  numberTrees.set(language, tree)
  const before = `${options.prompt ?? ''} ${example}`
  const opened = await open(model, sound, tokens.opening(options.language, [], before))
  const search = { tree, decoder, tokens, maxTokens: 2 * mostTokens(seconds), isCanceled }
  const found = await findNumber(search, opened)
  if (!found || found.sum / (found.said.length + 1) < MIN_NUMBER) return undefined
  const text = tokens.textOf(found.said)
  if (!isAsLong(text, first.text)) return undefined
  return { ...found, text, noSpeech: first.noSpeech, bonus: 0, count: found.said.length + 1, isFree: false }
}

/** Words; if they are uncertain, once more with hints and prompt in mind, and the likelier ones of both. */
async function decodeWords(model: Loaded, plain: Opened, request: Request): Promise<Decoded | undefined> {
  const { language, hints = [], prompt = '' } = request.options
  const first = await decodeFreely(model, plain, request)
  if (!first) return undefined
  // Digits with pauses sound little like speech to the model (0.6), but noise is never heard as a number.
  const number = isDictatedNumber(first.text) ? await decodeNumber(model, first, request) : undefined
  if (first.noSpeech > MAX_NO_SPEECH) return number ?? first
  if (number || averageOf(first) >= CERTAIN_WORDS || (hints.length === 0 && prompt === '')) return number ?? first
  const biased = await open(model, request.sound, model.tokens.opening(language, hints, prompt))
  const second = await decodeFreely(model, biased, request)
  if (!second || second.text === '' || isRepetitionOf(second.text, prompt)) return first
  // Whether there is speech is told without bias.
  return averageWithBonus(second) > averageWithBonus(first) ? { ...second, noSpeech: first.noSpeech } : first
}

/** A short utterance: an answer to the question, or else any words. */
async function decodeShort(model: Loaded, request: Request): Promise<Decoded | undefined> {
  const { sound, voicedSeconds, options, isCanceled } = request
  const { language, prompt } = options
  const afterQuestion = await open(model, sound, model.tokens.opening(language, [], prompt))
  const found = await decodeAnswer(model, afterQuestion, request)
  if (isCanceled() || (found && averageOf(found) >= CERTAIN_ANSWER)) return found
  const answer = found && fitsDuration(found.text, voicedSeconds) ? found : undefined
  const plain = prompt ? await open(model, sound, model.tokens.opening(language, [])) : afterQuestion
  const words = await decodeWords(model, plain, request)
  if (!answer || !words) return words
  const average = averageOf(words)
  const margin = average >= SURE_WORDS ? SURE_MARGIN : ANSWER_MARGIN
  return isHallucination(average, words.noSpeech) || answer.sum >= words.sum - margin ? answer : words
}
