// How much of a text ears have heard, if what they heard is its beginning.
import { spokenWords, wordErrors } from '../../src/speech/word-errors.ts'

/** As many words as give the fewest errors; of a last word that was cut off, and heard as another, nothing counts. */
export function wordsHeardOf(text: string, beginning: string, language: string): number {
  const words = spokenWords(text, language)
  const errors = [0, ...words.keys()].map((_, i) => wordErrors(words.slice(0, i).join(' '), beginning, language).errors)
  return errors.indexOf(Math.min(...errors))
}
