// Language detection (pt, es, en) by stop words and spelling.
import { isStopWord, type Language, wordsIn } from '../llm/words.ts'

const languages = ['pt', 'es', 'en'] as const
const MAX_SAMPLE = 600 // letters

const marks: Readonly<Record<Language, RegExp>> = {
  pt: /[ãõç]|[êâôà]|\p{L}lh|nh\p{L}|\p{L}ções/giu,
  es: /[ñ¿¡]|ción\b|\p{L}ll\p{L}/giu,
  en: /\bth|ing\b|[^q\s]w|\p{L}k\b/giu,
}
const MARK_WEIGHT = 1.5

/** Returns `otherwise` if the text is inconclusive. */
export const detectLanguage = (text: string, otherwise: Language): Language =>
  likeliestLanguage(wordsIn(text.slice(0, MAX_SAMPLE)), text, otherwise, isStopWord)

/** The same for text that is already split into words. */
export function likeliestLanguage<W>(
  words: readonly W[],
  text: string,
  otherwise: Language,
  isLittleWord: (word: W, language: Language) => boolean,
): Language {
  const part = text.slice(0, MAX_SAMPLE).normalize('NFC')
  let best: Language = otherwise
  let most = 0
  for (const language of [otherwise, ...languages]) {
    let sum = MARK_WEIGHT * (part.match(marks[language])?.length ?? 0)
    for (const word of words) if (isLittleWord(word, language)) sum++
    if (sum > most) {
      most = sum
      best = language
    }
  }
  return best
}
