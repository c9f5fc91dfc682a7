// The servers to which a user may send requests: those of visible accounts, and of drafts not stored yet.
import type { ProviderKind } from '../../base/domain/provider-kinds.ts'
import { vendorFor } from '../../base/domain/speech-vendors.ts'
import { appError, notFound } from '../../base/errors/errors.ts'
import { fromJson } from '../../db/tables.ts'
import type { Llm } from '../../voice/ports.ts'
import type { AccountConnections } from './connections.ts'
import { type EnvironmentAccount, MODEL_FILE_ID } from './environment-accounts.ts'
import type { Viewer } from './routes.ts'
import type { ProviderDraft } from './schema.ts'
import { type Account, baseUrlOf, originOf, type ProviderStore, requireVendor } from './store.ts'
import type { Target } from './vendor-requests.ts'

export type TargetParts = {
  providers: ProviderStore
  connections: AccountConnections
  environment: readonly EnvironmentAccount[]
  /** The model in LLM_MODEL_FILE, if set. */
  modelFile: Llm | undefined
}
export type AccountTargets = ReturnType<typeof accountTargets>

type OwnTarget = Target & { isOwn: boolean; models: string[] | null }
type Named = { kind?: ProviderKind; vendor: string; baseUrl?: string | null }

const RESOLVE_MS = 3000

export function accountTargets({ providers, connections, environment, modelFile }: TargetParts) {
  /** The user's own account or one of the platform's; 404 for any other. */
  async function visible({ userId }: Viewer, id: string): Promise<Account> {
    const account = [...(await providers.own(userId)), ...(await providers.shared())].find((each) => each.id === id)
    if (!account) throw notFound('Provider')
    return account
  }

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
        ...(id === MODEL_FILE_ID ? { llm: modelFile } : {}),
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

  return { visible, checkAddress, targetOf, draftTarget }
}

export function requireAdmin({ role }: Viewer): void {
  if (role !== 'admin') throw appError('admin_only')
}
