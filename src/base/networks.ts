// Whom to count as one: an IPv4 address, or of IPv6 the first 64 bits, for whoever has one such address has all of them.
import { isIPv6 } from 'node:net'

export function networkOf(ip: string): string {
  const plain = asIPv4(ip)
  return plain ?? `${groupsOf(ip).slice(0, 4).join(':')}::`
}

/** Undefined of what is really IPv6. */
export function asIPv4(ip: string): string | undefined {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  return mapped ?? (isIPv6(ip) ? undefined : ip)
}

/** All eight, without leading zeros. */
export function groupsOf(ip: string): string[] {
  const [head = '', tail] = (ip.split('%', 1)[0] ?? '').split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  const all = [...before, ...Array(Math.max(0, zeros)).fill('0'), ...after]
  return all.map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
}
