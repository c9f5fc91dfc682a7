// Ownership of addresses: which trunks a call from an address may belong to, and who may send to it.

import { LruCache } from '../base/lru-cache.ts'
import { addressGuard, rangeProblem } from '../base/network/cidr.ts'
import { monotonicMs } from '../base/time/clock.ts'
import type { Hop } from '../sip/message/message.ts'
import { isOwnAddress } from '../sip/transport/local-address.ts'
import { isProved, type TrunkClaim } from './address-claims.ts'
import { plainAddress } from './address-set.ts'
import type { Directory } from './directory.ts'
import type { Trunk } from './ports.ts'

/** On whose behalf a request is sent. An operator's gateway may be at any address. */
export type Sender = {
  userId: string
  trunkId?: string
  isGateway?: boolean
  /** Has a password for the carrier, which then bills the account of that password. */
  hasPassword?: boolean
  /** False for an administrator's trunk that was set up without full access. */
  mayReachPrivate?: boolean
}

export type OwnershipParts = {
  directory: Pick<Directory, 'claimsAt' | 'isAdministrator'>
  /** SIP_NETWORKS. */
  networks: readonly string[]
  /** The SIP proxies in front of us. */
  isProxy: (address: string) => boolean
  /** Our own SIP ports. */
  ports: readonly number[]
  /** Our addresses behind NAT. */
  publicAddresses: () => readonly string[]
}

export type Ownership = ReturnType<typeof createOwnership>

type Place = Pick<Hop, 'address' | 'port'>

/** A carrier that took a call without asking for the password is not used again for this long. */
const UNCHALLENGED_MS = 3_600_000
const MAX_UNCHALLENGED = 10_000

export const senderOf = ({ userId, id, deviceId, username, password, mayReachPrivate }: Trunk): Sender => ({
  userId,
  trunkId: id,
  isGateway: deviceId !== undefined,
  hasPassword: Boolean(username && password),
  mayReachPrivate,
})

export const isLoopback = (address: string) => address === '::1' || address.startsWith('127.')
const portOf = ({ port, transport }: Trunk) => port ?? (transport === 'tls' ? 5061 : 5060)

export function createOwnership({ directory, networks, isProxy, ports, publicAddresses }: OwnershipParts) {
  const guard = addressGuard(networks)
  /** By user and place, with the end of the ban. */
  const unchallenged = new LruCache<string, number>(MAX_UNCHALLENGED)

  /** An address is one carrier, whatever the port; on loopback each port may belong to another. */
  function claimsAt(address: string, port: number): readonly TrunkClaim[] {
    const claims = directory.claimsAt(address)
    return isLoopback(address) ? claims.filter(({ trunk }) => portOf(trunk) === port) : claims
  }

  const isOurs = (address: string, port: number) =>
    ports.includes(port) && (isOwnAddress(address) || publicAddresses().includes(address))

  /** With a password the carrier decides whom it bills, unless it turned out not to ask for it. */
  function mayUseOthers(sender: Sender, address: string, port: number): boolean {
    return sender.hasPassword === true && (unchallenged.get(keyOf(sender, address, port)) ?? 0) < monotonicMs()
  }

  function mayReach(address: string, { userId, isGateway, mayReachPrivate }: Sender): boolean {
    if (guard.mayReach(address)) return true
    const isAllowed = isGateway === true || (directory.isAdministrator(userId) && mayReachPrivate !== false)
    return isAllowed && rangeProblem(address) === null
  }

  const refusal =
    (sender: Sender) =>
    (hop: Place): string | undefined => {
      const address = plainAddress(hop.address)
      if (isOurs(address, hop.port)) return `${address} port ${hop.port} is this server itself`
      // A proxy would relay to any address in the request, past the checks below.
      if (isProxy(address) && !directory.isAdministrator(sender.userId) && sender.isGateway !== true)
        return `${address} is a SIP proxy of this service`
      if (isOthers(claimsAt(address, hop.port), address, sender) && !mayUseOthers(sender, address, hop.port))
        return belongsToOther(address)
      if (!mayReach(address, sender))
        return `${address} is not a public address; the operator can list it in SIP_NETWORKS`
      return undefined
    }

  return {
    /** Trunks whose calls from this address need no password: the called number tells whose call it is. */
    trustedTrunksAt(address: string, port: number): Trunk[] {
      const exact = claimsAt(address, port)
      const trunks = (exact.length > 0 ? exact : directory.claimsAt(address)).map(({ trunk }) => trunk)
      return [...new Set(trunks.filter(({ authMode }) => authMode !== 'digest'))]
    },
    /** Whether the carrier of a trunk there authenticates by digest. */
    hasPasswordTrunk: (address: string): boolean =>
      directory.claimsAt(address).some(({ trunk }) => trunk.authMode === 'digest'),
    /** Why this user's request must not go there; undefined when it may. */
    refusal,
    /** For a carrier that takes a call without asking for the sender's password: why the call must end. */
    unchallengedRefusal:
      (sender: Sender) =>
      (hop: Place): string | undefined => {
        const address = plainAddress(hop.address)
        if (!isOthers(claimsAt(address, hop.port), address, sender)) return undefined
        unchallenged.set(keyOf(sender, address, hop.port), monotonicMs() + UNCHALLENGED_MS)
        return belongsToOther(address)
      },
    /** For the Path of a phone's registration: the address that its REGISTER came from, and what its owner's trunks may reach. */
    pathRefusal:
      ({ userId }: { userId: string }, from: string) =>
      (hop: Place): string | undefined => {
        const address = plainAddress(hop.address)
        const isSource = address === plainAddress(from) && !isOurs(address, hop.port)
        return isSource ? undefined : refusal({ userId })(hop)
      },
    /** For targets that the remote side sets within a dialog: public addresses, our proxies, and the addresses of administrators' trunks and gateways. */
    inDialogRefusal: (hop: Place): string | undefined => {
      const address = plainAddress(hop.address)
      if (isOurs(address, hop.port)) return `${address} port ${hop.port} is this server itself`
      const isKnown = directory.claimsAt(address).some(({ trunk }) => isOperators(trunk))
      return isKnown || isProxy(address) || guard.mayReach(address) ? undefined : `${address} is not a public address`
    },
  }
}

/** The carrier authenticates this server by its address, so the call would be billed to the user who proved that address. */
function isOthers(claims: readonly TrunkClaim[], address: string, { userId, trunkId, isGateway }: Sender): boolean {
  if (isGateway) return false
  const proved = claims.map(({ trunk }) => trunk).filter((trunk) => isProved(trunk, address))
  const isByAddress = (trunk: Trunk) =>
    trunk.authMode === 'ip' && (trunk.deviceId !== undefined || trunk.proofs?.[address]?.by === 'call')
  const isOwn = (trunk: Trunk) =>
    trunk.userId === userId && (isByAddress(trunk) || (trunk.id === trunkId && trunk.authMode === 'register'))
  return proved.some((trunk) => trunk.userId !== userId && isByAddress(trunk)) && !proved.some(isOwn)
}

/** A gateway, or a trunk of an administrator that may reach private addresses. */
const isOperators = ({ deviceId, isOwnedByAdmin, mayReachPrivate }: Trunk) =>
  deviceId !== undefined || (isOwnedByAdmin === true && mayReachPrivate !== false)

const belongsToOther = (address: string) => `${address} belongs to another account`
const keyOf = ({ userId }: Sender, address: string, port: number) => `${userId} ${address} ${port}`
