// Phone numbers: normalizing, validating and formatting (ITU-T E.164). Pure.
const oneDigit = /^\+[17]/
const twoDigits = /^\+(2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/

/** Strips spaces, parentheses, dots, dashes and slashes; a leading `00` becomes a plus. */
export const normalizeNumber = (typed: string): string => typed.replace(/[\s().\-/]/g, '').replace(/^00/, '+')

export const isE164 = (number: string): boolean => /^\+[1-9]\d{6,14}$/.test(number)

/** The country calling code, without the plus. */
export const countryCodeOf = (number: string): string =>
  number.slice(1, oneDigit.test(number) ? 2 : twoDigits.test(number) ? 3 : 4)

/** +5511987654321 becomes +55 11 98765-4321; other countries are grouped by three. */
export function formatNumber(number: string): string {
  if (!isE164(number)) return number
  const brazil = /^\+55(\d\d)(\d{4,5})(\d{4})$/.exec(number)
  if (brazil) return `+55 ${brazil[1]} ${brazil[2]}-${brazil[3]}`
  const america = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(number)
  if (america) return `+1 ${america[1]} ${america[2]}-${america[3]}`
  const code = countryCodeOf(number)
  const rest = number.slice(1 + code.length)
  return `+${code} ${rest.replace(/\B(?=(\d{3})+(?!\d))/g, ' ')}`
}

export type NumberTrunk = { trunkId: string; direction: 'inbound' | 'outbound' }
type Link = { trunkId: string; trunkType: 'inbound' | 'outbound'; phoneNumbers: readonly string[] }

export function trunksByNumber(links: readonly Link[]): Map<string, NumberTrunk[]> {
  const found = new Map<string, NumberTrunk[]>()
  for (const { trunkId, trunkType, phoneNumbers } of links)
    for (const number of phoneNumbers) {
      const known = found.get(number) ?? []
      const isKnown = known.some((one) => one.trunkId === trunkId)
      if (!isKnown) found.set(number, [...known, { trunkId, direction: trunkType }])
    }
  return found
}
