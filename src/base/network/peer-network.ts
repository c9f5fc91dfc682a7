// The network that counts as one peer in per-peer limits.
import { isIPv6 } from 'node:net'

/** For IPv6 the first 64 bits, since a host usually has its whole /64. */
export const peerNetworkOf = (ip: string): string => asIPv4(ip) ?? `${ipv6Groups(ip).slice(0, 4).join(':')}::`

/** An IPv4 address, even if it came through an IPv6 socket. */
export function asIPv4(ip: string): string | undefined {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  return mapped ?? (isIPv6(ip) ? undefined : ip)
}

/** The eight groups of an IPv6 address. */
export function ipv6Groups(ip: string): string[] {
  const [head = '', tail] = (ip.split('%', 1)[0] ?? '').split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  const all = [...before, ...Array(Math.max(0, zeros)).fill('0'), ...after]
  return all.map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
}
