// The provider service: accounts, their routes, and each user's language model.

import type { Meter } from '../../base/meter.ts'
import { ownAddresses, ownListeners } from '../../base/outside/own-listeners.ts'
import { createBreakers } from '../../failover/breakers.ts'
import type { Breakers } from '../../failover/ports.ts'
import type { LocalPlace } from '../../llm/local-servers.ts'
import type { ModelFile } from '../../llm/model-file.ts'
import { openLlm } from '../../llm/open.ts'
import type { SlotsFor } from '../../speech/metered.ts'
import type { SpeechService } from '../../speech/open.ts'
import type { AgentStore } from '../agents/store.ts'
import type { ServiceContext } from '../service.ts'
import type { ModelState } from '../settings/schema.ts'
import { providerAccounts } from './accounts.ts'
import { agentCheck } from './agent-check.ts'
import { agentChainRoutes } from './chain-routes.ts'
import { chainView } from './chain-view.ts'
import { accountConnections } from './connections.ts'
import { embeddingsAccounts } from './embeddings-accounts.ts'
import { environmentAccounts, environmentInUse, MODEL_FILE_ID } from './environment-accounts.ts'
import { providerLinks } from './links.ts'
import { llmAccounts } from './llm-accounts.ts'
import { llmChains } from './llm-chains.ts'
import { providerMetrics } from './metrics.ts'
import { providerRoutes } from './routes.ts'
import { speechAccounts } from './speech-accounts.ts'
import { providerStore } from './store.ts'

export type ProviderOverrides = {
  /** Where model servers on this machine may listen. */
  localPlaces?: readonly LocalPlace[]
}

export type ProviderContext = Pick<ServiceContext, 'config' | 'db' | 'secrets' | 'log' | 'listening'>

export type ProviderServiceParts = {
  agents: Pick<AgentStore, 'get' | 'countNaming'>
  /** What the environment configures. */
  engines: Pick<SpeechService, 'stt' | 'embedded' | 'vendorTts' | 'slots' | 'remembering'>
  slotsFor: SlotsFor
  meter: Meter
}

/** Throws if the package of the environment's provider is not installed. */
export async function providerService(
  { config, db, secrets, log, listening }: ProviderContext,
  { agents, engines, slotsFor, meter }: ProviderServiceParts,
  overrides: ProviderOverrides = {},
) {
  const environmentLlm = await openLlm(config.llm, log)
  const environment = environmentAccounts(config)
  const breakers = createBreakers()
  const health = { healthOf: healthWith(breakers, environmentLlm.file?.model) }
  const own = ownListeners(ownAddresses(config, () => listening.address))
  const connections = accountConnections({ allowedNetworks: config.allowedNetworks, own })
  const providers = providerStore(db, secrets)
  const llms = llmAccounts({ providers, connections, config: config.llm, isLimited: meter.isLimited, log })
  const embeddings = embeddingsAccounts({ providers, connections, config: config.embeddings, meter, log })
  const { linksFor, llmsFor, plansFor } = providerLinks({
    providers,
    config,
    environment,
    environmentLlm,
    openLlm: llms.open,
    slotsFor,
    log,
    accounts: speechAccounts({ providers, connections, remembering: engines.remembering }),
    speech: engines,
    meter,
  })
  return {
    forUser: llmChains({ llmsFor, breakers }),
    /** The models that currently serve a user, for the status pages. */
    stateFor: async (userId: string): Promise<ModelState> => ({
      ...(await llms.stateFor(userId)),
      embeddings: (await providers.inUse(userId, 'embeddings'))?.model ?? config.embeddings?.model ?? null,
    }),
    /** Shared by all calls of this process. */
    breakers,
    metrics: providerMetrics(breakers),
    /** Opened once per call. */
    linksFor,
    /** For an agent that is being saved or tested. */
    embeddingsOf: embeddings.embeddingsOf,
    hasEmbeddings: embeddings.hasEmbeddings,
    embeddingsRevision: embeddings.embeddingsRevision,
    checkAgent: agentCheck({ providers, environment }),
    /** Whether any user has a language model now. */
    hasModels: async () => (config.llm.main ?? config.llm.modelFile) !== null || (await providers.hasAny('llm')),
    routes: [
      providerRoutes(
        providerAccounts({
          providers,
          connections,
          environment,
          breakers: health,
          ...overrides,
          environmentInUse: environmentInUse(config),
          modelFile: environmentLlm.file?.model.interactive,
          agentsNaming: agents.countNaming,
        }),
      ),
      agentChainRoutes(chainView({ agents, providers, plansFor, breakers: health, speech: config.speech })),
    ],
    async [Symbol.asyncDispose](): Promise<void> {
      breakers.close()
      await embeddings.close()
      await environmentLlm.close()
      await connections.close()
    },
  }
}

/** A model file that failed to load counts as down before its first request. */
const healthWith =
  ({ healthOf }: Pick<Breakers, 'healthOf'>, file: ModelFile | undefined): Breakers['healthOf'] =>
  (kind, id) => {
    const since = id === MODEL_FILE_ID ? (file?.failedSince() ?? null) : null
    return since === null ? healthOf(kind, id) : { state: 'down', reason: 'unreachable', since, firstMs: null }
  }
