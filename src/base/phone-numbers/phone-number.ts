// E.164 numbers (ITU-T): validation, country codes, and normalizing numbers as people and carriers write them.

export const E164_PATTERN = '^\\+[1-9]\\d{6,14}$'
const e164 = new RegExp(E164_PATTERN)
export const isE164 = (number: string): boolean => e164.test(number)

const oneDigit = /^\+[17]/
const twoDigits = /^\+(2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/

/** The country calling code without the plus sign. Every code not in the lists of one and two digits has three. */
export function countryCodeOf(number: string): string {
  if (oneDigit.test(number)) return number.slice(1, 2)
  return number.slice(1, twoDigits.test(number) ? 3 : 4)
}

/** Strips spaces, dots, dashes, brackets and URI parameters; `00` becomes a plus sign. Null if it is not a number. */
export function normalizeNumber(text: string): string | null {
  const bare = text.split(';')[0]?.replace(/[\s().-]/g, '') ?? ''
  if (!/^\+?\d{3,20}$/.test(bare)) return null
  return bare.startsWith('00') ? `+${bare.slice(2)}` : bare
}

/** The digits of a number in any notation: +55 (11) 9…, 0055 11 9…, sip:+5511…@host. Null if it is not a number. */
export function digitsOf(text: string): string | null {
  const user =
    text
      .trim()
      .replace(/^(sips?|tel):/i, '')
      .split('@', 1)[0] ?? ''
  return normalizeNumber(user.replaceAll('/', ''))?.replace(/^\+/, '') ?? null
}
