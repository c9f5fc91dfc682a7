// E.164 numbers (ITU-T): a plus, a country code of one to three digits, fifteen digits at most.

export const E164_PATTERN = '^\\+[1-9]\\d{6,14}$'

const oneDigit = /^\+[17]/
const twoDigits = /^\+(2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/

/** The country's dialling code without its plus. Every code that is not of one or two digits has three. */
export function countryCodeOf(e164: string): string {
  if (oneDigit.test(e164)) return e164.slice(1, 2)
  return e164.slice(1, twoDigits.test(e164) ? 3 : 4)
}

/** The digits of a number however it is written: +55 (11) 9…, 0055 11 9…, sip:+5511…@host. Null when it is no number. */
export function digitsOf(text: string): string | null {
  const user =
    text
      .trim()
      .replace(/^(sips?|tel):/i, '')
      .split(/[@;]/, 1)[0] ?? ''
  const bare = user.replace(/[\s()./-]/g, '')
  if (!/^\+?\d{3,20}$/.test(bare)) return null
  return bare.replace(/^(\+|00)/, '')
}
