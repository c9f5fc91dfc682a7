// Where a call may be sent on to: a number, or a SIP address; never a number that may not be called.
import { E164 } from '../base/phone-number.ts'
import { formatUri, parseUri } from '../sip/uri.ts'
import { dialledDigits, dialString } from './numbers.ts'
import type { Trunk } from './ports.ts'

const isE164 = new RegExp(E164)
export const isSipAddress = (to: string): boolean => /^sips?:/i.test(to)

export const mayCall =
  (deniedPrefixes: readonly string[]) =>
  (to: string): boolean => {
    const isDenied = (number: string) => deniedPrefixes.some((prefix) => number.startsWith(prefix))
    if (isSipAddress(to)) {
      const uri = parseUri(to)
      if (!uri) return false
      // Whoever stands behind it may be a carrier: its user part is judged as a number is.
      const digits = uri.user === null ? null : dialledDigits(uri.user)
      return digits === null || !isDenied(digits.startsWith('+') ? digits : `+${digits}`)
    }
    const number = dialledDigits(to)
    return number !== null && isE164.test(number) && !isDenied(number)
  }

/** As a Refer-To; null where there is no trunk to send a number by. */
export function referTarget(to: string, trunk: Trunk | null): string | null {
  if (isSipAddress(to)) return to
  const number = dialledDigits(to)
  if (number === null || !trunk?.host) return null
  const { host, port } = trunk
  return formatUri({ user: dialString(number, trunk.numberFormat), host, ...(port === null ? {} : { port }) })
}
