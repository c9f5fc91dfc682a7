// Which numbers may be dialled. DENIED_PREFIXES applies to every reading of the dialled string, however it is written.
import { countryCodeOf } from '../base/phone-number.ts'

export type DialPolicy = {
  /** A number, or a SIP URI whose user part may be one. */
  allows(dialled: string): boolean
  /** A number, and what a trunk's number format makes of it. */
  allowsAs(e164: string, dialled: string): boolean
}

/** Short codes belong to the carrier; what is longer than any number with all its prefixes is none. */
const SHORTEST = 7
const LONGEST = 20
/** Nothing shorter is an international number without its plus. */
const SHORTEST_INTERNATIONAL = 10
/** How the world, Australia and North America dial abroad. */
const internationalPrefixes = ['00', '0011', '011']
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
    if (digits.length >= SHORTEST_INTERNATIONAL && isDenied(digits)) return true
    return internationalPrefixes.some((prefix) => {
      if (!digits.startsWith(prefix)) return false
      const rest = digits.slice(prefix.length)
      return isDenied(rest) || isDenied(rest.slice(CARRIER_CODE)) || isDeniedRun(rest, true)
    })
  }

  function allowsText(text: string): boolean {
    const bare = text.replace(/[\s().-]/g, '')
    const runs = [...bare.matchAll(/(\+?)(\d+)/g)]
    if (runs.some(([, plus, digits = '']) => isDeniedRun(digits, plus !== ''))) return false
    // Whoever drops what is no digit dials all of them.
    return runs.length < 2 || !isDeniedRun(bare.replace(/\D/g, '').slice(0, LONGEST), bare.startsWith('+'))
  }

  const allows = (dialled: string): boolean => readingsOf(dialled).every(allowsText)
  return {
    allows,
    allowsAs: (e164, dialled) => allows(e164) && (isNationalForm(e164, dialled) || allows(dialled)),
  }
}

/** The user part of a SIP URI, or the number itself; as it is, and without its escapes, which may be escaped again. */
function readingsOf(dialled: string): string[] {
  const [, , user = ''] = /^(sips?:)([^@]*)@/i.exec(dialled) ?? [null, null, /^sips?:/i.test(dialled) ? '' : dialled]
  const once = unescaped(user)
  return [...new Set([user, once, unescaped(once)])]
}

const unescaped = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))

/** An allowed number without its country code. It may begin like another country: (97) 9… in Brazil is not +979. */
function isNationalForm(e164: string, dialled: string): boolean {
  const country = countryCodeOf(e164)
  const national = e164.slice(1 + country.length)
  return dialled === national && (national.length <= 10 || (country === '55' && /^\d\d9\d{8}$/.test(national)))
}
