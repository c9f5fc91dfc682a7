// Which numbers may be dialed. DENIED_PREFIXES applies to every way in which the dialed string can be read.
import { countryCodeOf } from '../base/phone-numbers/phone-number.ts'

export type DialPolicy = {
  /** A number, or a SIP URI whose user part may be one. */
  allows(dialed: string): boolean
  /** A number, and what a trunk's number format makes of it. */
  allowsAs(e164: string, dialed: string): boolean
}

/** Shorter numbers are short codes of the carrier; longer ones exceed any number with all its prefixes. */
const MIN_DIGITS = 7
const MAX_DIGITS = 20
/** An international number without its plus has at least this many digits. */
const MIN_INTERNATIONAL = 10
/** International prefixes of most countries, Australia and North America. */
const internationalPrefixes = ['00', '0011', '011']
/**
 * Other international prefixes, with the fewest digits that must follow, so that national numbers are not mistaken for international ones:
 * ten digits after 001 are a North American number, and so is (810) 882-1234.
 */
const otherPrefixes = [
  { prefix: '810', atLeast: MIN_INTERNATIONAL },
  { prefix: '010', atLeast: MIN_INTERNATIONAL },
  { prefix: '001', atLeast: MIN_INTERNATIONAL + 1 },
]
/** Minimum length of a `9` for an outside line with an international call. */
const MIN_OUTSIDE = 13
/** In Brazil, 00 is followed by a carrier code of two digits. */
const CARRIER_CODE = 2

export function dialPolicy(deniedPrefixes: readonly string[]): DialPolicy {
  const prefixes = deniedPrefixes.map((prefix) => prefix.replace(/\D/g, '')).filter((digits) => digits !== '')
  const isDenied = (digits: string) => prefixes.some((prefix) => digits.startsWith(prefix))

  /** Whether a run of digits can be read as a denied number. */
  function isDeniedRun(digits: string, hasPlus: boolean): boolean {
    if (hasPlus && isDenied(digits)) return true
    if (digits.length < MIN_DIGITS) return false
    if (digits.length > MAX_DIGITS) return true
    if (digits.length >= MIN_INTERNATIONAL && isDenied(digits)) return true
    if (isDeniedAbroad(digits)) return true
    return !hasPlus && digits.length >= MIN_OUTSIDE && isDeniedAbroad(digits.slice(1))
  }

  /** Whether the digits start with an international prefix and a denied number. */
  function isDeniedAbroad(digits: string): boolean {
    const isByUsual = internationalPrefixes.some((prefix) => {
      if (!digits.startsWith(prefix)) return false
      const rest = digits.slice(prefix.length)
      return isDenied(rest) || isDenied(rest.slice(CARRIER_CODE)) || isDeniedRun(rest, true)
    })
    return (
      isByUsual ||
      otherPrefixes.some(({ prefix, atLeast }) => {
        const rest = digits.slice(prefix.length)
        return digits.startsWith(prefix) && rest.length >= atLeast && isDenied(rest)
      })
    )
  }

  /** A service code of the network, such as *72 for call forwarding, then a number. */
  const isDeniedAfterCode = (digits: string): boolean =>
    isDeniedRun(digits.slice(2), false) || (/^[23]/.test(digits) && isDeniedRun(digits.slice(3), false))

  function allowsText(text: string): boolean {
    const bare = text.replace(/[\s().-]/g, '')
    const runs = [...bare.matchAll(/(\+?)(\d+)/g)]
    if (runs.some(([, plus, digits = '']) => isDeniedRun(digits, plus !== ''))) return false
    if ([...bare.matchAll(/[*#](\d+)/g)].some(([, digits = '']) => isDeniedAfterCode(digits))) return false
    // A carrier that strips non-digits dials all runs as one number.
    return runs.length < 2 || !isDeniedRun(bare.replace(/\D/g, '').slice(0, MAX_DIGITS), bare.startsWith('+'))
  }

  const allows = (dialed: string): boolean => readingsOf(dialed).every(allowsText)
  return {
    allows,
    allowsAs: (e164, dialed) =>
      allows(e164) && (dialed === e164.slice(1) || isNationalForm(e164, dialed) || allows(dialed)),
  }
}

/**
 * The user part of a SIP URI, or the number itself: as it is, unescaped, and unescaped twice. A phone-context, in the user part or after
 * the host, precedes the number (RFC 3966 section 5.1.5).
 */
function readingsOf(dialed: string): string[] {
  const once = unescaped(dialed)
  const readings = [dialed, once, unescaped(once)].flatMap((text) => {
    const [, , user = ''] = /^(sips?:)([^@]*)@/i.exec(text) ?? [null, null, /^sips?:/i.test(text) ? '' : text]
    const contexts = [...text.matchAll(/;phone-context=([^;?@>]*)/gi)].map(([, context = '']) => context)
    return [user, ...contexts.map((context) => `${context}${user.split(';')[0]}`)]
  })
  return [...new Set(readings)]
}

const unescaped = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))

/** An allowed number without its country code, which may start like another country: (97) 9… in Brazil is not +979. */
function isNationalForm(e164: string, dialed: string): boolean {
  const country = countryCodeOf(e164)
  const national = e164.slice(1 + country.length)
  return dialed === national && (national.length <= 10 || (country === '55' && /^\d\d9\d{8}$/.test(national)))
}
