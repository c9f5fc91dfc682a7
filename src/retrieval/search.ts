// Hybrid search over knowledge bases: keywords always, vectors where present; the best passages with a score.
import { type Language, ruleLanguage } from '../llm/words.ts'
import { type Ranked, reciprocalRankFusion } from './fusion.ts'
import { keywordHits } from './keyword-search.ts'
import { detectLanguage } from './language.ts'
import type { PassageIndex } from './passage-index.ts'
import { cosineSimilarity, dotProduct, lengthOf } from './vectors.ts'

/** `minScore` null: the default of each ranking. */
export type SearchQuery = { question: string; topK: number; minScore: number | null; language: string | null }
export type PassageHit = { documentId: string; number: number; score: number }

/** Measured on test/knowledge-questions.ts: no correct passage scores less. */
const MIN_BY_WORDS = 0.33
const MIN_BY_MEANING = 0.1

const CANDIDATES = 50
const MAX_QUESTION = 2000

/** `vector`: of the query; null: keywords only. */
export function bestPassages(
  indexes: readonly PassageIndex[],
  asked: SearchQuery,
  vector: Int8Array | null,
): PassageHit[] {
  const question = asked.question.slice(0, MAX_QUESTION)
  const likely: Language = asked.language === null ? (indexes[0]?.languages[0] ?? 'en') : ruleLanguage(asked.language)
  const language = detectLanguage(question, likely)
  const count = Math.max(CANDIDATES, asked.topK)
  type Key = PassageIndex['keys'][number]
  const byWords: Ranked<Key>[] = []
  const byMeaning: Ranked<Key>[] = []
  const key = (index: PassageIndex, at: number) => index.keys[at] as Key
  for (const index of indexes) {
    for (const { at, score } of keywordHits(index, question, language, count))
      byWords.push({ key: key(index, at), score })
    if (vector) for (const { at, score } of nearest(index, vector)) byMeaning.push({ key: key(index, at), score })
  }
  const sorted = (ranking: Ranked<Key>[], usual: number) =>
    ranking
      .filter(({ score }) => score >= (asked.minScore ?? usual))
      .sort((a, b) => b.score - a.score)
      .slice(0, count)
  const rankings = [sorted(byWords, MIN_BY_WORDS), ...(vector ? [sorted(byMeaning, MIN_BY_MEANING)] : [])]
  return reciprocalRankFusion(...rankings)
    .slice(0, asked.topK)
    .map(({ key: { documentId, number }, score }) => ({ documentId, number, score }))
}

function nearest(index: PassageIndex, vector: Int8Array): { at: number; score: number }[] {
  const length = lengthOf(vector)
  const places: number[] = []
  const cosines: number[] = []
  for (const [at, own] of index.vectors.entries()) {
    if (own?.values.length !== vector.length) continue // from another model
    places.push(at)
    cosines.push(dotProduct(own.values, vector) / (own.length * length))
  }
  return cosineSimilarity(cosines).map((score, i) => ({ at: places[i] as number, score }))
}
