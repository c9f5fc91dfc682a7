// Text comparison: folds case and accents, and the punctuation of dictated numbers.

/** Without accents: São João -> Sao Joao. */
export const withoutAccents = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '')

/** Without accents and case. */
export const foldText = (text: string): string => withoutAccents(text).toLowerCase()

/** Folded, with runs of white space as one space. */
export const foldSpaces = (text: string): string => foldText(text).replace(/\s+/g, ' ').trim()

const numberOfSomething = /^[\d\s().+/-]+$/
const amount = /^-?\d+[.,]\d+$/
const MIN_DIGITS = 7

/**
 * A telephone or document number becomes its digits: (11) 98765-4321 is 11987654321. Control characters are removed.
 */
export function comparableText(value: string | number | boolean | null): string {
  const text = String(value ?? '').trim()
  if (numberOfSomething.test(text) && !amount.test(text)) {
    const digits = text.replace(/\D/g, '')
    if (digits.length >= MIN_DIGITS) return text.startsWith('-') ? text.slice(0, 1) + digits : digits
  }
  return foldText(text)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

/** Whether the search matches the whole value, part of it, or nothing. Both must already be `comparableText`. */
export const matchOf = (value: string, search: string): 'whole' | 'part' | null =>
  value === search ? 'whole' : search !== '' && value.includes(search) ? 'part' : null
