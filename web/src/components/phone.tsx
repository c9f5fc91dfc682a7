// A phone number, formatted for display.
import { formatNumber } from './phone-number.ts'

/** Names and SIP addresses are shown unchanged. */
export const Phone = ({ number }: { number: string }) => <span className="numbers">{formatNumber(number)}</span>
