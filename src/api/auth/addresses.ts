// Addresses as far as signing in needs them: whom to count as one, and how much of one is kept.
import { isIPv6 } from 'node:net'

/** Of IPv6 the first 64 bits: whoever has one such address has all of them. */
export function networkOf(ip: string): string {
  const plain = asIPv4(ip)
  return plain ?? `${groupsOf(ip).slice(0, 4).join(':')}::`
}

/** Enough to tell home from abroad, and no more: a /24, of IPv6 a /48. This machine itself is named whole. */
export function shortAddress(ip: string): string {
  if (ip === '::1') return ip
  const plain = asIPv4(ip)
  if (plain === undefined) return `${groupsOf(ip).slice(0, 3).join(':')}::/48`
  return plain.startsWith('127.') ? plain : plain.replace(/\.\d+$/, '.0/24')
}

function asIPv4(ip: string): string | undefined {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  return mapped ?? (isIPv6(ip) ? undefined : ip)
}

function groupsOf(ip: string): string[] {
  const [head = '', tail] = (ip.split('%', 1)[0] ?? '').split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  const all = [...before, ...Array(Math.max(0, zeros)).fill('0'), ...after]
  return all.map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
}
