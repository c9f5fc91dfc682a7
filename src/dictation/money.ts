// Amounts of money: "mil e quinhentos reais", "um real e noventa", "R$ 1.500,00", "three payments of 50 dollars".
import { complete, failed, type Reading } from './kinds.ts'
import { type Quantity, quantitiesIn, type Said } from './quantities.ts'
import { versionsIn } from './self-repair.ts'
import { type DictationLanguage, dictationLanguage } from './tokens.ts'

const named = (names: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(names).flatMap(([code, words]) => words.split(' ').map((word) => [word, code] as const)))

const currencies = named({
  BRL: 'real reais conto contos pila pilas',
  USD: 'dolar dolares dollar dollars buck bucks',
  EUR: 'euro euros € pavos',
  GBP: 'libra libras pound pounds quid £',
  MXN: 'peso pesos',
})
/** Before "$", without a space. */
const signs: Readonly<Record<string, string>> = { r: 'BRL', us: 'USD', u: 'USD', mx: 'MXN', '': '' }
const cents = new Set('centavo centavos cent cents centimo centimos centesimo penny pence'.split(' '))
const joints = new Set('e com and with y con'.split(' '))
/** Between a number and its currency: "dois milhões DE reais", "cinquenta EM dólares". */
const links = new Set('de em in en of'.split(' '))
/** After the cents, if these have no "centavos". */
const rests = new Set(
  `so apenas mesmo certo ta ne por favor no na nos nas em para pra pro ate cada ao a mes ok please total only just exactly
  per on for in at by before until antes depois despues hasta do da dos das del of al el en solo nada mas justo justos pago`
    .trim()
    .split(/\s+/),
)
/** A number before one of these counts payments. */
const counted =
  /^(?:x|vez(?:es)?|parcelas?|presta(?:cao|coes)|mensalidades?|boletos?|notas?|cedulas?|payments?|instal{1,2}ments?|times|bills?|cuotas?|pagos?|mensualidades?|plazos?|veces|billetes?)$/
/** Both ends of a range, or a choice, are meant. */
const choices = new Set('ou ate or to o u hasta a between entre'.split(' '))

/** "Pesos" by region. */
const pesos: Readonly<Record<string, string>> = { mx: 'MXN', ar: 'ARS', co: 'COP', cl: 'CLP', uy: 'UYU', do: 'DOP' }
const usual: Readonly<Record<string, string>> = { 'es-es': 'EUR', 'en-gb': 'GBP', 'pt-pt': 'EUR' }
const usualIn: Readonly<Record<DictationLanguage, string>> = { pt: 'BRL', en: 'USD', es: '' }

function usualCurrency(language: string): string {
  const tag = language.toLowerCase()
  return usual[tag] ?? pesos[tag.slice(3)] ?? usualIn[dictationLanguage(language)]
}

/** In hundredths. `currency`: null if none was said. */
type Amount = { hundredths: number; currency: string | null; isUnclear: boolean; from: number; to: number }

export function readMoney(text: string, language: string): Reading {
  let found: Amount | 'unclear' | null = null
  for (const version of versionsIn(text, language)) {
    const amount = amountIn(quantitiesIn(version, language), language)
    if (amount === null) continue
    // "cinquenta reais, não, sessenta": the currency stays.
    const before: string | null = found === null || found === 'unclear' ? null : found.currency
    found = amount === 'unclear' ? amount : { ...amount, currency: amount.currency ?? before }
  }
  if (found === null) return failed('none')
  if (found === 'unclear' || found.isUnclear || !Number.isSafeInteger(found.hundredths)) return failed('unclear')
  const currency = found.currency || usualCurrency(language)
  return complete(`${(found.hundredths / 100).toFixed(2)}${currency === '' ? '' : ` ${currency}`}`)
}

function amountIn(said: Said, language: string): Amount | 'unclear' | null {
  const amounts: Amount[] = []
  const others: Quantity[] = []
  for (let i = 0; i < said.quantities.length; ) {
    const found = amountAt(said, i, language)
    if (found) amounts.push(found)
    else others.push(said.quantities[i] as Quantity)
    i = found ? said.quantities.findIndex(({ from }) => from >= found.to) : i + 1
    if (i === -1) break
  }
  const [first, second] = amounts
  if (first && second) return areSame(amounts) ? first : 'unclear'
  if (first) return isRange(said, others, first) ? 'unclear' : first
  return bareAmount(said, others)
}

const areSame = (amounts: readonly Amount[]): boolean => new Set(amounts.map(({ hundredths }) => hundredths)).size === 1

/** "entre 50 e 100 reais", "50 ou 100 reais": the number before belongs to it. */
function isRange({ tokens }: Said, others: readonly Quantity[], { from }: Amount): boolean {
  if (/^(?:entre|between)$/.test(tokens[from - 1]?.text ?? '')) return true
  return others.some(({ to, isArticle }) => {
    const between = tokens.slice(to, from).map(({ text }) => text)
    if (to > from || between.length > 2) return false
    const isChoice = between.some((word) => choices.has(word) && word !== 'a')
    return isArticle ? isChoice : between.every((word) => choices.has(word) || joints.has(word) || /^[-,$]$/.test(word))
  })
}

