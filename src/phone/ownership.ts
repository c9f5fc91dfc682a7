// Which user an address belongs to: whose trunk a call from it may be, and who may send to it.
import { addressGuard, rangeProblem } from '../base/cidr.ts'
import type { Hop } from '../sip/message/message.ts'
import { isOwnAddress } from '../sip/transport/local-address.ts'
import type { TrunkClaim } from './address-claims.ts'
import { plainAddress } from './address-set.ts'
import type { Directory } from './directory.ts'
import type { Trunk } from './ports.ts'

/** On whose behalf a request is sent. An operator's gateway may be at any address. */
export type Sender = { userId: string; isGateway?: boolean }

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

export const senderOf = ({ userId, deviceId }: Pick<Trunk, 'userId' | 'deviceId'>): Sender => ({
  userId,
  isGateway: deviceId !== undefined,
})

const isLoopback = (address: string) => address === '::1' || address.startsWith('127.')
const portOf = ({ port, transport }: Trunk) => port ?? (transport === 'tls' ? 5061 : 5060)

export function createOwnership({ directory, networks, isProxy, ports, publicAddresses }: OwnershipParts) {
  const guard = addressGuard(networks)

  const isOurs = (address: string, port: number) =>
    ports.includes(port) && (isOwnAddress(address) || publicAddresses().includes(address))

  /** Claims of trunks at this port. */
  const claimsOfPort = (address: string, port: number) =>
    directory.claimsAt(address).filter(({ trunk }) => portOf(trunk) === port)

  /** An address is one carrier, whatever the port; on loopback each port may belong to another. */
  function claimsFrom(address: string, port: number): readonly TrunkClaim[] {
    const exact = isLoopback(address) ? claimsOfPort(address, port) : []
    return exact.length > 0 ? exact : directory.claimsAt(address)
  }

  /** The carrier authenticates this server by address and would bill another user. */
  function isOthers(address: string, port: number, { userId, isGateway }: Sender): boolean {
    if (isGateway) return false
    const claims = isLoopback(address) ? claimsOfPort(address, port) : directory.claimsAt(address)
    for (const { trunk } of claims) {
      if (trunk.userId === userId) return false
      if (trunk.authMode === 'ip') return true
    }
    return false
  }

  function mayReach(address: string, { userId, isGateway }: Sender): boolean {
    if (guard.mayReach(address)) return true
    return (isGateway === true || directory.isAdministrator(userId)) && rangeProblem(address) === null
  }

  const refusal =
    (sender: Sender) =>
    (hop: Pick<Hop, 'address' | 'port'>): string | undefined => {
      const address = plainAddress(hop.address)
      if (isOurs(address, hop.port)) return `${address} port ${hop.port} is this server itself`
      // The proxy relays for us to wherever a request says: past the checks below.
      if (isProxy(address) && !directory.isAdministrator(sender.userId) && sender.isGateway !== true)
        return `${address} is a SIP proxy of this service`
      if (isOthers(address, hop.port, sender)) return `${address} belongs to another account`
      if (!mayReach(address, sender))
        return `${address} is not a public address; the operator can list it in SIP_NETWORKS`
      return undefined
    }

  return {
    /** Trunks whose calls from this address need no password; those of the address's owner first. */
    trustedTrunksAt(address: string, port: number): Trunk[] {
      const claims = claimsFrom(address, port)
      const owner = claims[0]?.trunk.userId
      // Programs on this machine call from any port: the called number tells whose call it is.
      const isShared =
        isLoopback(address) &&
        claimsOfPort(address, port).length === 0 &&
        claims.every(({ trunk }) => trunk.authMode !== 'digest')
      const trusted = claims.filter(
        ({ trunk }) =>
          trunk.authMode !== 'digest' &&
          (isShared || trunk.userId === owner || trunk.deviceId !== undefined || trunk.isRegistered === true),
      )
      return [...new Set(trusted.map(({ trunk }) => trunk))].toSorted(
        (a, b) => Number(b.userId === owner) - Number(a.userId === owner),
      )
    },
    /** Who sees calls from there to unassigned numbers. */
    ownerOf: (address: string, port: number): string | undefined => claimsFrom(address, port)[0]?.trunk.userId,
    /** Whether a trunk of another user authenticates by digest from there. */
    hasPasswordTrunk: (address: string, userId: string | undefined): boolean =>
      directory.claimsAt(address).some(({ trunk }) => trunk.authMode === 'digest' && trunk.userId !== userId),
    /** Why this user's request must not go there; undefined when it may. */
    refusal,
    /** For the Path of a phone's registration: the address that its REGISTER came from, and what its owner's trunks may reach. */
    pathRefusal:
      ({ userId }: { userId: string }, from: string) =>
      (hop: Pick<Hop, 'address' | 'port'>): string | undefined => {
        const address = plainAddress(hop.address)
        const isSource = address === plainAddress(from) && !isOurs(address, hop.port)
        return isSource ? undefined : refusal({ userId })(hop)
      },
    /** For targets that the remote side sets within a dialog: public addresses, our proxies, and the addresses of administrators' trunks and gateways. */
    inDialogRefusal: (hop: Pick<Hop, 'address' | 'port'>): string | undefined => {
      const address = plainAddress(hop.address)
      if (isOurs(address, hop.port)) return `${address} port ${hop.port} is this server itself`
      const isKnown = directory
        .claimsAt(address)
        .some(({ trunk }) => trunk.deviceId !== undefined || trunk.isOwnedByAdmin === true)
      return isKnown || isProxy(address) || guard.mayReach(address) ? undefined : `${address} is not a public address`
    },
  }
}
