// How much of an address is kept with a session.
import { asIPv4, ipv6Groups } from '../../base/peer-network.ts'

/** Enough to tell home from abroad, and no more: a /24, of IPv6 a /48. This machine itself is named whole. */
export function shortAddress(ip: string): string {
  if (ip === '::1') return ip
  const plain = asIPv4(ip)
  if (plain === undefined) return `${ipv6Groups(ip).slice(0, 3).join(':')}::/48`
  return plain.startsWith('127.') ? plain : plain.replace(/\.\d+$/, '.0/24')
}
