// Search in the texts of a record: every word must occur, without accents and case; a telephone number in any notation.
import { foldText } from './text.ts'

const telephone = /^[\d\s().+/-]+$/
/** Fewer digits are looked for as they are written. */
const MIN_DIGITS = 3

/** The digits of a search for a telephone number; null for any other text. */
export function searchedDigits(q: string): string | null {
  if (!telephone.test(q)) return null
  const digits = q.replace(/\D/g, '')
  return digits.length < MIN_DIGITS ? null : digits.replace(/^0+(?=\d{3})/, '')
}

/** Returns the function that tells whether a record's texts match. */
export function searchOf(q: string): (texts: readonly unknown[]) => boolean {
  const words = foldText(q).split(/\s+/).filter(Boolean)
  const digits = searchedDigits(q.trim())
  return (texts) => {
    const all = texts.filter((text) => typeof text === 'string')
    if (digits !== null && all.some((text) => text.replace(/\D/g, '').includes(digits))) return true
    const folded = foldText(all.join('\n'))
    return words.every((word) => folded.includes(word))
  }
}