/** The amount that begins with this number: with its currency before or after it, or in cents. */
function amountAt(said: Said, at: number, language: string): Amount | null {
  const { tokens, quantities } = said
  const whole = quantities[at] as Quantity
  const { value, from, to, isUnclear } = whole
  const before = currencyBefore(tokens, from, language)
  const after = currencyAfter(tokens, to, language)
  const currency = before?.code ?? after?.code
  if (currency === undefined) {
    if (!cents.has(tokens[to]?.text ?? '')) return null
    return { hundredths: Math.round(value), currency: null, isUnclear, from, to: to + 1 }
  }
  const end = after?.to ?? to
  const rest = fractionAt(said, at + 1, end)
  if (rest === 'unclear') return { hundredths: 0, currency, isUnclear: true, from, to: end }
  return {
    hundredths: Math.round(value * 100) + (rest?.hundredths ?? 0),
    currency,
    isUnclear: isUnclear || (rest !== null && !Number.isInteger(value)),
    from: before?.from ?? from,
    to: rest?.to ?? end,
  }
}

type Tokens = Said['tokens']

function currencyBefore(tokens: Tokens, from: number, language: string): { code: string; from: number } | null {
  const sign = tokens[from - 1]
  if (sign?.text === '$') {
    const letters = sign.isTight ? (tokens[from - 2]?.text ?? '') : ''
    const code = signs[letters]
    return code ? { code, from: from - 2 } : { code: dollars(language), from: from - 1 }
  }
  return sign?.text === '€' || sign?.text === '£' ? { code: codeOf(sign.text, language), from: from - 1 } : null
}

function currencyAfter(tokens: Tokens, at: number, language: string): { code: string; to: number } | null {
  const to = links.has(tokens[at]?.text ?? '') ? at + 1 : at
  const code = codeOf(tokens[to]?.text ?? '', language)
  if (code !== '') return { code, to: to + 1 }
  if (tokens[to]?.text === '$') return { code: dollars(language), to: to + 1 }
  const sign = tokens[to + 1]?.text === '$' && tokens[to + 1]?.isTight ? signs[tokens[to]?.text ?? ''] : undefined
  return sign ? { code: sign, to: to + 2 } : null
}

function codeOf(word: string, language: string): string {
  const code = currencies.get(word) ?? ''
  return code === 'MXN' ? (pesos[language.toLowerCase().slice(3)] ?? 'MXN') : code
}

const dollars = (language: string): string => {
  const code = usualCurrency(language)
  return code === '' || code === 'EUR' || code === 'GBP' || code === 'BRL' ? 'USD' : code
}

/** The cents after the currency: "e cinquenta centavos", "e cinquenta", "and a half"; null if there are none. */
function fractionAt(said: Said, at: number, from: number): { hundredths: number; to: number } | 'unclear' | null {
  const { tokens, quantities } = said
  const isJoined = joints.has(tokens[from]?.text ?? '')
  const hasComma = tokens[from]?.text === ','
  const start = from + Number(isJoined || hasComma) + Number(hasComma && joints.has(tokens[from + 1]?.text ?? ''))
  if (isJoined && isHalf(tokens, start)) return { hundredths: 50, to: start + (tokens[start]?.text === 'a' ? 2 : 1) }
  const next = quantities[at]
  if (next?.from !== start) return null
  const after = tokens[next.to]?.type === 'mark' ? undefined : tokens[next.to]
  const hasName = cents.has(after?.text ?? '')
  const isCents = Number.isInteger(next.value) && next.value < 100
  if (hasName) return isCents ? { hundredths: next.value, to: next.to + 1 } : 'unclear'
  // "three dollars and a quarter"; "five dollars seventy-five".
  if (next.isArticle) return isJoined ? 'unclear' : null
  if (!isJoined && !hasComma && isCents && next.value >= 10 && after === undefined)
    return { hundredths: next.value, to: next.to }
  if (!isJoined || !isCents) return hasComma ? null : 'unclear'
  if (after === undefined || rests.has(after.text)) return { hundredths: next.value, to: next.to }
  return 'unclear'
}

const isHalf = (tokens: Tokens, at: number): boolean =>
  /^(?:meio|meia|medio|half)$/.test(tokens[at]?.text ?? '') ||
  (tokens[at]?.text === 'a' && tokens[at + 1]?.text === 'half')

const isCount = (word: string): boolean => counted.test(word)

/** Without a currency: one number, or "vinte e cinco e noventa". */
function bareAmount({ tokens }: Said, numbers: readonly Quantity[]): Amount | 'unclear' | null {
  const meant = numbers.filter(({ to }) => !isCount(tokens[to]?.text ?? ''))
  const isOnly = ({ from, to }: Quantity) =>
    tokens.slice(from, to).length === tokens.filter(({ type }) => type !== 'mark').length
  // "um e noventa e nove"
  const isFirst = ({ to }: Quantity) => joints.has(tokens[to]?.text ?? '') && meant.some(({ from }) => from === to + 1)
  const [first, second, third] = meant.filter((one) => !one.isArticle || isOnly(one) || isFirst(one))
  if (!first) return null
  const { from, to, isUnclear } = first
  if (!second) return { hundredths: Math.round(first.value * 100), currency: null, isUnclear, from, to }
  const isJoined = second.from === to + 1 && joints.has(tokens[to]?.text ?? '') && tokens[to]?.text !== 'and'
  const isFraction = second.value < 100 && Number.isInteger(second.value) && Number.isInteger(first.value)
  const isChoice = choices.has(tokens[from - 1]?.text ?? '')
  if (third || !isJoined || !isFraction || isChoice) return 'unclear'
  return { hundredths: first.value * 100 + second.value, currency: null, isUnclear, from, to: second.to }
}
