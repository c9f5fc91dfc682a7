// A telephone number as every page shows it.
import { formatNumber } from './phone-number.ts'

/** Names and addresses that are no number are shown as they are. */
export const Phone = ({ number }: { number: string }) => <span className="numbers">{formatNumber(number)}</span>
