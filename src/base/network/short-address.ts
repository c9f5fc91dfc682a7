// Truncates an IP address for storage.
import { asIPv4, ipv6Groups } from './peer-network.ts'

/**
 * Truncated to a /24, or a /48 for IPv6: enough to recognize a place, and no more. Loopback addresses are kept whole.
 */
export function shortAddress(ip: string): string {
  if (ip === '::1') return ip
  const plain = asIPv4(ip)
  if (plain === undefined) return `${ipv6Groups(ip).slice(0, 3).join(':')}::/48`
  return plain.startsWith('127.') ? plain : plain.replace(/\.\d+$/, '.0/24')
}
