// The knowledge service: routes, search and background ingestion.
import type { FindLlms } from '../../llm/open.ts'
import type { FindEmbeddings } from '../../retrieval/embeddings.ts'
import { documentReader } from '../../retrieval/reader.ts'
import type { ServiceContext } from '../service.ts'
import { documentStore } from './document-store.ts'
import { knowledgeIngestion } from './ingestion.ts'
import { ingestionQueue } from './ingestion-queue.ts'
import { knowledgePassages } from './passage-store.ts'
import { knowledgeRoutes } from './routes.ts'
import { knowledgeSearch } from './search.ts'
import { knowledgeStore } from './store.ts'

/** From a change of accounts to the new vectors' first document. */
const REFRESH_MS = 2000

export type KnowledgeServiceParts = {
  /** Its model writes questions for passages. */
  llmsOf: FindLlms
  hasModels: () => Promise<boolean>
  embeddingsOf: FindEmbeddings
  hasEmbeddings: () => Promise<boolean>
  embeddingsRevision: () => Promise<string>
}

export function knowledgeService(context: ServiceContext, parts: KnowledgeServiceParts) {
  const { llmsOf, hasModels, embeddingsOf, hasEmbeddings, embeddingsRevision } = parts
  const { db, isDatabaseUp, log } = context
  const llmOf = async (userId: string) => (await llmsOf(userId)).backgroundLlm(null)
  const filing = knowledgeIngestion({
    queue: ingestionQueue(db),
    embeddingsOf,
    hasEmbeddings,
    embeddingsRevision,
    llmOf,
    hasModels,
    log,
  })
  const knowledge = knowledgeStore(db, filing.makes)
  const documents = documentStore(db, filing.makes)
  const searching = knowledgeSearch({ passages: knowledgePassages(db), embeddingsOf })
  const ingest = async () => {
    if (await isDatabaseUp()) await filing.work()
  }
  const refresh = async () => {
    if (await isDatabaseUp()) await filing.refresh()
  }
  return {
    find: searching.find,
    routes: [knowledgeRoutes({ knowledge, documents, read: documentReader(), search: searching.search(knowledge) })],
    jobs: [
      { name: 'documents', everyMs: 1000, task: ingest },
      { name: 'knowledge refresh', everyMs: REFRESH_MS, task: refresh },
    ],
    start: filing.begin,
    async [Symbol.asyncDispose](): Promise<void> {
      filing.stop()
    },
  }
}
