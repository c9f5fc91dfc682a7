// Which of the three languages a text is in, by its little words and its letters.
import { isLittle, type Language, wordsIn } from '../llm/words.ts'

const tongues = ['pt', 'es', 'en'] as const
const LOOKED_AT = 600 // letters are enough to tell

const marks: Readonly<Record<Language, RegExp>> = {
  pt: /[ãõç]|[êâôà]|\p{L}lh|nh\p{L}|\p{L}ções/giu,
  es: /[ñ¿¡]|ción\b|\p{L}ll\p{L}/giu,
  en: /\bth|ing\b|[^q\s]w|\p{L}k\b/giu,
}
const MARK = 1.5

/** Where nothing tells, `otherwise`. */
export const tongueIn = (text: string, otherwise: Language): Language =>
  likeliest(wordsIn(text.slice(0, LOOKED_AT)), text, otherwise, isLittle)

/** The same for words that were taken apart already. */
export function likeliest<W>(
  words: readonly W[],
  text: string,
  otherwise: Language,
  isLittleWord: (word: W, tongue: Language) => boolean,
): Language {
  const part = text.slice(0, LOOKED_AT).normalize('NFC')
  let best: Language = otherwise
  let most = 0
  for (const tongue of [otherwise, ...tongues]) {
    let sum = MARK * (part.match(marks[tongue])?.length ?? 0)
    for (const word of words) if (isLittleWord(word, tongue)) sum++
    if (sum > most) {
      most = sum
      best = tongue
    }
  }
  return best
}
