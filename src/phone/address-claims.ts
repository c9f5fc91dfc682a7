// The addresses that a trunk claims: its host, its proxy and its allowed addresses; and which of them are proved.
import { isIP } from 'node:net'
import { LruCache } from '../base/lru-cache.ts'
import { isValidProof } from '../base/network/address-proofs.ts'
import { hostOf } from '../base/network/cidr.ts'
import { type AddressSet, addressSet } from './address-set.ts'
import type { AddressClaims, Trunk } from './ports.ts'

/** One address or range of a trunk. */
export type Claim = {
  network: string
  /** A single address, or a range in which a single address of the same trunk lies. */
  isNamed: boolean
  addresses: AddressSet
}
export type TrunkClaim = { trunk: Trunk; claim: Claim }

/** Per name: bounds names that keep resolving to new addresses. */
const MAX_ADDRESSES = 64
/** Cached address sets: they take more memory than everything else about a trunk. */
const MAX_SETS = 20_000

export type Entry = { name: string; port: number | null; isRangeAllowed: boolean }

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

/** Address sets by their text, shared by all trunks and kept over reloads. */
export function addressSets() {
  const sets = new LruCache<string, AddressSet>(MAX_SETS)
  let built = 0
  return {
    get built() {
      return built
    },
    of(network: string): AddressSet {
      const known = sets.get(network)
      if (known) return known
      built++
      const set = addressSet([network])
      sets.set(network, set)
      return set
    },
  }
}
export type AddressSets = ReturnType<typeof addressSets>

/** The claims in force: earlier addresses of a name count only while it does not resolve. */
export function claimsIn(
  sets: AddressSets,
  all: AddressClaims,
  found: ReadonlyMap<string, readonly string[]>,
): Claim[] {
  const held = Object.entries(all).flatMap(([name, networks]) => {
    const now = found.get(name) ?? []
    return Object.keys(networks).filter((network) => now.length === 0 || now.includes(network))
  })
  const singles = held.filter((network) => !network.includes('/'))
  return [...new Set(held)].map((network) => {
    const addresses = sets.of(network)
    return { network, isNamed: !network.includes('/') || singles.some(addresses.has), addresses }
  })
}

/** Whether the address was proved to be the trunk's. A gateway is the operator's and needs no proof. */
export function isProved(trunk: Trunk, address: string): boolean {
  if (trunk.deviceId !== undefined) return true
  const proof = trunk.proofs?.[address]
  const isRegistered = trunk.authMode === 'register' && trunk.isRegistered === true
  return proof !== undefined && isValidProof(proof, isRegistered)
}
