// Provider accounts as the API sees them: the user's own, the platform's and the environment's; their tests, models and voices.

import { EMBEDDED_ID, type ProviderKind, providerKinds } from '../../base/domain/provider-kinds.ts'
import { vendorFor, vendorNamesFor } from '../../base/domain/speech-vendors.ts'
import { appError, notFound } from '../../base/errors/errors.ts'
import { fromJson } from '../../db/tables.ts'
import type { Breakers } from '../../failover/ports.ts'
import { findLocalServers, type LocalPlace } from '../../llm/local-servers.ts'
import { embeddedVoices } from '../../speech/catalog.ts'
import type { Llm } from '../../voice/ports.ts'
import { accountViews, type InUse } from './account-views.ts'
import type { AccountConnections } from './connections.ts'
import { type EnvironmentAccount, MODEL_FILE_ID } from './environment-accounts.ts'
import type { ProviderAccounts, Viewer } from './routes.ts'
import type { ProviderDraft } from './schema.ts'
import { type Account, baseUrlOf, modelOf, originOf, type ProviderStore, requireVendor } from './store.ts'
import { modelsOfTarget, type Target, testTarget, voicesOfTarget } from './vendor-requests.ts'

export type AccountsParts = {
  providers: ProviderStore
  connections: AccountConnections
  environment: readonly EnvironmentAccount[]
  /** The environment's account of each kind that serves agents without one of their own; absent: embedded. */
  environmentInUse: Partial<Record<ProviderKind, string>>
  /** The model of LLM_MODEL_FILE, if that is set. */
  modelFile: Llm | undefined
  breakers: Pick<Breakers, 'healthOf'>
  /** How many agents name this account: the user's, or everybody's where it is shared. */
  agentsNaming: (userId: string | null, providerId: string) => Promise<number>
  /** Where model servers of this machine may listen. */
  localPlaces?: readonly LocalPlace[]
}

/** Requests to vendors that one user may have running at once. */
const MAX_AT_ONCE = 4
const RESOLVE_MS = 3000

type OwnTarget = Target & { isOwn: boolean; models: string[] | null }

export function providerAccounts(parts: AccountsParts): ProviderAccounts {
  const { providers, connections, environment, environmentInUse, breakers, localPlaces } = parts
  const limited = perUserLimit(MAX_AT_ONCE)
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

  /** The user's own account, or one of the platform's; any other is a 404. */
  async function visible({ userId }: Viewer, id: string): Promise<Account> {
    const account = [...(await providers.own(userId)), ...(await providers.shared())].find((each) => each.id === id)
    if (!account) throw notFound('Provider')
    return account
  }

  async function requireOwn(viewer: Viewer, id: string): Promise<void> {
    if (environment.some((each) => each.id === id)) throw appError('provider_environment')
    if ((await visible(viewer, id)).userId !== viewer.userId) throw appError('provider_not_owner')
  }

  type Named = { kind?: ProviderKind; vendor: string; baseUrl?: string | null }

  /** A vendor's own address needs no check. */
  async function checkAddress({ role }: Viewer, { kind, vendor, baseUrl }: Named): Promise<void> {
    if (role !== 'admin' && !baseUrl && vendor === 'ollama') throw appError('provider_url_private')
    if (!baseUrl) return
    const address = baseUrlOf({ kind, vendor }, baseUrl)
    const refusal = await connections.of[role].refusalFor(address, AbortSignal.timeout(RESOLVE_MS))
    if (refusal !== null) throw appError('provider_url_refused', { reason: refusal })
  }

  async function targetOf(viewer: Viewer, id: string): Promise<OwnTarget> {
    const set = environment.find((each) => each.id === id)
    if (set) {
      const { kind, vendor, title, apiKey, model, endpoint } = set
      return {
        kind,
        vendor,
        title,
        apiKey,
        model,
        endpoint,
        baseUrl: set.address ?? '',
        isOwn: false,
        models: set.models ? [...set.models] : null,
        connections: { dispatcher: connections.environment },
        ...(id === MODEL_FILE_ID ? { llm: parts.modelFile } : {}),
      }
    }
    const account = await visible(viewer, id)
    const { kind, vendor, baseUrl, model, role } = account
    return {
      kind,
      vendor,
      baseUrl,
      model,
      apiKey: providers.keyOf(account),
      connections: connections.of[role],
      title: vendorFor(kind, vendor)?.title ?? vendor,
      models: fromJson<string[]>(account.models),
      isOwn: account.userId === viewer.userId,
    }
  }

  async function draftTarget(viewer: Viewer, draft: ProviderDraft, model: string): Promise<Target> {
    const { kind = 'llm', vendor } = draft
    const stored = draft.id ? await providers.row(viewer.userId, draft.id) : null
    const { title, needsKey } = requireVendor(kind, vendor)
    await checkAddress(viewer, draft)
    const baseUrl = baseUrlOf(draft, draft.baseUrl)
    const isSamePlace = stored !== null && originOf(stored.baseUrl) === originOf(baseUrl)
    const apiKey = draft.apiKey ?? (isSamePlace ? providers.keyOf(stored) : null)
    if (apiKey === null && needsKey) throw appError('provider_key_missing', { vendor })
    return { kind, vendor, title, baseUrl, apiKey, model, connections: connections.of[viewer.role] }
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

    async test(viewer, id, { voiceId } = {}) {
      const { isOwn, models, ...target } = await targetOf(viewer, id)
      if (!isOwn) requireAdmin(viewer) // each test costs the operator a request
      return limited(viewer.userId, () => testTarget(target, voiceId))
    },

    async testDraft(viewer, { model, voiceId, ...draft }) {
      const target = await draftTarget(viewer, draft, modelOf(draft, model))
      return limited(viewer.userId, () => testTarget(target, voiceId))
    },

    async models(viewer, id) {
      const { isOwn, models, ...target } = await targetOf(viewer, id)
      if (!isOwn && models) return [target.model, ...models].map((model) => ({ id: model, title: null }))
      return limited(viewer.userId, () => modelsOfTarget(target))
    },

    async modelsOfDraft(viewer, draft) {
      const target = await draftTarget(viewer, draft, '')
      return limited(viewer.userId, () => modelsOfTarget(target))
    },

    async voices(viewer, id) {
      if (id === EMBEDDED_ID) return [...embeddedVoices]
      const target = await targetOf(viewer, id)
      return limited(viewer.userId, () => voicesOfTarget(target))
    },

    async voicesOfDraft(viewer, draft) {
      const target = await draftTarget(viewer, draft, '')
      return limited(viewer.userId, () => voicesOfTarget(target))
    },

    vendors: () =>
      providerKinds.flatMap((kind) =>
        vendorNamesFor(kind).map((vendor) => ({ kind, vendor, ...requireVendor(kind, vendor) })),
      ),

    local: () => findLocalServers(localPlaces),
  }
}

function requireAdmin({ role }: Viewer): void {
  if (role !== 'admin') throw appError('admin_only')
}

function perUserLimit(most: number) {
  const running = new Map<string, number>()
  return async <T>(userId: string, work: () => Promise<T>): Promise<T> => {
    const mine = running.get(userId) ?? 0
    if (mine >= most) throw appError('provider_tests_running', {}, { headers: { 'retry-after': '5' } })
    running.set(userId, mine + 1)
    try {
      return await work()
    } finally {
      const left = (running.get(userId) ?? 1) - 1
      if (left === 0) running.delete(userId)
      else running.set(userId, left)
    }
  }
}
