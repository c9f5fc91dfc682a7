// The addresses that a trunk claims, and since when: its host, its proxy and its allowed addresses.
import { isIP } from 'node:net'
import { hostOf } from '../base/cidr.ts'
import { type AddressSet, addressSet } from './address-set.ts'
import type { AddressClaims, Trunk } from './ports.ts'

/** One address or range of a trunk. */
export type Claim = {
  network: string
  since: string
  isRange: boolean
  /** A single address, or a range in which a single address of the same trunk lies. */
  isProved: boolean
  addresses: AddressSet
}
export type TrunkClaim = { trunk: Trunk; claim: Claim }

/** Per name: a bound against names that resolve to ever new addresses. */
const MAX_ADDRESSES = 64

type Entry = { name: string; port: number | null; isRangeAllowed: boolean }

export function entriesOf({ host, port, outboundProxy, allowedAddresses }: Trunk): Entry[] {
  const proxy = outboundProxy?.replace(/^sips?:/i, '').split(/[;?/]/)[0]
  return [
    ...(host ? [{ name: hostOf(host), port, isRangeAllowed: false }] : []),
    ...(proxy ? [{ name: hostOf(proxy), port: null, isRangeAllowed: false }] : []),
    ...allowedAddresses.map((name) => ({ name: hostOf(name), port: null, isRangeAllowed: true })),
  ].filter(({ name }) => name !== '')
}

export const isLiteral = ({ name, isRangeAllowed }: Entry): boolean =>
  isIP(isRangeAllowed ? (name.split('/')[0] as string) : name) !== 0

/** The addresses of each entry, with the time of the first claim. A name that does not resolve now keeps its addresses. */
export function renewedClaims(
  before: AddressClaims,
  found: ReadonlyMap<string, readonly string[]>,
  now: string,
): AddressClaims {
  const entries = [...found].map(([name, networks]) => {
    const known = before[name] ?? {}
    const fresh = Object.fromEntries(networks.map((network) => [network, known[network] ?? now]))
    const all = Object.entries({ ...known, ...fresh })
    const bounded = all.length <= MAX_ADDRESSES ? all : Object.entries(fresh).slice(0, MAX_ADDRESSES)
    return [name, Object.fromEntries(bounded)]
  })
  return Object.fromEntries(entries)
}

/** The claims in force: earlier addresses of a name count only while it does not resolve. */
export function claimsIn(all: AddressClaims, found: ReadonlyMap<string, readonly string[]>): Claim[] {
  const held = Object.entries(all).flatMap(([name, networks]) => {
    const now = found.get(name) ?? []
    return Object.entries(networks).filter(([network]) => now.length === 0 || now.includes(network))
  })
  const singles = held.flatMap(([network]) => (network.includes('/') ? [] : [network]))
  return held.map(([network, since]) => {
    const addresses = addressSet([network])
    const isRange = network.includes('/')
    return { network, since, isRange, isProved: !isRange || singles.some(addresses.has), addresses }
  })
}

/** Gateway devices first, then administrators' trunks, then the oldest claim. */
export function inOrderOfClaim(claims: readonly TrunkClaim[]): TrunkClaim[] {
  const rank = ({ deviceId, isOwnedByAdmin: isAdmins }: Trunk) => (deviceId !== undefined ? 0 : isAdmins ? 1 : 2)
  return claims.toSorted(
    (a, b) =>
      rank(a.trunk) - rank(b.trunk) || (a.claim.since < b.claim.since ? -1 : a.claim.since > b.claim.since ? 1 : 0),
  )
}
