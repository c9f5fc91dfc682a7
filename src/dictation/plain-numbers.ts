// A plain number: an order number keeps its zeros, a quantity may be "meia dúzia", "dois e meio" or "menos cinco".
import { complete, failed, type Reading } from './kinds.ts'
import { numberWordsOf } from './number-words.ts'
import { type Quantity, quantitiesIn, type Said } from './quantities.ts'
import { versionsIn } from './self-repair.ts'
import { digitsIn } from './spoken-numbers.ts'
import { type DictationLanguage, dictationLanguage, type Token } from './tokens.ts'

const minus = new Set(['menos', 'minus', 'negative'])
/** "pelo menos cinco", "mais ou menos cinco": not a sign. */
const comparisons = new Set('pelo ao ou al o y a mas the'.split(' '))
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
    if (reading.isComplete || reading.problem !== 'none') found = reading
    // "dez, não, um": the correction may be an article.
    else if (found.isComplete && quantitiesIn(version, language).quantities.length > 0) found = failed('unclear')
  }
  return found
}

function numberIn(text: string, language: string): Reading {
  const code = dictationLanguage(language)
  const words = numberWordsOf(code)
  const said = quantitiesIn(text, language)
  const { tokens } = said
  const numbers = said.quantities.filter((one) => !one.isArticle || isCount(said, one, code) || isNegative(tokens, one))
  const digits = digitsIn(text, language)
  const isRepeated = ({ from, to }: Quantity) =>
    words.repeats.has(tokens[from - 1]?.text ?? '') || words.plurals.has(tokens[to]?.text ?? '')
  const areDigits = said.quantities.some(isRepeated)
  const [first] = numbers
  if (areDigits || !first) return digits === '' ? failed('none') : complete(digits)
  // "entre cento e vinte e três": a range, heard as one number.
  if (/^(?:entre|between)$/.test(tokens[first.from - 1]?.text ?? '')) return failed('unclear')
  if (numbers.length === 1 && digits.length <= lengthOf(first)) return oneNumber(tokens, first)
  return isDictation(said, numbers, code) && digits !== '' ? complete(digits) : failed('unclear')
}

const lengthOf = ({ value, figures }: Quantity): number => figures?.length ?? String(Math.trunc(value)).length + 6

const oneNumber = (tokens: readonly Token[], number: Quantity): Reading =>
  number.isUnclear
    ? failed('unclear')
    : complete(`${isNegative(tokens, number) ? '-' : ''}${number.figures ?? number.value}`)

function isNegative(tokens: readonly Token[], { from }: Quantity): boolean {
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
