// In-memory inverted index of passages, with term positions.
import { setImmediate as breathe } from 'node:timers/promises'
import { foldText } from '../base/text/text.ts'
import { isStopWord, type Language, ruleLanguage, stemOf, wordsIn } from '../llm/words.ts'
import { likeliestLanguage } from './language.ts'
import { decodeVector, lengthOf } from './vectors.ts'

export type Indexable = {
  documentId: string
  number: number
  documentName: string
  heading: string
  content: string
  /** Questions that it answers, worded differently from the text. */
  questions: readonly string[]
  /** As stored; null: no vector, or one of another model. */
  vector: string | null
}

export type Postings = { passages: Uint32Array; weights: Float32Array }

export type PassageIndex = {
  keys: readonly { documentId: string; number: number }[]
  languages: readonly Language[]
  /** Per passage. */
  languageAt: readonly Language[]
  /** The stem id of each word in the passages. */
  stems: readonly string[]
  stemNumbers: ReadonlyMap<string, number>
  /** Stems that may match misspelled words, by first letter. */
  longStems: ReadonlyMap<string, readonly string[]>
  postings: readonly Postings[]
  /** The words of each passage's own text, in order. */
  texts: readonly Uint32Array[]
  meanLength: number
  hasFigures: Uint8Array
  vectors: readonly ({ values: Int8Array; length: number } | null)[]
}

/** Shorter stems are not matched to misspelled words. */
export const MIN_LETTERS = 5
const IN_HEADING = 2.5
const IN_NAME = 0.5
const IN_QUESTION = 1
const DETECTION_WORDS = 100
const PASSAGES_PER_STEP = 200 // a few milliseconds of work

type Word = { plain: string; numbers: Partial<Record<Language, number>> }
const isStop = ({ plain }: Word, language: Language) => isStopWord(plain, language)

/** `language`: of the base; null: detect it for each passage. */
export async function buildPassageIndex(
  passages: Iterable<Indexable> | AsyncIterable<Indexable>,
  language: string | null,
): Promise<PassageIndex> {
  const keys: { documentId: string; number: number }[] = []
  const languageAt: Language[] = []
  const { stems, stemNumbers, wordsOf, numbersOf } = stemTable()
  const numbersIn = (text: string, spoken: Language) => numbersOf(wordsOf(text), spoken)
  const lists: { passages: number[]; weights: number[] }[] = []
  const texts: Uint32Array[] = []
  const figures: number[] = []
  const vectors: ({ values: Int8Array; length: number } | null)[] = []
  let lettersOfAll = 0

  let current: Language = language === null ? 'en' : ruleLanguage(language)
  for await (const passage of passages) {
    const at = keys.push({ documentId: passage.documentId, number: passage.number }) - 1
    // An inconclusive passage is probably in the language of the one before it.
    const words = wordsOf(passage.content)
    if (language === null)
      current = likeliestLanguage(words.slice(0, DETECTION_WORDS), passage.content, current, isStop)
    languageAt.push(current)
    const text = numbersOf(words, current)
    const weights = new Map<number, number>()
    const add = (numbers: Iterable<number>, weight: number) => {
      for (const number of numbers) weights.set(number, (weights.get(number) ?? 0) + weight)
    }
    add(text, 1)
    add(new Set(numbersIn(passage.heading, current)), IN_HEADING)
    add(new Set(numbersIn(passage.documentName, current)), IN_NAME)
    for (const question of passage.questions) add(new Set(numbersIn(question, current)), IN_QUESTION)
    for (const [number, weight] of weights) {
      lists[number] ??= { passages: [], weights: [] }
      lists[number].passages.push(at)
      lists[number].weights.push(weight)
    }
    texts.push(Uint32Array.from(text))
    figures.push(/\d/.test(passage.content) ? 1 : 0)
    const values = passage.vector === null ? null : decodeVector(passage.vector)
    vectors.push(values && { values, length: lengthOf(values) })
    lettersOfAll += text.length
    if (keys.length % PASSAGES_PER_STEP === 0) await breathe()
  }
  return {
    keys,
    languages: [...new Set(languageAt)],
    languageAt,
    stems,
    stemNumbers,
    longStems: Map.groupBy(
      stems.filter((stem) => stem.length >= MIN_LETTERS && !/\d/.test(stem)),
      (stem) => stem.charAt(0),
    ),
    postings: lists.map((list) => ({
      passages: Uint32Array.from(list.passages),
      weights: Float32Array.from(list.weights),
    })),
    texts,
    meanLength: Math.max(1, lettersOfAll / Math.max(1, keys.length)),
    hasFigures: Uint8Array.from(figures),
    vectors,
  }
}

/** Numbers the stems of words. Folding and stemming cost far more than a lookup: each word is processed once. */
function stemTable() {
  const stems: string[] = []
  const stemNumbers = new Map<string, number>()
  const known = new Map<string, Word>()

  function wordsOf(text: string): Word[] {
    const words: Word[] = []
    for (const raw of text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? []) {
      let word = known.get(raw)
      if (!word) {
        word = { plain: foldText(raw), numbers: {} }
        known.set(raw, word)
      }
      words.push(word)
    }
    return words
  }

  /** -1 for stop words. */
  function numberOf(word: Word, language: Language): number {
    const before = word.numbers[language]
    if (before !== undefined) return before
    const isNone = word.plain === '' || isStopWord(word.plain, language)
    const stem = isNone ? '' : stemOf(word.plain, language)
    let number = isNone ? -1 : stemNumbers.get(stem)
    if (number === undefined) {
      number = stems.push(stem) - 1
      stemNumbers.set(stem, number)
    }
    word.numbers[language] = number
    return number
  }
  function numbersOf(words: readonly Word[], language: Language): number[] {
    const numbers: number[] = []
    for (const word of words) {
      const number = numberOf(word, language)
      if (number !== -1) numbers.push(number)
    }
    return numbers
  }

  return { stems, stemNumbers, wordsOf, numbersOf }
}

/** The keywords of a query, each once, in order. */
export function queryTerms(text: string, language: Language, most: number): string[] {
  return [...new Set(wordsIn(text))].filter((word) => !isStopWord(word, language)).slice(0, most)
}
