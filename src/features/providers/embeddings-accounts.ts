// The embeddings for each user's knowledge: their default account, otherwise the platform's, otherwise the
// environment's, otherwise none.
import { createHash } from 'node:crypto'
import { LruCache } from '../../base/lru-cache.ts'
import type { Meter } from '../../base/meter.ts'
import type { Log } from '../../base/process/log.ts'
import type { Config } from '../../config/config.ts'
import { type Embeddings, type FindEmbeddings, openEmbeddings } from '../../retrieval/embeddings.ts'
import type { AccountConnections } from './connections.ts'
import { versionOf } from './speech-accounts.ts'
import { type Account, originOf, type ProviderStore } from './store.ts'

export type EmbeddingsAccountsParts = {
  providers: Pick<ProviderStore, 'inUse' | 'keyOf' | 'hasAny' | 'revision'>
  connections: Pick<AccountConnections, 'of'>
  config: Config['embeddings']
  meter: Meter
  log: Log
}

const MAX_OPEN = 200

/** Two servers may use one name for different models, whose vectors must not be compared. */
const placeOf = (baseUrl: string) => createHash('sha256').update(originOf(baseUrl)).digest('hex').slice(0, 12)

export function embeddingsAccounts({ providers, connections, config, meter, log }: EmbeddingsAccountsParts) {
  const onTrouble = (err: unknown) => log.warn({ err }, 'embeddings server failed; knowledge search is lexical only')
  const environment = config ? openEmbeddings(config, { onTrouble }) : null
  const opened = new LruCache<string, Embeddings>(MAX_OPEN)

  function open(account: Account): Embeddings {
    const key = `${account.id} ${versionOf(account)}`
    const known = opened.get(key)
    if (known) return known
    const { baseUrl, model, role } = account
    const { dispatcher } = connections.of[role]
    const server = openEmbeddings({ baseUrl, model, apiKey: providers.keyOf(account) }, { onTrouble, dispatcher })
    const embeddings = { ...server, model: `${model} ${placeOf(baseUrl)}` }
    opened.set(key, embeddings)
    return embeddings
  }

  /** When the budget is used up, search is keyword-only, and documents wait for the next day. */
  const metered = (embeddings: Embeddings, userId: string): Embeddings => ({
    ...embeddings,
    async many(texts, signal) {
      await meter.spend(userId, 'embeddings', texts.length)
      return embeddings.many(texts, signal)
    },
    async one(text, signal) {
      const isRefused = await meter.spend(userId, 'embeddings', 1).then(
        () => false,
        () => true,
      )
      return isRefused ? null : embeddings.one(text, signal)
    },
  })

  const embeddingsOf: FindEmbeddings = async (userId) => {
    const account = await providers.inUse(userId, 'embeddings')
    if (account?.userId === userId) return open(account)
    const ofOperator = account ? open(account) : environment
    return ofOperator && metered(ofOperator, userId)
  }

  return {
    embeddingsOf,
    /** Whether any user has embeddings now. */
    hasEmbeddings: async () => environment !== null || (await providers.hasAny('embeddings')),
    /** Changes with every account, because documents may then need new vectors. */
    embeddingsRevision: () => providers.revision('embeddings'),
    close: async () => environment?.close(),
  }
}
