// Which numbers may be dialed. DENIED_PREFIXES applies to every reading of the dialed string, however it is written.
import { countryCodeOf } from '../base/phone-numbers/phone-number.ts'

export type DialPolicy = {
  /** A number, or a SIP URI whose user part may be one. */
  allows(dialed: string): boolean
  /** A number, and what a trunk's number format makes of it. */
  allowsAs(e164: string, dialed: string): boolean
}

/** Short codes belong to the carrier; what is longer than any number with all its prefixes is none. */
const SHORTEST = 7
const LONGEST = 20
/** Nothing shorter is an international number without its plus. */
const MIN_INTERNATIONAL = 10
/** How the world, Australia and North America dial abroad. */
const internationalPrefixes = ['00', '0011', '011']
/**
 * How others do: the fewest digits that must follow, so that no national number is taken for one abroad. Ten digits after 001 are a number of
 * North America, and (810) 882-1234 is one.
 */
const otherPrefixes = [
  { prefix: '810', atLeast: MIN_INTERNATIONAL },
  { prefix: '010', atLeast: MIN_INTERNATIONAL },
  { prefix: '001', atLeast: MIN_INTERNATIONAL + 1 },
]
/** `9` for an outside line, then the call abroad: nothing shorter is both. */
const MIN_OUTSIDE = 13
/** In Brazil 00 is followed by the two digits of a carrier. */
const CARRIER_CODE = 2

export function dialPolicy(deniedPrefixes: readonly string[]): DialPolicy {
  const prefixes = deniedPrefixes.map((prefix) => prefix.replace(/\D/g, '')).filter((digits) => digits !== '')
  const isDenied = (digits: string) => prefixes.some((prefix) => digits.startsWith(prefix))

  /** Whether a run of digits can be read as a denied number. */
  function isDeniedRun(digits: string, hasPlus: boolean): boolean {
    if (hasPlus && isDenied(digits)) return true
    if (digits.length < SHORTEST) return false
    if (digits.length > LONGEST) return true
    if (digits.length >= MIN_INTERNATIONAL && isDenied(digits)) return true
    if (isDeniedAbroad(digits)) return true
    return !hasPlus && digits.length >= MIN_OUTSIDE && isDeniedAbroad(digits.slice(1))
  }

  /** Whether the digits begin with an international prefix and then a denied number. */
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
    // Whoever drops what is no digit dials all of them.
    return runs.length < 2 || !isDeniedRun(bare.replace(/\D/g, '').slice(0, LONGEST), bare.startsWith('+'))
  }

  const allows = (dialed: string): boolean => readingsOf(dialed).every(allowsText)
  return {
    allows,
    allowsAs: (e164, dialed) =>
      allows(e164) && (dialed === e164.slice(1) || isNationalForm(e164, dialed) || allows(dialed)),
  }
}

/**
 * The user part of a SIP URI, or the number itself; as it is, and without its escapes, which may be escaped again. A phone-context, in the user
 * part or behind the host, stands before the number (RFC 3966 section 5.1.5).
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

/** An allowed number without its country code. It may begin like another country: (97) 9… in Brazil is not +979. */
function isNationalForm(e164: string, dialed: string): boolean {
  const country = countryCodeOf(e164)
  const national = e164.slice(1 + country.length)
  return dialed === national && (national.length <= 10 || (country === '55' && /^\d\d9\d{8}$/.test(national)))
}
