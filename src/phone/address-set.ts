// IP addresses and ranges: whether one is in a list such as `203.0.113.7, 198.51.100.0/24`.
import { BlockList, isIP, isIPv6 } from 'node:net'

/** IPv4-mapped IPv6 addresses (::ffff:…) become IPv4. */
export const plainAddress = (address: string): string =>
  address.toLowerCase().startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address

export type AddressSet = { has(address: string): boolean; readonly isEmpty: boolean }

/** Ignores entries that are neither an address nor a range. */
export function addressSet(entries: readonly string[]): AddressSet {
  const list = new BlockList()
  let count = 0
  for (const entry of entries) {
    const [address = '', bits] = entry.trim().split('/')
    const family = isIP(address)
    if (family === 0) continue
    const type = family === 6 ? 'ipv6' : 'ipv4'
    const prefix = bits === undefined ? (family === 6 ? 128 : 32) : Number(bits)
    if (!Number.isInteger(prefix) || prefix < 0 || prefix > (family === 6 ? 128 : 32)) continue
    list.addSubnet(address, prefix, type)
    count++
  }
  return {
    isEmpty: count === 0,
    has: (address) => {
      const plain = plainAddress(address)
      return isIP(plain) !== 0 && list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
    },
  }
}
