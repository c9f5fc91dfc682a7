// Trunks and devices in memory, so that a SIP request is matched without a query. Reloaded when the database has changed.
import { createHmac, hkdfSync } from 'node:crypto'
import { waitAtMost } from '../base/concurrency/abort.ts'
import { coalesced } from '../base/concurrency/coalesced.ts'
import { LruCache } from '../base/lru-cache.ts'
import { type AddressProof, withProof } from '../base/network/address-proofs.ts'
import type { Log } from '../base/process/log.ts'
import { monotonicMs, now } from '../base/time/clock.ts'
import { isProved, type TrunkClaim } from './address-claims.ts'
import type { Device, PhoneRepository, Trunk } from './ports.ts'
import { RESOLVE_AGAIN_MS, type TrackedTrunk, trackedClaims } from './tracked-claims.ts'
import type { Resolve } from './trunk-names.ts'

/** A slow name server must not delay other trunks; a late result is applied when it arrives. */
const RESOLVE_WAIT_MS = 1000
const MAX_ADDRESSES = 10_000

/** The user part of our Contacts, including those issued before the master key changed. */
const contactShape = /^t[0-9a-f]{24}$/

export const trunkKey = (trunk: { userId: string; id: string }): string => `${trunk.userId} ${trunk.id}`

export const deviceTrunkId = (deviceId: string): string => `device:${deviceId}`

export type Directory = ReturnType<typeof createDirectory>

export type DirectoryParts = {
  repository: Pick<
    PhoneRepository,
    'version' | 'trunks' | 'devices' | 'administrators' | 'saveAddressClaims' | 'saveAddressProof'
  >
  resolve: Resolve
  /** Must not change: carriers keep the Contact that they were given. */
  secret: string
  log: Log
}

