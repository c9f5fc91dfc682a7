// Whisper's decoding: encoded sound to text. Runs in a worker thread (worker.ts).
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Tensor } from 'onnxruntime-node'
import { LruCache } from '../../base/lru-cache.ts'
import { loadRuntime, sessionOptions } from '../onnx/runtime.ts'
import { type AnswerTree, answerTree, findAnswer } from './answer-search.ts'
import { decoderOf } from './decoder.ts'
import type { EncodedSound } from './encoder-worker.ts'
import { whisperFiles } from './folder.ts'
import { decodeGreedily, type Opened, openDecoder } from './greedy.ts'
import {
  fitsDuration,
  hintsIn,
  isAnswer,
  isHallucination,
  isRepetitionOf,
  isSpeechLike,
  mostTokens,
  withoutEcho,
} from './guards.ts'
import { findNumber, type NumberTree, numberTree } from './number-search.ts'
import { isAsLong, isDictatedNumber, numberExample, numberPieces } from './number-words.ts'
import { answersFor } from './short-answers.ts'
import { loadTokens, whisperLanguage } from './tokens.ts'

export type WhisperResult = {
  text: string
  /** Average log-probability of the tokens. */
  logProbability: number
  noSpeech: number
  /** It sounded like speech, whether or not there are words. */
  hasSpeech: boolean
  tokens: number
}
export type WhisperOptions = {
  language: string
  hints?: readonly string[]
  prompt?: string
  /** As in SttOptions. */
  utterance?: string | undefined
}
export type WhisperModel = {
  /** Throws for a language that Whisper does not know. */
  checkLanguage(language: string): void
  /** Undefined if `isCancelled`, which is checked between steps, returned true. */
  decode(encoded: EncodedSound, options: WhisperOptions, isCancelled: () => boolean): Promise<WhisperResult | undefined>
  release(): Promise<void>
}

/** Longer utterances are no short answers. */
const LONGEST_ANSWER_SECONDS = 1.3
/** An answer is preferred to other words that are so little more likely; by less if those are fairly certain. */
const ANSWER_MARGIN = 3.3
const SURE_MARGIN = 1.5
const SURE_WORDS = -0.6
/** From this average on an answer is certain, and free recognition is not needed. */
const CERTAIN_ANSWER = -0.9

type Decoded = { said: readonly number[]; text: string; noSpeech: number; sum: number; count: number }
type Cancelled = () => boolean
type Request = {
  sound: Tensor
  seconds: number
  voicedSeconds: number
  options: WhisperOptions
  isCancelled: Cancelled
}

const averageOf = ({ sum, count }: Decoded): number => sum / count
/** From this average on words are certain, and are not recognised a second time. */
const CERTAIN_WORDS = -0.15
/** An expected word makes up for a somewhat lower average. */
const HINT_BONUS = 0.2
/** Below this average it is no number after all. */
const LEAST_NUMBER = -0.8
/** Utterances that are recognised more than once at the same time: a few for each call. */
const MAX_DRAFTS = 256
/** Bias is of no use where nobody speaks. */
const MOST_NO_SPEECH = 0.6

