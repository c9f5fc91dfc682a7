// Where a call may be sent on to: a number through its own trunk, or a SIP address; never a number that may not be called.
import { E164 } from '../base/phone-number.ts'
import { formatUri, parseUri } from '../sip/uri.ts'
import { dialledDigits, dialString } from './numbers.ts'
import type { Trunk } from './ports.ts'

const isE164 = new RegExp(E164)

export const referTarget =
  (deniedPrefixes: readonly string[]) =>
  (to: string, trunk: Trunk | null): string | null => {
    const isDenied = (number: string) => deniedPrefixes.some((prefix) => number.startsWith(prefix))
    const uri = /^sips?:/i.test(to) ? parseUri(to) : null
    if (uri) {
      // Whoever stands behind it may be a carrier: its user part is judged as a number is.
      const digits = uri.user === null ? null : dialledDigits(uri.user)
      if (digits !== null && isDenied(digits.startsWith('+') ? digits : `+${digits}`)) return null
      return to
    }
    const number = dialledDigits(to)
    if (number === null || !isE164.test(number) || isDenied(number) || !trunk?.host) return null
    const { host, port } = trunk
    return formatUri({ user: dialString(number, trunk.numberFormat), host, ...(port === null ? {} : { port }) })
  }
