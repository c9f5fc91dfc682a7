// Provider accounts as the API sees them: the user's own, the platform's and the environment's.

import { type ProviderKind, providerKinds } from '../../base/domain/provider-kinds.ts'
import { vendorNamesFor } from '../../base/domain/speech-vendors.ts'
import { appError } from '../../base/errors/errors.ts'
import type { Breakers } from '../../failover/ports.ts'
import { findLocalServers, type LocalPlace } from '../../llm/local-servers.ts'
import { accountRequests } from './account-requests.ts'
import { accountTargets, requireAdmin, type TargetParts } from './account-targets.ts'
import { accountViews, type InUse } from './account-views.ts'
import type { ProviderAccounts, Viewer } from './routes.ts'
import { requireVendor } from './store.ts'

export type AccountsParts = TargetParts & {
  /** For each kind, the environment's account that serves agents without one of their own; absent for embedded. */
  environmentInUse: Partial<Record<ProviderKind, string>>
  breakers: Pick<Breakers, 'healthOf'>
  /** How many agents name this account: the user's own, or those of all users if it is shared. */
  agentsNaming: (userId: string | null, providerId: string) => Promise<number>
  /** Where model servers on this machine may listen. */
  localPlaces?: readonly LocalPlace[]
}

export function providerAccounts(parts: AccountsParts): ProviderAccounts {
  const { providers, environment, environmentInUse, breakers, localPlaces } = parts
  const targets = accountTargets(parts)
  const { visible, checkAddress } = targets
  const views = accountViews({ keyOf: providers.keyOf, healthOf: breakers.healthOf })

  async function inUseOf(userId: string): Promise<InUse> {
    const found = await Promise.all(
      providerKinds.map(async (kind) => {
        const account = kind === 'tts' ? undefined : await providers.inUse(userId, kind)
        return [kind, account?.id ?? environmentInUse[kind]] as const
      }),
    )
    return Object.fromEntries(found)
  }

  async function requireOwn(viewer: Viewer, id: string): Promise<void> {
    if (environment.some((each) => each.id === id)) throw appError('provider_environment')
    if ((await visible(viewer, id)).userId !== viewer.userId) throw appError('provider_not_owner')
  }

  return {
    async list(viewer, { kind, embedded }) {
      const [own, shared, inUse] = await Promise.all([
        providers.own(viewer.userId),
        providers.shared(),
        inUseOf(viewer.userId),
      ])
      const others = shared.filter(({ userId }) => userId !== viewer.userId)
      const all = [
        ...[...own, ...others].map((account) => views.ofAccount(account, viewer, inUse)),
        ...environment.map((set) => views.ofEnvironment(set, viewer, inUse)),
        ...(embedded ? views.embedded(inUse) : []),
      ]
      return kind ? all.filter((account) => account.kind === kind) : all
    },

    async get(viewer, id) {
      const inUse = await inUseOf(viewer.userId)
      const set = environment.find((each) => each.id === id)
      return set ? views.ofEnvironment(set, viewer, inUse) : views.ofAccount(await visible(viewer, id), viewer, inUse)
    },

    async create(viewer, input) {
      if (input.isShared) requireAdmin(viewer)
      requireVendor(input.kind ?? 'llm', input.vendor)
      await checkAddress(viewer, input)
      const account = await providers.create(viewer.userId, input)
      return views.ofAccount(account, viewer, await inUseOf(viewer.userId))
    },

    async update(viewer, id, patch) {
      await requireOwn(viewer, id)
      if (patch.isShared) requireAdmin(viewer)
      const { kind, vendor } = await providers.row(viewer.userId, id)
      if (patch.baseUrl !== undefined) await checkAddress(viewer, { kind, vendor, baseUrl: patch.baseUrl })
      const account = await providers.update(viewer.userId, id, patch)
      return views.ofAccount(account, viewer, await inUseOf(viewer.userId))
    },

    async remove(viewer, id) {
      await requireOwn(viewer, id)
      const before = await this.get(viewer, id)
      const agents = await parts.agentsNaming(before.isShared ? null : viewer.userId, id)
      await providers.remove(viewer.userId, id)
      const left = await this.list(viewer, { kind: before.kind })
      const next = left.find(({ isInUse }) => isInUse)
      return { ...before, next: next ? { id: next.id, name: next.name, model: next.model } : null, agents }
    },

    ...accountRequests(targets),

    vendors: () =>
      providerKinds.flatMap((kind) =>
        vendorNamesFor(kind).map((vendor) => ({ kind, vendor, ...requireVendor(kind, vendor) })),
      ),

    local: () => findLocalServers(localPlaces),
  }
}