export async function loadWhisper(folder: string, threads: number): Promise<WhisperModel> {
  const runtime = await loadRuntime()
  const options = sessionOptions(threads)
  const tokens = await loadTokens(folder)
  const config = JSON.parse(await readFile(join(folder, whisperFiles.model), 'utf8')) as {
    decoder_attention_heads: number
    d_model: number
  }
  const session = await runtime.InferenceSession.create(join(folder, whisperFiles.decoder), options)
  const heads = config.decoder_attention_heads
  const decoder = decoderOf({ runtime, session, heads, headSize: config.d_model / heads })
  const trees = new LruCache<string, AnswerTree>(16)
  /** Tokens of the latest hypothesis of each utterance. */
  const drafts = new LruCache<string, readonly number[]>(MAX_DRAFTS)
  const numberTrees = new Map<string, NumberTree>()

  const open = (sound: Tensor, opening: readonly number[], draft: readonly number[] = []) =>
    openDecoder({ decoder, tokens, sound }, opening, draft)

  async function decodeFreely(
    opened: Opened,
    { seconds, isCancelled }: Request,
    onSaid: (said: readonly number[]) => void = () => {},
  ): Promise<Decoded | undefined> {
    const found = await decodeGreedily({ decoder, tokens, seconds, isCancelled }, opened)
    // What was decoded until it was cancelled is a draft too, unless the one before was longer.
    if (!found.isCancelled || found.said.length > opened.draft.length) onSaid(found.said)
    if (found.isCancelled) return undefined
    const { said, sum } = found
    return { said, text: tokens.textOf(said), noSpeech: opened.noSpeech, sum, count: said.length + 1 }
  }

  function treeFor(language: string, hints: readonly string[]): AnswerTree {
    const key = JSON.stringify([language, hints])
    const known = trees.get(key)
    const tree = known ?? answerTree(answersFor(language, hints), tokens.encode)
    if (!known) trees.set(key, tree)
    return tree
  }

  async function decodeAnswer(
    opened: Opened,
    { language, hints = [] }: WhisperOptions,
    isCancelled: Cancelled,
  ): Promise<Decoded | undefined> {
    const tree = treeFor(whisperLanguage(language), hints)
    const row = opened.rows[0] as Float32Array
    const found = await findAnswer({ tree, decoder, tokens, isCancelled }, opened.state, row)
    if (!found || !isAnswer(found.score / found.tokens, opened.noSpeech)) return undefined
    return { said: [], text: found.text, noSpeech: opened.noSpeech, sum: found.score, count: found.tokens }
  }

  /** A dictated number once more, in words. Undefined if it is none. */
  async function decodeNumber(
    first: Decoded,
    { sound, seconds, options, isCancelled }: Request,
  ): Promise<Decoded | undefined> {
    const language = whisperLanguage(options.language)
    const example = numberExample(language)
    if (example === undefined) return undefined
    const tree = numberTrees.get(language) ?? numberTree(numberPieces(language), tokens.encode)
    numberTrees.set(language, tree)
    const before = `${options.prompt ?? ''} ${example}`
    const { state, rows } = await open(sound, tokens.opening(options.language, [], before))
    const search = { tree, decoder, tokens, maxTokens: 2 * mostTokens(seconds), isCancelled }
    const found = await findNumber(search, { state, row: rows[0] as Float32Array })
    if (!found || found.sum / (found.said.length + 1) < LEAST_NUMBER) return undefined
    const text = tokens.textOf(found.said)
    if (!isAsLong(text, first.text)) return undefined
    return { ...found, text, noSpeech: first.noSpeech, count: found.said.length + 1 }
  }

  /** Words; if they are uncertain, once more with hints and prompt in mind, and the likelier ones of both. */
  async function decodeWords(plain: Opened, request: Request): Promise<Decoded | undefined> {
    const { sound, options } = request
    const { language, hints = [], prompt = '', utterance } = options
    const first = await decodeFreely(plain, request, (said) => utterance && drafts.set(utterance, said))
    if (!first) return undefined
    // Digits with pauses sound little like speech to the model (0.6), but noise is never heard as a number.
    const number = isDictatedNumber(first.text) ? await decodeNumber(first, request) : undefined
    if (first.noSpeech > MOST_NO_SPEECH) return number ?? first
    if (number || averageOf(first) >= CERTAIN_WORDS || (hints.length === 0 && prompt === '')) return number ?? first
    const biased = await open(sound, tokens.opening(language, hints, prompt), first.said)
    const second = await decodeFreely(biased, request)
    if (!second || second.text === '' || isRepetitionOf(second.text, prompt)) return first
    // Whether there is speech is told without bias.
    const bonus = hintsIn(second.text, hints) > hintsIn(first.text, hints) ? HINT_BONUS : 0
    return averageOf(second) + bonus > averageOf(first) ? { ...second, noSpeech: first.noSpeech } : first
  }

  /** Without bias, together with what is known of this utterance. */
  const openPlain = ({ sound, options: { language, utterance } }: Request) =>
    open(sound, tokens.opening(language, []), utterance === undefined ? [] : drafts.get(utterance))

  /** A short utterance: an answer to the question, or else any words. */
  async function decodeShort(request: Request): Promise<Decoded | undefined> {
    const { sound, voicedSeconds, options, isCancelled } = request
    const { language, prompt } = options
    const afterQuestion = await open(sound, tokens.opening(language, [], prompt))
    const found = await decodeAnswer(afterQuestion, options, isCancelled)
    if (isCancelled() || (found && averageOf(found) >= CERTAIN_ANSWER)) return found
    const answer = found && fitsDuration(found.text, voicedSeconds) ? found : undefined
    const plain = prompt ? await openPlain(request) : afterQuestion
    const words = await decodeWords(plain, request)
    if (!answer || !words) return words
    const average = averageOf(words)
    const margin = average >= SURE_WORDS ? SURE_MARGIN : ANSWER_MARGIN
    return isHallucination(average, words.noSpeech) || answer.sum >= words.sum - margin ? answer : words
  }

  return {
    checkLanguage: (language) => void tokens.opening(language, []),
    async decode({ sound: data, dims, seconds, voicedSeconds }, options, isCancelled) {
      if (isCancelled()) return undefined
      const sound = new runtime.Tensor('float32', data, dims)
      const request = { sound, seconds, voicedSeconds, options, isCancelled }
      const isShort = voicedSeconds <= LONGEST_ANSWER_SECONDS
      const heard = isShort ? await decodeShort(request) : await decodeWords(await openPlain(request), request)
      if (!heard || isCancelled()) return undefined
      const logProbability = averageOf(heard)
      const isRefused = heard.said.length > 0 && isHallucination(logProbability, heard.noSpeech)
      const text = isRefused ? '' : withoutEcho(heard.text, voicedSeconds)
      const hasSpeech = text !== '' || isSpeechLike(heard.noSpeech)
      return { text, logProbability, noSpeech: heard.noSpeech, hasSpeech, tokens: heard.count - 1 }
    },
    release: () => session.release(),
  }
}