export function createDirectory({ repository, resolve, secret, log }: DirectoryParts) {
  const claims = trackedClaims({ repository, resolve, log, onResolved: forgetAddresses })
  const contactKey = Buffer.from(hkdfSync('sha256', secret, '', 'ramal contact', 32))
  let trunks = new Map<string, TrackedTrunk>()
  let byContact = new Map<string, Trunk>()
  let digestTrunks = new Map<string, Trunk[]>()
  let atAddress = new LruCache<string, TrunkClaim[]>(MAX_ADDRESSES)
  let administrators: ReadonlySet<string> = new Set()
  let devices = new Map<string, Device>()
  let remoteDevices = new Map<string, Device>()
  let version: string | undefined
  const listeners: (() => void)[] = []

  function forgetAddresses(): void {
    atAddress = new LruCache(MAX_ADDRESSES)
  }

  /** The user part of our Contact for a carrier. It is secret, so that a call to it comes from that carrier. */
  const contactUser = (trunk: { userId: string; id: string }) =>
    `t${createHmac('sha256', contactKey).update(trunkKey(trunk)).digest('hex').slice(0, 24)}`

  async function read(): Promise<void> {
    const [allTrunks, allDevices, admins] = await Promise.all([
      repository.trunks(),
      repository.devices(),
      repository.administrators(),
    ])
    const tracked = new Map(
      allTrunks.map((trunk) => [trunkKey(trunk), claims.track(trunk, trunks.get(trunkKey(trunk)))]),
    )
    const resolving = [...tracked.values()].map((each) => each.resolving)
    await waitAtMost(RESOLVE_WAIT_MS, Promise.all(resolving))
    trunks = tracked
    administrators = new Set(admins)
    forgetAddresses()
    byContact = new Map(allTrunks.map((trunk) => [contactUser(trunk), trunk]))
    digestTrunks = Map.groupBy(
      allTrunks.filter(({ authMode, username }) => authMode === 'digest' && username !== null),
      ({ username }) => username as string,
    )
    devices = new Map(allDevices.flatMap((device) => (device.remote ? [] : [[device.username, device]])))
    remoteDevices = new Map(allDevices.flatMap((device) => (device.remote ? [[device.id, device]] : [])))
  }

  /** The claims of all trunks to this address. */
  function claimsAt(address: string): readonly TrunkClaim[] {
    const found = atAddress.get(address)
    if (found) return found
    const there = [...trunks.values()].flatMap(({ trunk, claims }) =>
      claims.filter(({ addresses }) => addresses.has(address)).map((claim) => ({ trunk, claim })),
    )
    atAddress.set(address, there)
    return there
  }

  function change(trunk: { userId: string; id: string }, changes: Partial<Trunk>): void {
    const known = trunks.get(trunkKey(trunk))
    if (known) known.trunk = { ...known.trunk, ...changes }
    forgetAddresses()
  }

  let readAt = 0
  /** Reloads after a change, or when DNS results are old. */
  async function readChanges(): Promise<void> {
    const current = await repository.version()
    const isStale = monotonicMs() - readAt > RESOLVE_AGAIN_MS
    if (current === version && !isStale) return
    await read()
    if (current !== version)
      log.debug(
        { trunks: trunks.size, devices: devices.size, remoteDevices: remoteDevices.size },
        'trunks and devices loaded',
      )
    version = current
    readAt = monotonicMs()
    for (const listener of listeners) listener()
  }

  return {
    /** When it resolves, everything written before the call is visible. */
    refresh: coalesced(readChanges).run,
    onChange: (listener: () => void): void => void listeners.push(listener),

    trunks: (): Trunk[] => [...trunks.values()].map(({ trunk }) => trunk),
    trunk(userId: string, id: string): Trunk | undefined {
      const trunk = trunks.get(trunkKey({ userId, id }))?.trunk
      return trunk?.deviceId === undefined ? trunk : undefined
    },
    /** The trunk that leads to a device of another network. */
    trunkOfDevice: ({ userId, id }: Device): Trunk | undefined =>
      trunks.get(trunkKey({ userId, id: deviceTrunkId(id) }))?.trunk,
    remoteDevice: (id: string): Device | undefined => remoteDevices.get(id),
    claimsAt,
    /** The trunks that claim this address. */
    trunksAt: (address: string): Trunk[] => [...new Set(claimsAt(address).map(({ trunk }) => trunk))],
    /** The result of our registration, ahead of the next reload. */
    setRegistered: (trunk: { userId: string; id: string }, isRegistered: boolean): void =>
      change(trunk, { isRegistered }),
    /** The users whose claim to this address is proved. */
    provedUsers: (address: string): ReadonlySet<string> =>
      new Set(claimsAt(address).flatMap(({ trunk }) => (isProved(trunk, address) ? [trunk.userId] : []))),
    /** Stores a proof that the address is this trunk's; it counts only if the trunk claims the address. */
    async prove({ userId, id }: Trunk, address: string, by: AddressProof['by']): Promise<void> {
      const trunk = claimsAt(address).find((claim) => claim.trunk.userId === userId && claim.trunk.id === id)?.trunk
      if (!trunk || trunk.deviceId !== undefined) return
      const proofs = withProof(trunk.proofs ?? {}, address, by, now())
      if (proofs === trunk.proofs) return
      change(trunk, { proofs })
      await repository
        .saveAddressProof(userId, id, address, by)
        .catch((err) => log.warn({ err, trunkId: id }, 'failed to store the proof of an address'))
    },
    addressSetsBuilt: claims.addressSetsBuilt,
    isAdministrator: (userId: string): boolean => administrators.has(userId),
    trunkByContact: (user: string): Trunk | undefined => byContact.get(user),
    /** Whether the user part looks like a Contact of ours, for any trunk. */
    isContact: (user: string): boolean => contactShape.test(user),
    /** Trunks of different users may share a username. */
    trunksByUsername: (username: string): readonly Trunk[] => digestTrunks.get(username) ?? [],
    contactUser,

    device: (username: string): Device | undefined => devices.get(username),
    /** Devices that register with this server. */
    devices: (): Device[] => [...devices.values()],
    devicesOf: (userId: string): Device[] =>
      [...devices.values(), ...remoteDevices.values()].filter((device) => device.userId === userId),
    /** Whether any account can authenticate by digest. */
    hasAccounts: (): boolean => devices.size > 0 || digestTrunks.size > 0,
  }
}
