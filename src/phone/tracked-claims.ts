// Keeps the address claims of trunks resolved: at once when a trunk's targets change, else once a minute.
import type { Log } from '../base/process/log.ts'
import { monotonicMs, now } from '../base/time/clock.ts'
import { addressSets, type Claim, claimsIn, entriesOf, isLiteral, renewedClaims } from './address-claims.ts'
import type { PhoneRepository, Trunk } from './ports.ts'
import { type Resolve, trunkNames } from './trunk-names.ts'

export const RESOLVE_AGAIN_MS = 60_000

export type TrackedTrunk = {
  trunk: Trunk
  claims: readonly Claim[]
  resolvedAt: number
  resolving: Promise<void> | null
}

type TrackedClaimsParts = {
  repository: Pick<PhoneRepository, 'saveAddressClaims'>
  resolve: Resolve
  /** Called when the claims of a trunk have changed. */
  onResolved: () => void
  log: Log
}

export function trackedClaims({ repository, resolve, onResolved, log }: TrackedClaimsParts) {
  const names = trunkNames(resolve)
  const sets = addressSets()

  async function claimsOf(trunk: Trunk): Promise<Claim[]> {
    const found = await Promise.all(
      entriesOf(trunk).map(async (entry): Promise<[string, string[]]> => {
        const { name: host, port } = entry
        if (isLiteral(entry)) return [host, [host]]
        return [host, await names.addressesOf(trunk.userId, { host, port, transport: trunk.transport })]
      }),
    )
    const networks = new Map(found)
    const before = trunk.claims ?? {}
    const claims = renewedClaims(before, networks, now())
    if (trunk.deviceId === undefined && JSON.stringify(claims) !== JSON.stringify(before)) {
      trunk.claims = claims
      await repository
        .saveAddressClaims(trunk.userId, trunk.id, claims)
        .catch((err) => log.warn({ err, trunkId: trunk.id }, 'failed to store trunk addresses'))
    }
    return claimsIn(sets, claims, networks)
  }

  return {
    addressSetsBuilt: (): number => sets.built,

    /** The trunk with the claims of its last version, which are resolved again where its targets changed or the result is old. */
    track(trunk: Trunk, before: TrackedTrunk | undefined): TrackedTrunk {
      const isSame = before !== undefined && targetsOf(before.trunk) === targetsOf(trunk)
      const isFresh = isSame && monotonicMs() - before.resolvedAt < RESOLVE_AGAIN_MS
      // Addresses without names are resolved once.
      if (isFresh || (isSame && entriesOf(trunk).every(isLiteral))) return Object.assign(before, { trunk })
      const claims = isSame ? before.claims : []
      const tracked: TrackedTrunk = { trunk, claims, resolvedAt: monotonicMs(), resolving: null }
      tracked.resolving = claimsOf(trunk).then((resolved) => {
        // While DNS is down, the trunk keeps its last addresses.
        if (resolved.length > 0) tracked.claims = resolved
        tracked.resolving = null
        onResolved()
      })
      return tracked
    },
  }
}

const targetsOf = ({ host, port, transport, outboundProxy, allowedAddresses }: Trunk) =>
  JSON.stringify([host, port, transport, outboundProxy, allowedAddresses])
