// The knowledge service: routes, search and background ingestion.
import type { FindLlms } from '../../llm/open.ts'
import { documentReader } from '../../retrieval/documents/reader.ts'
import type { FindEmbeddings } from '../../retrieval/embeddings.ts'
import type { ServiceContext } from '../service.ts'
import { documentStore } from './document-store.ts'
import { knowledgeIngestion } from './ingestion.ts'
import { ingestionQueue } from './ingestion-queue.ts'
import { knowledgePassages } from './passage-store.ts'
import { knowledgeRoutes } from './routes.ts'
import { knowledgeSearch } from './search.ts'
import { knowledgeStore } from './store.ts'

/** How often provider accounts are checked for changed embeddings. */
const REFRESH_MS = 2000

export type KnowledgeServiceParts = {
  /** Its model writes the questions for passages. */
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
  const ingestion = knowledgeIngestion({
    queue: ingestionQueue(db),
    embeddingsOf,
    hasEmbeddings,
    embeddingsRevision,
    llmOf,
    hasModels,
    log,
  })
  const knowledge = knowledgeStore(db, ingestion.makes)
  const documents = documentStore(db, ingestion.makes)
  const search = knowledgeSearch({ passages: knowledgePassages(db), embeddingsOf })
  const ingest = async () => {
    if (await isDatabaseUp()) await ingestion.work()
  }
  const refresh = async () => {
    if (await isDatabaseUp()) await ingestion.refresh()
  }
  return {
    find: search.find,
    routes: [knowledgeRoutes({ knowledge, documents, read: documentReader(), search: search.test(knowledge) })],
    jobs: [
      { name: 'documents', everyMs: 1000, task: ingest },
      { name: 'knowledge refresh', everyMs: REFRESH_MS, task: refresh },
    ],
    start: ingestion.begin,
    async [Symbol.asyncDispose](): Promise<void> {
      ingestion.stop()
    },
  }
}
