// Trunks and devices in memory: whoever knocks is recognised or not without a query. Read anew when the database says that something changed.
import { createHmac, hkdfSync } from 'node:crypto'
import { waitAtMost } from '../base/abort.ts'
import { monotonicMs, now } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { LruCache } from '../base/lru-cache.ts'
import type { Hop } from '../sip/message/message.ts'
import {
  type Claim,
  claimsIn,
  entriesOf,
  inOrderOfClaim,
  isLiteral,
  renewedClaims,
  type TrunkClaim,
} from './address-claims.ts'
import type { Device, PhoneRepository, Trunk } from './ports.ts'

const RESOLVE_AGAIN_MS = 60_000
/** A name server that does not answer holds nobody else up: what it says later is taken up then. */
const RESOLVE_WAIT_MS = 1000
const MAX_ADDRESSES = 10_000

export type Resolve = (place: { host: string; port: number | null; transport: Trunk['transport'] }) => Promise<Hop[]>

type Known = { trunk: Trunk; claims: readonly Claim[]; resolvedAt: number; resolving: Promise<void> | null }

/** The user part of a Contact of ours, also of one that we gave before the master key was changed. */
const contactShape = /^t[0-9a-f]{24}$/

export const trunkKey = (trunk: { userId: string; id: string }): string => `${trunk.userId} ${trunk.id}`

export const deviceTrunkId = (deviceId: string): string => `device:${deviceId}`

export type Directory = ReturnType<typeof createDirectory>

export type DirectoryParts = {
  book: Pick<PhoneRepository, 'version' | 'trunks' | 'devices' | 'administrators' | 'claimed'>
  resolve: Resolve
  /** The same in every process and after every start: a carrier keeps the Contact that it was given. */
  secret: string
  log: Log
}

