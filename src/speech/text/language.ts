// What a language defines for text normalization, and how plain numbers are read.

/** How a number agrees: alone ("uno"), or before a noun ("un día", "una persona"). */
export type Agreement = 'alone' | 'm' | 'f'

export type Noun = { one: string; many: string; gender: 'm' | 'f' }
export type Currency = Noun & { cent: Noun }

export type Rule = readonly [pattern: RegExp, read: (...found: string[]) => string]

export type Language = {
  /** The decimal separator; the other of the two separates thousands. */
  decimal: ',' | '.'
  cardinal(n: bigint, agreement: Agreement): string
  ordinal(n: number, agreement: Agreement): string
  /** For codes and telephone numbers. */
  digits: readonly string[]
  /** The gender of the word after a number, or of its position. */
  agreementWith(next: string): Agreement
  date(day: number, month: number, year: number | null): string
  month(month: number, year: number): string
  /** Whether day or month comes first when both are digits. */
  isMonthFirst: boolean
  time(hour: number, minute: number, half: 'am' | 'pm' | null): string
  /** "million" and the like, after a number that follows a currency. */
  scales: RegExp
  /** Between a round million and its noun. */
  of: string
  currencies: Readonly<Record<string, Currency>>
  units: Readonly<Record<string, Noun>>
  fractions: Readonly<Record<string, string>>
  /** 1/2 before a feminine noun. */
  feminineHalf: string
  words: {
    decimal: string
    point: string
    minus: string
    plus: string
    percent: string
    to: string
    by: string
    times: string
    and: string
    equals: string
    slash: string
    number: string
    hash: string
    hashtag: string
    star: string
    at: string
    dash: string
    colon: string
    tilde: string
    underscore: string
    www: string
    degrees: string
    less: string
    more: string
    about: string
  }
  /** How a top-level domain is read, if not as a word. */
  endings: Readonly<Record<string, string>>
  abbreviations: Readonly<Record<string, string>>
  /** Rules of this language only: documents, telephone numbers, Roman numerals. They run before all others. */
  rules: readonly Rule[]
}

/** Not within a word or a number. */
export const START = '(?<![\\p{L}\\p{N}])'
export const END = '(?![\\p{L}\\p{N}])'

/** A number as written in this language, with or without thousands separators. */
export function numberPattern({ decimal }: { decimal: ',' | '.' }): string {
  const [d, g] = decimal === ',' ? [',', '\\.'] : ['\\.', ',']
  return `(?:\\d{1,3}(?:${g}\\d{3}){1,6}(?!\\d)|\\d{1,40})(?:${d}\\d{1,12})?`
}

export function partsOf(written: string, { decimal }: { decimal: ',' | '.' }): { whole: string; decimals: string } {
  const [whole = '', decimals = ''] = written.split(decimal)
  return { whole: whole.replaceAll(decimal === ',' ? '.' : ',', ''), decimals }
}

const CODE = 8 // this many digits without separators are a code, not an amount

export function readNumber(written: string, language: Language, agreement: Agreement = 'alone'): string {
  const { whole, decimals } = partsOf(written, language)
  const isCode = /^0\d/.test(whole) || (whole.length >= CODE && !/[.,]/.test(written)) || whole.length > 18
  if (isCode && decimals === '') return readDigits(whole, language)
  const head = language.cardinal(BigInt(whole), decimals === '' ? agreement : 'alone')
  if (decimals === '') return head
  // Two decimals are read as a number ("três vírgula quatorze"), except in English, where they are spelled.
  const isSpelled = language.decimal === '.' || decimals.length > 2 || decimals.startsWith('0')
  const tail = isSpelled ? spelled(decimals, language) : language.cardinal(BigInt(decimals), 'alone')
  return `${head} ${language.words.decimal} ${tail}`
}

export const spelled = (figures: string, { digits }: Language): string =>
  [...figures].map((figure) => digits[Number(figure)] ?? figure).join(' ')

/** Digit by digit, with a pause after every three. */
export function readDigits(figures: string, language: Language): string {
  const groups = figures.length <= 4 ? [figures] : (figures.match(/\d{1,3}/g) ?? [])
  return groups.map((group) => spelled(group, language)).join(', ')
}

/** Groups as written, each spelled, with a pause between them. */
export const readGroups = (groups: readonly string[], language: Language): string =>
  groups.map((group) => spelled(group, language)).join(', ')
