// Amounts of money: "mil e quinhentos reais", "dois reais e cinquenta", "R$ 1.500,00".
import { complete, failed, type Reading } from './kinds.ts'
import { type Item, itemsIn } from './spoken-numbers.ts'
import { type DictationLanguage, dictationLanguage } from './tokens.ts'

const currencies: ReadonlyMap<string, string> = new Map(
  Object.entries({
    BRL: 'real reais r$',
    USD: 'dolar dolares dollar dollars buck bucks us$',
    EUR: 'euro euros €',
    GBP: 'libra libras pound pounds £',
    MXN: 'peso pesos',
  }).flatMap(([code, names]) => names.split(' ').map((name) => [name, code] as const)),
)
const cents = new Set('centavo centavos cent cents centimo centimos centesimo penny pence'.split(' '))
const half = new Set(['meio', 'half', 'medio'])

/** "Pesos" by region. */
const pesos: Readonly<Record<string, string>> = { mx: 'MXN', ar: 'ARS', co: 'COP', cl: 'CLP', uy: 'UYU', do: 'DOP' }
const usual: Readonly<Record<string, string>> = { 'es-es': 'EUR', 'en-gb': 'GBP', 'pt-pt': 'EUR' }
const usualIn: Readonly<Record<DictationLanguage, string>> = { pt: 'BRL', en: 'USD', es: '' }

function usualCurrency(language: string): string {
  const tag = language.toLowerCase()
  return usual[tag] ?? pesos[tag.slice(3)] ?? usualIn[dictationLanguage(language)]
}

type Amount = { value: number; to: number }

export function readMoney(text: string, language: string): Reading {
  const items = itemsIn(text, language)
  const code = dictationLanguage(language)
  const from = items.findIndex(({ digits }) => digits !== '')
  if (from === -1) return failed('none')
  const first = amountAt(items, from, code) as Amount
  const currency = currencyIn(items, language)
  const isCents = cents.has(items[first.to]?.text ?? '')
  if (isCents) return complete(written(first.value / 100, currency))
  const rest = fractionAfter(items, first.to, code)
  return complete(written(first.value + rest, currency))
}

const written = (amount: number, currency: string): string =>
  `${amount.toFixed(2)}${currency === '' ? '' : ` ${currency}`}`

/** The cents: "e cinquenta centavos", "e cinquenta", "and a half". */
function fractionAfter(items: readonly Item[], from: number, code: DictationLanguage): number {
  for (let i = from; i < items.length; i++) {
    const item = items[i] as Item
    if (half.has(item.text)) return 0.5
    if (item.digits === '') continue
    const { value, to } = amountAt(items, i, code) as Amount
    const isCents = cents.has(items[to]?.text ?? '')
    return isCents || (value < 100 && Number.isInteger(value)) ? value / 100 : 0
  }
  return 0
}

function currencyIn(items: readonly Item[], language: string): string {
  for (const [i, item] of items.entries()) {
    const next = items[i + 1]
    const symbol = next?.text === '$' && next.isTight ? `${item.text}$` : item.text
    const code = currencies.get(symbol) ?? currencies.get(item.text)
    if (code !== undefined) return code === 'MXN' ? (pesos[language.toLowerCase().slice(3)] ?? 'MXN') : code
  }
  return usualCurrency(language)
}

/** Figures with separators: 1.500,00 in Portuguese and Spanish, 1,500.00 in English. */
function amountAt(items: readonly Item[], from: number, code: DictationLanguage): Amount | null {
  const first = items[from]
  if (!first?.digits) return null
  const [thousands, decimals] = code === 'en' ? [',', '.'] : ['.', ',']
  let digits = first.digits
  let to = from + 1
  while (items[to]?.text === thousands && isTightPair(items, to) && items[to + 1]?.digits.length === 3) {
    digits = `${digits}${items[to + 1]?.digits}`
    to += 2
  }
  if (items[to]?.text === decimals && isTightPair(items, to) && (items[to + 1]?.digits.length ?? 9) <= 2) {
    digits += `.${items[to + 1]?.digits}`
    to += 2
  }
  return { value: Number(digits.slice(0, 15)), to }
}

const isTightPair = (items: readonly Item[], at: number): boolean =>
  items[at]?.isTight === true && items[at + 1]?.isTight === true && items[at + 1]?.digits !== ''
