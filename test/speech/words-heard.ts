// How much of a text was recognized, if the recognized words are its beginning.
import { spokenWords, wordErrors } from '../../src/speech/word-errors.ts'

/** The number of words with the fewest errors; a last word that was cut off and misheard does not count. */
export function wordsHeardOf(text: string, beginning: string, language: string): number {
  const words = spokenWords(text, language)
  const errors = [0, ...words.keys()].map((_, i) => wordErrors(words.slice(0, i).join(' '), beginning, language).errors)
  return errors.indexOf(Math.min(...errors))
}
