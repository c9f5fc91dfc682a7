// Where a call may be transferred: a whole number or a SIP address, as the dial policy allows.
import type { DialPolicy } from '../base/dial-policy.ts'
import { E164_PATTERN } from '../base/phone-number.ts'
import { formatUri, parseUri } from '../sip/message/uri.ts'
import { dialledDigits, dialString } from './dial-string.ts'
import type { Trunk } from './ports.ts'

const isE164 = new RegExp(E164_PATTERN)
export const isSipAddress = (to: string): boolean => /^sips?:/i.test(to)

export const mayTransfer =
  (policy: DialPolicy) =>
  (to: string): boolean => {
    if (isSipAddress(to)) return parseUri(to) !== null && policy.allows(to)
    const number = dialledDigits(to)
    return number !== null && isE164.test(number) && policy.allows(number)
  }

/** As a Refer-To; null where there is no trunk to send a number by, or the trunk would dial what may not be dialled. */
export const referTarget =
  (policy: DialPolicy) =>
  (to: string, trunk: Trunk | null): string | null => {
    if (isSipAddress(to)) return to
    const number = dialledDigits(to)
    if (number === null || !trunk?.host) return null
    const { host, port } = trunk
    const user = dialString(number, trunk.numberFormat)
    return policy.allowsAs(number, user) ? formatUri({ user, host, ...(port === null ? {} : { port }) }) : null
  }