export function createDirectory({ book, resolve, secret, log }: DirectoryParts) {
  const contactKey = Buffer.from(hkdfSync('sha256', secret, '', 'ramal contact', 32))
  let trunks = new Map<string, Known>()
  let byContact = new Map<string, Trunk>()
  let digestTrunks = new Map<string, Trunk[]>()
  let atAddress = new LruCache<string, TrunkClaim[]>(MAX_ADDRESSES)
  let administrators: ReadonlySet<string> = new Set()
  let devices = new Map<string, Device>()
  let farDevices = new Map<string, Device>()
  let version: string | undefined
  const listeners: (() => void)[] = []

  /** The user part of the Contact that we give a carrier: who sends it back has it from us. */
  const contactUser = (trunk: { userId: string; id: string }) =>
    `t${createHmac('sha256', contactKey).update(trunkKey(trunk)).digest('hex').slice(0, 24)}`

  async function claimsOf(trunk: Trunk): Promise<Claim[]> {
    const found = await Promise.all(
      entriesOf(trunk).map(async (entry): Promise<[string, string[]]> => {
        const { name: host, port } = entry
        if (isLiteral(entry)) return [host, [host]]
        const hops = await resolve({ host, port, transport: trunk.transport }).catch(() => [])
        return [host, hops.map((hop) => hop.address)]
      }),
    )
    const networks = new Map(found)
    const before = trunk.claims ?? {}
    const claims = renewedClaims(before, networks, now())
    if (trunk.deviceId === undefined && JSON.stringify(claims) !== JSON.stringify(before)) {
      trunk.claims = claims
      await book
        .claimed(trunk.userId, trunk.id, claims)
        .catch((err) => log.warn({ err, trunkId: trunk.id }, 'failed to store the addresses of a trunk'))
    }
    return claimsIn(claims, networks)
  }

  const placesOf = ({ host, port, transport, outboundProxy, allowedAddresses }: Trunk) =>
    JSON.stringify([host, port, transport, outboundProxy, allowedAddresses])

  function know(trunk: Trunk, before: Known | undefined): Known {
    const isSame = before !== undefined && placesOf(before.trunk) === placesOf(trunk)
    if (isSame && monotonicMs() - before.resolvedAt < RESOLVE_AGAIN_MS) return Object.assign(before, { trunk })
    const known: Known = {
      trunk,
      claims: isSame ? before.claims : [],
      resolvedAt: monotonicMs(),
      resolving: null,
    }
    known.resolving = claimsOf(trunk).then((claims) => {
      // A name server that is away does not make a trunk a stranger.
      if (claims.length > 0) known.claims = claims
      known.resolving = null
      atAddress = new LruCache(MAX_ADDRESSES)
    })
    return known
  }

  async function read(): Promise<void> {
    const [allTrunks, allDevices, admins] = await Promise.all([book.trunks(), book.devices(), book.administrators()])
    const known = new Map(allTrunks.map((trunk) => [trunkKey(trunk), know(trunk, trunks.get(trunkKey(trunk)))]))
    const resolving = [...known.values()].map((each) => each.resolving)
    await waitAtMost(RESOLVE_WAIT_MS, Promise.all(resolving))
    trunks = known
    administrators = new Set(admins)
    atAddress = new LruCache(MAX_ADDRESSES)
    byContact = new Map(allTrunks.map((trunk) => [contactUser(trunk), trunk]))
    digestTrunks = Map.groupBy(
      allTrunks.filter(({ authMode, username }) => authMode === 'digest' && username !== null),
      ({ username }) => username as string,
    )
    devices = new Map(allDevices.flatMap((device) => (device.far ? [] : [[device.username, device]])))
    farDevices = new Map(allDevices.flatMap((device) => (device.far ? [[device.id, device]] : [])))
  }

  /** Trunks whose far side this address is, whoever has the best claim to it first. */
  function claimsAt(address: string): readonly TrunkClaim[] {
    const found = atAddress.get(address)
    if (found) return found
    const there = [...trunks.values()].flatMap(({ trunk, claims }) =>
      claims.filter(({ addresses }) => addresses.has(address)).map((claim) => ({ trunk, claim })),
    )
    const ordered = inOrderOfClaim(there)
    atAddress.set(address, ordered)
    return ordered
  }

  let readAt = 0
  /** Reads what has changed, or what was resolved long ago. */
  async function readChanges(): Promise<void> {
    const current = await book.version()
    const isStale = monotonicMs() - readAt > RESOLVE_AGAIN_MS
    if (current === version && !isStale) return
    await read()
    if (current !== version)
      log.debug({ trunks: trunks.size, devices: devices.size, farDevices: farDevices.size }, 'trunks and devices read')
    version = current
    readAt = monotonicMs()
    for (const told of listeners) told()
  }

  let reading: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined
  return {
    /** Knows, when it resolves, whatever was written before it was called. One reads at a time: an older answer never replaces a newer one. */
    refresh(): Promise<void> {
      next ??= reading
        .catch(() => {})
        .then(() => {
          next = undefined
          reading = readChanges()
          return reading
        })
      return next
    },
    onChange: (told: () => void): void => void listeners.push(told),

    trunks: (): Trunk[] => [...trunks.values()].map(({ trunk }) => trunk),
    trunk(userId: string, id: string): Trunk | undefined {
      const trunk = trunks.get(trunkKey({ userId, id }))?.trunk
      return trunk?.deviceId === undefined ? trunk : undefined
    },
    /** The way to a device of another network, once it is known. */
    trunkTo: ({ userId, id }: Device): Trunk | undefined =>
      trunks.get(trunkKey({ userId, id: deviceTrunkId(id) }))?.trunk,
    farDevice: (id: string): Device | undefined => farDevices.get(id),
    claimsAt,
    /** Those whose far side this address is. */
    trunksAt: (address: string): Trunk[] => [...new Set(claimsAt(address).map(({ trunk }) => trunk))],
    /** What the carrier said of our registration, before the next reading. */
    registered(trunk: { userId: string; id: string }, isRegistered: boolean): void {
      const known = trunks.get(trunkKey(trunk))
      if (known) known.trunk = { ...known.trunk, isRegistered }
      atAddress = new LruCache(MAX_ADDRESSES)
    },
    isAdministrator: (userId: string): boolean => administrators.has(userId),
    trunkByContact: (user: string): Trunk | undefined => byContact.get(user),
    /** Whoever it was given to: who has it back has it from us. */
    isContact: (user: string): boolean => contactShape.test(user),
    /** Different users' trunks may have the same name for themselves. */
    trunksByUsername: (username: string): readonly Trunk[] => digestTrunks.get(username) ?? [],
    contactUser,

    device: (username: string): Device | undefined => devices.get(username),
    /** Those that register here. */
    devices: (): Device[] => [...devices.values()],
    devicesOf: (userId: string): Device[] =>
      [...devices.values(), ...farDevices.values()].filter((device) => device.userId === userId),
    /** Whether anybody could show a password here. */
    hasAccounts: (): boolean => devices.size > 0 || digestTrunks.size > 0,
  }
}
