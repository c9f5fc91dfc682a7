// Word error rate: substitutions, deletions and insertions relative to the reference.
import { normalize } from './text/normalize.ts'

export type WordErrors = { errors: number; words: number }

/** Words as spoken, so that "14h" and "quatorze horas" are equal; no punctuation, no case. */
export function spokenWords(text: string, language: string): string[] {
  const spoken = normalize(text, language).normalize('NFC').toLowerCase()
  return spoken
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
    .split(' ')
    .filter((word) => word !== '')
}

/** The minimum number of substituted, deleted and inserted words between reference and transcript. */
export function wordErrors(said: string, heard: string, language: string): WordErrors {
  const reference = spokenWords(said, language)
  const found = spokenWords(heard, language)
  let row = Array.from({ length: found.length + 1 }, (_, i) => i)
  for (const [i, word] of reference.entries()) {
    const next = [i + 1]
    for (const [k, other] of found.entries()) {
      const changed = (row[k] as number) + (word === other ? 0 : 1)
      next.push(Math.min(changed, (row[k + 1] as number) + 1, (next[k] as number) + 1))
    }
    row = next
  }
  return { errors: row.at(-1) as number, words: reference.length }
}

/** Over several utterances: all errors divided by all words; 0 if there are none. */
export function wordErrorRate(results: readonly WordErrors[]): number {
  const words = results.reduce((sum, result) => sum + result.words, 0)
  return words === 0 ? 0 : results.reduce((sum, result) => sum + result.errors, 0) / words
}
