// Whether a transcript says what was said: all content words of a sentence, or all digits of a number.
import { foldText } from '../../src/base/text/text.ts'
import { spokenWords, type WordErrors, wordErrors } from '../../src/speech/word-errors.ts'
import type { Said } from './set.ts'

/** Words that can be lost without changing the meaning. */
const functionWords = new Set(
  `a o as os um uma e de da do das dos na no nas nos em para pra por pelo pela com que se eu me voce voces meu minha
  ele ela isso esse essa entao olha bom dia favor ha uns the an of to for is i my do you that it would el la los las
  una y en mi su es lo`.split(/\s+/),
)

const wordsOf = (text: string, language: string): string[] => spokenWords(text, language).map((word) => foldText(word))

const isContent = (word: string) => !functionWords.has(word)

/** The word of a single-word answer always counts. */
export function isUnderstood(said: Said, heard: string): boolean {
  if (said.kind === 'number') return digitsOf(said.text) === digitsOf(heard)
  const text = said.text.replaceAll(' … ', ' ')
  const expected = wordsOf(text, said.language)
  const found = wordsOf(heard, said.language)
  if (said.kind === 'word') return sameSound(expected.join(' ')) === sameSound(found.join(' '))
  const left = [...found]
  for (const word of expected.filter(isContent)) {
    const at = left.indexOf(word)
    if (at < 0) return false
    left.splice(at, 1)
  }
  return left.filter(isContent).length <= 1
}

/** Normalizes other spellings of the same answer. */
const sameSound = (text: string): string =>
  text
    .replace(/^(okay|o k|oque|oquei)$/, 'ok')
    .replace(/^esta bom$/, 'ta bom')
    .replace(/^picks$/, 'pix')
    .replace(/^mari a$/, 'maria')

export function errorsOf(said: Said, heard: string): WordErrors {
  if (said.kind !== 'number') return wordErrors(said.text.replaceAll(' … ', ' '), heard, said.language)
  return wordErrors([...digitsOf(said.text)].join(', '), [...digitsOf(heard)].join(', '), said.language)
}

const ones =
  'zero um dois tres quatro cinco seis sete oito nove dez onze doze treze quatorze quinze dezesseis dezessete dezoito dezenove'.split(
    ' ',
  )
const tens = 'vinte trinta quarenta cinquenta sessenta setenta oitenta noventa'.split(' ')
const wordValues = new Map<string, number>([
  ...ones.map((word, i) => [word, i] as const),
  ...tens.map((word, i) => [word, 20 + 10 * i] as const),
  ['meia', 6],
  ['uma', 1],
  ['duas', 2],
])

/** Digits as they are written or said; "vinte e um" is 21. */
export function digitsOf(text: string): string {
  const words = foldText(text).match(/\d+|\p{L}+/gu) ?? []
  let out = ''
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string
    const value = wordValues.get(word)
    if (/^\d/.test(word)) out += word
    else if (
      value !== undefined &&
      value >= 20 &&
      words[i + 1] === 'e' &&
      (wordValues.get(words[i + 2] ?? '') ?? 99) < 10
    ) {
      out += value + (wordValues.get(words[i + 2] ?? '') as number)
      i += 2
    } else if (value !== undefined) out += value
  }
  return out
}
