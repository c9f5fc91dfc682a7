// Opens the language models of accounts, once per version: changes need no restart, and running calls keep their model.
import { basename } from 'node:path'
import { type LlmVendorName, llmVendors } from '../../base/domain/llm-vendors.ts'
import { LruCache } from '../../base/lru-cache.ts'
import type { Meter } from '../../base/meter.ts'
import type { Log } from '../../base/process/log.ts'
import type { LlmConfig, LlmEndpoint } from '../../config/config.ts'
import { fromJson } from '../../db/tables.ts'
import { type LlmSet, openAccountLlm } from '../../llm/open.ts'
import type { ModelState } from '../settings/schema.ts'
import type { AccountConnections } from './connections.ts'
import type { Account, ProviderStore } from './store.ts'

export type LlmAccountsParts = {
  providers: Pick<ProviderStore, 'inUse' | 'keyOf'>
  connections: Pick<AccountConnections, 'of'>
  config: LlmConfig
  isLimited: Meter['isLimited']
  log: Log
}

const MAX_OPEN = 200

export function llmAccounts({ providers, connections, config, isLimited, log }: LlmAccountsParts) {
  /** Keyed by account and version: a changed account is opened again, and running calls keep the old one. */
  const opened = new LruCache<string, Promise<LlmSet>>(MAX_OPEN)

  function open(account: Account): Promise<LlmSet> {
    const version = `${account.id} ${account.updatedAt} ${account.role}`
    const known = opened.get(version)
    if (known) return known
    const { dispatcher } = connections.of[account.role]
    const models = fromJson<string[]>(account.models)
    const opening = openAccountLlm(endpointOf(account, providers.keyOf(account)), { models, dispatcher }, log)
    opened.set(version, opening)
    opening.catch(() => opened.delete(version))
    return opening
  }

  return {
    open,

    /** The model that currently serves a user, for the status pages. */
    async stateFor(userId: string): Promise<Omit<ModelState, 'embeddings'>> {
      const account = await providers.inUse(userId, 'llm')
      /** Of the operator's accounts, members may name only the listed models. */
      const offered = async (models: readonly string[] | null) =>
        models ? [...models] : account?.userId !== userId && (await isLimited(userId)) ? [] : null
      if (account) {
        const models = await offered(fromJson(account.models))
        return { provider: account.vendor, name: account.model, fallback: null, models }
      }
      const { main, fallback, models, modelFile } = config
      if (!main && modelFile) return { provider: 'model-file', name: basename(modelFile), fallback: null, models: [] }
      return {
        provider: main?.provider ?? null,
        name: main?.model ?? null,
        fallback: fallback?.model ?? null,
        models: main ? await offered(models) : null,
      }
    },
  }
}

/** The endpoint to open. */
export function endpointOf(
  { vendor, baseUrl, model }: { vendor: string; baseUrl: string; model: string },
  apiKey: string | null,
): LlmEndpoint {
  const { protocol } = llmVendors[vendor as LlmVendorName]
  return protocol === 'openai'
    ? { provider: 'openai-compatible', baseUrl, apiKey, model }
    : { provider: protocol, baseUrl, apiKey: apiKey ?? '', model }
}
