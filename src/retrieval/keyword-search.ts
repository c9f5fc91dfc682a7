// Keyword search: BM25 over stems, with synonyms, spelling errors of one letter and a bonus for adjacent words. Scores
// are 0 to 1: how much of the query a passage covers.
import { asksForNumbers, isCommonTopic, type Language, questionStems, stemOf, synonymsOf } from '../llm/words.ts'
import { MIN_LETTERS, type PassageIndex, queryTerms } from './passage-index.ts'

export type Hit = { at: number; score: number }

const K1 = 1.2
const B = 0.6
const SYNONYM = 0.6
const TYPO = 0.7
const PREFIX = 0.6
const COMMON = 0.7 // an attribute (price, opening hours) is less specific than the thing it belongs to
const UNKNOWN = 0.4 // a word that occurs in no document
const TOGETHER = 0.2
const WITH_FIGURES = 1.1
const FOREIGN = 0.85 // a passage in another language than the query
const RERANKED = 50 // the best hits are reranked by adjacent words
const WINDOW = 3 // maximum distance in keywords
const MAX_PLACES = 40 // positions of one word in one text
const MAX_WORDS = 40
const MAX_OTHERS = 12 // alternative spellings of one word
const MIN_PREFIX_SHARE = 0.7 // a matching prefix has at least this share of the word
const STEEPNESS = 1.5

/** One word of the query: the index stems that match it, and how well. */
type Term = { stems: Map<number, number>; value: number }

/** Best first; ties in document order. */
export function keywordHits(index: PassageIndex, question: string, language: Language, limit: number): Hit[] {
  const count = index.keys.length
  if (count === 0) return []
  const terms = termsOf(index, question, language)
  const whole = terms.reduce((sum, { value }) => sum + value, 0)
  if (whole === 0) return []
  const sums = new Float64Array(count)
  const best = new Float64Array(count)
  for (const { stems, value } of terms) {
    const touched: number[] = []
    for (const [stem, likeness] of stems) {
      const list = index.postings[stem]
      if (!list) continue
      for (let i = 0; i < list.passages.length; i++) {
        const at = list.passages[i] as number
        const gain = likeness * saturated(list.weights[i] as number, (index.texts[at]?.length ?? 0) / index.meanLength)
        if (best[at] === 0) touched.push(at)
        if (gain > (best[at] as number)) best[at] = gain
      }
    }
    for (const at of touched) {
      sums[at] = (sums[at] as number) + value * (best[at] as number)
      best[at] = 0
    }
  }
  const wantsFigures = asksForNumbers(questionStems(question, language), language)
  for (let at = 0; at < count; at++) {
    const sum = sums[at] as number
    if (sum === 0) continue
    const figures = wantsFigures && index.hasFigures[at] ? WITH_FIGURES : 1
    const foreign = index.languageAt[at] === language ? 1 : FOREIGN
    sums[at] = (sum / whole) * figures * foreign
  }
  const near = highest(sums, Math.max(RERANKED, limit)).map(({ at, score }) => ({
    at,
    score: score * (1 + TOGETHER * togetherness(index.texts[at], terms)),
  }))
  return near
    .sort(byScore)
    .slice(0, limit)
    .map(({ at, score }) => ({ at, score: 1 - Math.exp(-STEEPNESS * score) }))
}

/** The indices of the highest scores above zero, without sorting all of them. */
function highest(scores: Float64Array, most: number): Hit[] {
  const hits: Hit[] = []
  for (let at = 0; at < scores.length; at++) {
    const score = scores[at] as number
    if (score <= (hits.length < most ? 0 : (hits[most - 1]?.score ?? 0))) continue
    let place = hits.length
    while (place > 0 && (hits[place - 1]?.score ?? 0) < score) place--
    hits.splice(place, 0, { at, score })
    if (hits.length > most) hits.pop()
  }
  return hits
}

const byScore = (a: Hit, b: Hit) => b.score - a.score || a.at - b.at

/** 1 for a word that occurs once in a text of average length. */
const saturated = (weight: number, length: number) => (weight * (K1 + 1)) / (weight + K1 * (1 - B + B * length))

function termsOf(index: PassageIndex, question: string, language: Language): Term[] {
  const words = queryTerms(question, language, MAX_WORDS)
  const meant = new Set(words.map((word) => stemOf(word, language)))
  // "How much" has no keyword, but implies a price.
  const implied = [...questionStems(question, language)].filter((stem) => !meant.has(stem))
  const seen = new Set<string>()
  const terms: Term[] = []
  for (const word of [...words, ...implied]) {
    const own = stemOf(word, language)
    if (seen.has(own)) continue
    seen.add(own)
    const stems = new Map<number, number>()
    const add = (stem: string, likeness: number) => {
      const number = index.stemNumbers.get(stem)
      if (number !== undefined && likeness > (stems.get(number) ?? 0)) stems.set(number, likeness)
    }
    for (const each of index.languages) add(stemOf(word, each), 1)
    add(own, 1)
    const isKnown = stems.size > 0
    for (const other of synonymsOf(own, language)) add(other, SYNONYM)
    if (!isKnown) for (const [stem, likeness] of spelledAlike(index, own)) add(stem, likeness)
    const holders = Math.max(0, ...[...stems.keys()].map((number) => index.postings[number]?.passages.length ?? 0))
    const scarcity = Math.log(1 + (index.keys.length - holders + 0.5) / (holders + 0.5))
    terms.push({ stems, value: scarcity * (stems.size === 0 ? UNKNOWN : isCommonTopic(own, language) ? COMMON : 1) })
  }
  return terms
}

/** Stems at a distance of one letter, and those with this prefix. The first letter is rarely wrong. */
function spelledAlike(index: PassageIndex, stem: string): Map<string, number> {
  const found = new Map<string, number>()
  if (stem.length < MIN_LETTERS || /\d/.test(stem)) return found
  for (const other of index.longStems.get(stem.charAt(0)) ?? []) {
    if (found.size >= MAX_OTHERS) break
    if (isOneAway(stem, other)) found.set(other, TYPO)
    else if (hasBeginning(stem, other) || hasBeginning(other, stem)) found.set(other, PREFIX)
  }
  return found
}

const hasBeginning = (long: string, short: string) =>
  long.startsWith(short) && short.length >= MIN_PREFIX_SHARE * long.length

/** One insertion, deletion or substitution, or one transposition. */
export function isOneAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a === b) return false
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  const [restA, restB] = [a.slice(start), b.slice(start)]
  if (restA.slice(1) === restB.slice(1) || restA === restB.slice(1) || restA.slice(1) === restB) return true
  return restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2)
}

/** The share of the query's adjacent pairs that are adjacent in the text too, 0 to 1. */
function togetherness(text: Uint32Array | undefined, terms: readonly Term[]): number {
  if (!text || terms.length < 2) return 0
  const places = terms.map(({ stems }) => {
    const at: number[] = []
    for (let i = 0; i < text.length && at.length < MAX_PLACES; i++) if (stems.has(text[i] as number)) at.push(i)
    return at
  })
  let pairs = 0
  for (let i = 1; i < places.length; i++) {
    const after = places[i] as number[]
    if (places[i - 1]?.some((place) => after.some((other) => other !== place && Math.abs(other - place) <= WINDOW)))
      pairs++
  }
  return pairs / (terms.length - 1)
}
