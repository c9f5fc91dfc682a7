// A plain number: an order number keeps its zeros, a quantity may be "meia dúzia", "dois e meio" or "menos cinco".
import { folded } from './answers.ts'
import { complete, failed, type Reading } from './kinds.ts'
import { numberWordsOf } from './number-words.ts'
import { type Quantity, quantitiesIn, type Said } from './quantities.ts'
import { versionsIn } from './self-repair.ts'
import { digitsIn } from './spoken-numbers.ts'
import { type DictationLanguage, dictationLanguage, type Token } from './tokens.ts'

const minus = new Set(['menos', 'minus', 'negative'])
/** "pelo menos cinco", "mais ou menos cinco": not a sign. */
const comparisons = new Set('pelo ao ou al o lo mas the'.split(' '))
/** An article before one of these counts it: "uma pessoa". */
const counted: Readonly<Record<DictationLanguage, RegExp>> = {
  pt: /^(?:pessoa|unidade|vez|dia|semana|mes|ano|hora|caixa|peca|quarto|mesa|lugar|parcela|filho|filha|crianca|adulto|noite|diaria|passagem|ingresso|item|produto|copia|via|litro|quilo|metro|pacote|garrafa|porcao|carro|bilhete|reserva|so|apenas|mesmo)$/,
  en: /^(?:person|people|unit|time|day|week|month|year|hour|box|piece|room|table|seat|child|kid|adult|night|ticket|item|product|copy|liter|litre|kilo|meter|metre|pack|package|bottle|portion|car|reservation|only|just)$/,
  es: /^(?:persona|unidad|vez|dia|semana|mes|ano|hora|caja|pieza|cuarto|habitacion|mesa|lugar|cuota|hijo|hija|nino|nina|adulto|noche|boleto|entrada|articulo|producto|copia|litro|kilo|metro|paquete|botella|porcion|coche|reserva|solo|solamente)$/,
}

export function readNumber(text: string, language: string): Reading {
  let found: Reading = failed('none')
  for (const version of versionsIn(text, language)) {
    const reading = numberIn(version, language)
    if (found.isComplete && reading.isComplete && isPartOf(version)) return failed('unclear')
    if (reading.isComplete || reading.problem !== 'none') found = reading
    // "dez, não, um": the correction may be an article.
    else if (found.isComplete && quantitiesIn(version, language).quantities.length > 0) found = failed('unclear')
  }
  return found
}

/** "o último é um sete": it corrects a digit of the number. */
const isPartOf = (text: string): boolean =>
  / (?:last|first|digits?|ultimo|final|digito|primeiro|primero) /.test(folded(text))

function numberIn(text: string, language: string): Reading {
  const code = dictationLanguage(language)
  const words = numberWordsOf(code)
  const said = quantitiesIn(text, language)
  const { tokens } = said
  const numbers = said.quantities.filter((one) => !one.isArticle || isCount(said, one, code) || isNegative(tokens, one))
  const digits = digitsIn(text, language)
  const isDigit = (token: Token | undefined) => token?.type === 'figures' || words.values.has(token?.text ?? '')
  const areDigits = tokens.some(
    ({ text: word }, i) =>
      (words.repeats.has(word) && isDigit(tokens[i + 1])) || (words.plurals.has(word) && isDigit(tokens[i - 1])),
  )
  const [first] = numbers
  if (areDigits || !first) return digits === '' ? failed('none') : complete(digits)
  // "entre cento e vinte e três": a range, heard as one number.
  if (/^(?:entre|between)$/.test(tokens[first.from - 1]?.text ?? '')) return failed('unclear')
  const part = fractionOf(said, numbers)
  if (part !== null) return part
  // Said twice, or digit by digit after it: "trinta, três zero".
  const isRepetition = numbers.every(({ value }) => value === first.value) || digits === String(first.value).repeat(2)
  if (numbers.length > 1 && isRepetition && first.value >= 10) return oneNumber(tokens, first)
  // "Nove. Nove mesmo." may be 9 or 99.
  if (numbers.length === 2 && isRepetition && tokens[first.to]?.text === '.') return failed('unclear')
  if (numbers.length === 1 && digits.length <= lengthOf(first)) return oneNumber(tokens, first)
  return isDictation(said, numbers, code) && digits !== '' ? complete(digits) : failed('unclear')
}

/** "dois quilos e meio", "litro y medio", "meio quilo", "four and a quarter": with its noun between. */
function fractionOf({ tokens }: Said, numbers: readonly Quantity[]): Reading | null {
  const at = tokens.findIndex(({ text }) => fractions[text] !== undefined)
  const value = fractions[tokens[at]?.text ?? '']
  if (at === -1 || value === undefined || numbers.some(({ from, to }) => from <= at && at < to)) return null
  const article = /^(?:a|um|un)$/.test(tokens[at - 1]?.text ?? '') ? 1 : 0
  const isJoined = /^(?:e|y|and)$/.test(tokens[at - 1 - article]?.text ?? '')
  const whole = numbers.filter(({ isArticle }) => !isArticle)
  if (!isJoined) return whole.length === 0 && tokens[at + 1]?.type === 'word' ? complete(String(value)) : null
  const [first] = whole
  if (whole.length > 1 || (first && at - article - first.to > 2) || (first && !Number.isInteger(first.value)))
    return failed('unclear')
  return complete(String((first?.value ?? 1) + value))
}

const fractions: Readonly<Record<string, number | undefined>> = {
  meio: 0.5,
  medio: 0.5,
  half: 0.5,
  cuarto: 0.25,
  quarter: 0.25,
}

const lengthOf = ({ value, figures }: Quantity): number => figures?.length ?? String(Math.trunc(value)).length + 6

const oneNumber = (tokens: readonly Token[], number: Quantity): Reading =>
  number.isUnclear
    ? failed('unclear')
    : complete(`${isNegative(tokens, number) ? '-' : ''}${number.figures ?? number.value}`)

function isNegative(tokens: readonly Token[], { from, to }: Quantity): boolean {
  if (tokens.slice(to, to + 4).some(({ text }) => /^(?:negativ[oa]s?|below|abaixo|bajo)$/.test(text))) return true
  const sign = tokens[from - 1]
  if (sign?.text === '-') return from === 1 || !sign.isTight
  return minus.has(sign?.text ?? '') && !comparisons.has(tokens[from - 2]?.text ?? '')
}

/** The article is all that was said, or counts something. */
function isCount({ tokens }: Said, { from, to }: Quantity, code: DictationLanguage): boolean {
  const others = tokens.filter(({ type }) => type !== 'mark').length - (to - from)
  if (others === 0) return true
  const isLast = tokens[to] === undefined || tokens[to]?.type === 'mark'
  return counted[code].test(tokens[to]?.text ?? '') || (isLast && counted[code].test(tokens[from - 1]?.text ?? ''))
}

/** Digits in groups: nothing but pauses and fillers stands between them. */
function isDictation({ tokens }: Said, numbers: readonly Quantity[], code: DictationLanguage): boolean {
  const { separators, values } = numberWordsOf(code)
  const isPause = ({ type, text }: Token) => type === 'mark' || separators.has(text) || values.has(text)
  return numbers.every((one, i) => {
    const next = numbers[i + 1]
    const between = next ? tokens.slice(one.to, next.from) : []
    // "dois mil, três" may be 2003.
    const isOpen = next !== undefined && one.figures === null && one.value >= 1000
    return Number.isInteger(one.value) && !isOpen && between.every(isPause)
  })
}
