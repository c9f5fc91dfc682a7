// Texts as people compare them: without regard to case, accents and the dots and dashes of a number that one dictates.

const numberOfSomething = /^[\d\s().+/-]+$/
const amount = /^-?\d+[.,]\d+$/
const MIN_DIGITS = 7

/** Of a telephone or document number the digits alone: (11) 98765-4321 is 11987654321. Control characters never stay. */
export function loose(value: string | number | boolean | null): string {
  const text = String(value ?? '').trim()
  if (numberOfSomething.test(text) && !amount.test(text)) {
    const digits = text.replace(/\D/g, '')
    if (digits.length >= MIN_DIGITS) return text.startsWith('-') ? text.slice(0, 1) + digits : digits
  }
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

/** How well a value answers to what is sought: the whole of it, a part of it, or not at all. Both are `loose` already. */
export const likeness = (value: string, sought: string): 'whole' | 'part' | null =>
  value === sought ? 'whole' : sought !== '' && value.includes(sought) ? 'part' : null
