// Search in a record's texts: every word must occur, ignoring accents and case; telephone numbers match in any
// notation.
import { foldText } from './text.ts'

const telephone = /^[\d\s().+/-]+$/
/** Fewer digits are searched as written. */
const MIN_DIGITS = 3

/** The digits of a search for a telephone number; null for any other text. */
export function searchedDigits(q: string): string | null {
  if (!telephone.test(q)) return null
  const digits = q.replace(/\D/g, '')
  return digits.length < MIN_DIGITS ? null : digits.replace(/^0+(?=\d{3})/, '')
}

/** Returns a function that tells whether a record's texts match. */
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
