// Our address as a peer sees it, when a socket is bound to all interfaces.
import { BlockList, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { monotonicMs } from '../../base/time/clock.ts'

/** The list of interfaces is cached for this long: reading it takes 0.1 ms. */
const FRESH_MS = 10_000

type Own = { address: string; isIPv6: boolean; isInternal: boolean; net: BlockList }

let read: { atMs: number; own: Own[] } | undefined

export function localAddressFor(remote: string): string {
  const wantsIPv6 = isIPv6(remote)
  const own = ownAddresses().filter((one) => one.isIPv6 === wantsIPv6)
  const near = own.find(({ net }) => net.check(remote, wantsIPv6 ? 'ipv6' : 'ipv4'))
  const outward = own.find(({ isInternal, address }) => !isInternal && !address.startsWith('fe80:'))
  return (near ?? outward)?.address ?? (wantsIPv6 ? '::1' : '127.0.0.1')
}

export const isOwnAddress = (address: string): boolean =>
  isWildcard(address) ||
  address === '::1' ||
  address.startsWith('127.') ||
  ownAddresses().some((own) => own.address === address)

function ownAddresses(): Own[] {
  if (read && monotonicMs() - read.atMs < FRESH_MS) return read.own
  const own = Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).map(({ address, family, internal, cidr }): Own => {
      const net = new BlockList()
      const bits = Number(cidr?.split('/')[1] ?? (family === 'IPv6' ? 128 : 32))
      net.addSubnet(address, bits, family === 'IPv6' ? 'ipv6' : 'ipv4')
      return { address, isIPv6: family === 'IPv6', isInternal: internal, net }
    }),
  )
  read = { atMs: monotonicMs(), own }
  return own
}

/** IPv4-mapped IPv6 addresses become IPv4. */
export const plainAddress = (address: string): string => (address.startsWith('::ffff:') ? address.slice(7) : address)

export const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::'
