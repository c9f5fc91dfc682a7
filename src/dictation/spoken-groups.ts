// How a value is read back aloud: digits one by one in the usual groups, letters spelled.
import { countryCodeOf } from '../base/phone-numbers/phone-number.ts'
import type { ValueKind } from './kinds.ts'
import { type DictationLanguage, dictationLanguage } from './tokens.ts'

type SignWords = Readonly<Record<'-' | '/' | '@' | '.' | '_' | '+', string>>
const signWords: Readonly<Record<DictationLanguage, SignWords>> = {
  pt: { '-': 'traço', '/': 'barra', '@': 'arroba', '.': 'ponto', _: 'underline', '+': 'mais' },
  en: { '-': 'dash', '/': 'slash', '@': 'at', '.': 'dot', _: 'underscore', '+': 'plus' },
  es: { '-': 'guion', '/': 'barra', '@': 'arroba', '.': 'punto', _: 'guion bajo', '+': 'más' },
}

/** Lengths of the groups, and the signs between them. */
const layouts: Partial<Readonly<Record<ValueKind, readonly (number | '-' | '/')[]>>> = {
  cpf: [3, 3, 3, '-', 2],
  cnpj: [2, 3, 3, '/', 4, '-', 2],
  cep: [5, '-', 3],
}

/** Empty for a kind without groups of fixed lengths. */
export const groupLengths = (kind: ValueKind): readonly number[] =>
  (layouts[kind] ?? []).filter((part) => typeof part === 'number')

/** The value, or as much of it as there is, for synthesis: "1 2 3, 4 5 6". */
export function spokenGroups(kind: ValueKind, value: string, language: string): string {
  const code = dictationLanguage(language)
  const layout = layouts[kind]
  if (layout) return laidOut(value, layout, language)
  if (kind === 'phone') return phoneGroups(value, language)
  if (kind === 'email') return emailWords(value, code)
  if (kind === 'plate') return spaced(value, language)
  if (kind === 'name') return nameSpelled(value)
  if (kind === 'date') return spokenDate(value, language)
  if (kind === 'money') return spokenMoney(value, language)
  return value.length > 3 && /^\d+$/.test(value) ? inGroups(chunks(value, 3), language) : value
}

/** Brazilians say "meia" for 6, since "seis" sounds like "três" on the phone. */
const spaced = (characters: string, language: string): string =>
  [...characters].map((each) => (each === '6' && /^pt(?!-pt)/i.test(language) ? 'meia' : each)).join(' ')

const inGroups = (groups: readonly string[], language: string): string =>
  groups.map((each) => spaced(each, language)).join(', ')

function laidOut(value: string, layout: readonly (number | '-' | '/')[], language: string): string {
  const words = signWords[dictationLanguage(language)]
  const groups: string[] = []
  let [at, sign] = [0, '']
  for (const part of layout) {
    if (typeof part === 'string') {
      sign = `${words[part]} `
      continue
    }
    if (at < value.length) groups.push(sign + spaced(value.slice(at, at + part), language))
    at += part
    sign = ''
  }
  if (at < value.length) groups.push(spaced(value.slice(at), language))
  return groups.join(', ')
}

function chunks(text: string, length: number): string[] {
  const count = Math.ceil(text.length / length)
  const rest = text.length % length
  // Four digits are two pairs, not three and one.
  if (rest === 1 && count > 1) {
    const end = text.slice(-4)
    return [...chunks(text.slice(0, -4), length), end.slice(0, 2), end.slice(2)].filter((each) => each !== '')
  }
  return Array.from({ length: count }, (_, i) => text.slice(i * length, (i + 1) * length))
}

function phoneGroups(value: string, language: string): string {
  const brazilian = /^\+?(?:55)?(\d{2})(\d{4,5})(\d{4})$/.exec(value)
  if (language.startsWith('pt') && (value.startsWith('+55') || !value.startsWith('+')) && brazilian)
    return inGroups(brazilian.slice(1), language)
  const american = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(value)
  if (american) return inGroups(american.slice(1), language)
  const country = value.startsWith('+') ? countryCodeOf(value) : ''
  const plus = country === '' ? '' : `${signWords[dictationLanguage(language)]['+']} ${spaced(country, language)}, `
  return plus + inGroups(chunks(value.replace(/\D/g, '').slice(country.length), 3), language)
}

/** Words are spoken; unpronounceable ones are spelled. */
function emailWords(value: string, code: DictationLanguage): string {
  const words = signWords[code]
  const pieces = value.match(/[a-z]+|\d+|[^a-z\d]/giu) ?? []
  return pieces
    .map((piece) => {
      if (piece in words) return words[piece as keyof SignWords]
      if (/^\d/.test(piece)) return [...piece].join(' ')
      return isPronounceable(piece) ? piece : [...piece.toUpperCase()].join(', ')
    })
    .join(' ')
}

const isPronounceable = (word: string): boolean =>
  /^(?:com|br|net|org|gmail|uol|bol)$/.test(word) ||
  (word.length > 2 && /[aeiouy]/.test(word) && !/[^aeiouy]{4}/.test(word))

/** Several words would take too long to spell. */
const nameSpelled = (value: string): string =>
  value.includes(' ') || value.length > 12 ? value : `${value}: ${[...value.toUpperCase()].join(', ')}`

function spokenDate(iso: string, language: string): string {
  const ms = Date.parse(`${iso}T00:00:00Z`)
  if (Number.isNaN(ms)) return iso
  return new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    ms,
  )
}

function spokenMoney(value: string, language: string): string {
  const [amount = '', currency] = value.split(' ')
  const digits = { minimumFractionDigits: amount.endsWith('.00') ? 0 : 2, maximumFractionDigits: 2 }
  return new Intl.NumberFormat(language, currency ? { style: 'currency', currency, ...digits } : digits).format(
    Number(amount),
  )
}
