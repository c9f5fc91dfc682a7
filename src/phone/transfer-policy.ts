// Transfer targets: full numbers and SIP addresses that the dial policy allows.
import { isE164, normalizeNumber } from '../base/phone-numbers/phone-number.ts'
import { formatUri, parseUri } from '../sip/message/uri.ts'
import type { DialPolicy } from './dial-policy.ts'
import { dialString } from './dial-string.ts'
import type { Trunk } from './ports.ts'

export const isSipAddress = (to: string): boolean => /^sips?:/i.test(to)

export const mayTransfer =
  (policy: DialPolicy) =>
  (to: string): boolean => {
    if (isSipAddress(to)) return parseUri(to) !== null && policy.allows(to)
    const number = normalizeNumber(to)
    return number !== null && isE164(number) && policy.allows(number)
  }

/** The Refer-To URI; null without a trunk for a number, or when the trunk's dial string is denied. */
export const referTarget =
  (policy: DialPolicy) =>
  (to: string, trunk: Trunk | null): string | null => {
    if (isSipAddress(to)) return to
    const number = normalizeNumber(to)
    if (number === null || !trunk?.host) return null
    const { host, port } = trunk
    const user = dialString(number, trunk.numberFormat)
    return policy.allowsAs(number, user) ? formatUri({ user, host, ...(port === null ? {} : { port }) }) : null
  }
