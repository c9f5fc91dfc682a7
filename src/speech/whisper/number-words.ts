// Numbers said digit by digit. Written in figures Whisper merges and drops repeated digits; written in words it does not.

type NumberWords = {
  readonly words: readonly string[]
  /** Given to the model as the preceding text, whose style it continues. */
  readonly example: string
}

const pt: NumberWords = {
  words:
    `zero um uma dois duas três quatro cinco seis meia sete oito nove dez onze doze treze quatorze catorze quinze dezesseis
    dezessete dezoito dezenove vinte trinta quarenta cinquenta sessenta setenta oitenta noventa cem cento mil`.split(
      /\s+/,
    ),
  example: 'Um dois três, meia sete oito, zero zero nove.',
}
const en: NumberWords = {
  words:
    `zero oh one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand double triple`.split(
      /\s+/,
    ),
  example: 'One two three, six seven eight, zero zero nine.',
}
const es: NumberWords = {
  words:
    `cero uno una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete
    dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco treinta cuarenta cincuenta sesenta
    setenta ochenta noventa cien ciento mil`.split(/\s+/),
  example: 'Uno dos tres, seis siete ocho, cero cero nueve.',
}
const joins: Readonly<Record<string, string>> = { pt: 'e', es: 'y', en: 'and' }
const all: Readonly<Record<string, NumberWords>> = { pt, en, es }

/** What a dictated number is made of: words, each with the space before it, and the marks between them. */
export function numberPieces(language: string): string[] {
  const words = all[language]?.words ?? []
  const spellings = words.flatMap((word) => [` ${word}`, ` ${word.charAt(0).toUpperCase()}${word.slice(1)}`])
  return words.length === 0 ? [] : [...spellings, ` ${joins[language]}`, ',', '.']
}

/** The text before a dictated number, by Whisper's name of the language; undefined where it is not known how numbers are said. */
export const numberExample = (language: string): string | undefined => all[language]?.example

const MIN_DIGITS = 4
/** Of all letters and digits. */
const MIN_SHARE = 0.65

/** Whether a transcript is a number and hardly anything else; amounts, times and dates are not dictated digit by digit. */
export function isDictatedNumber(text: string): boolean {
  if (/[$€£%:/]/.test(text)) return false
  const digits = text.match(/\p{N}/gu)?.length ?? 0
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  return digits >= MIN_DIGITS && digits >= MIN_SHARE * (digits + letters)
}

/** Whether both can be the same number: in words it has hardly more digits than in figures, unless the decoder loops. */
export function isAsLong(inWords: string, inFigures: string): boolean {
  const words = inWords.match(/\p{L}+/gu)?.length ?? 0
  const digits = inFigures.match(/\p{N}/gu)?.length ?? 0
  return words <= 1.5 * digits + 2
}
