// E.164 numbers (ITU-T): a plus, a country code of one to three digits, fifteen digits at most.

export const E164 = '^\\+[1-9]\\d{6,14}$'

const oneDigit = /^\+[17]/
const twoDigits = /^\+(2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/

/** The country's dialling code without its plus. Every code that is not of one or two digits has three. */
export function countryCodeOf(e164: string): string {
  if (oneDigit.test(e164)) return e164.slice(1, 2)
  return e164.slice(1, twoDigits.test(e164) ? 3 : 4)
}
