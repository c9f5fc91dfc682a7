// Knowledge bases as app.ts mounts them: their routes, their search, and what is done for them in the background.
import { ingestionQueue } from '../../api/knowledge/ingestion-queue.ts'
import { knowledgePassages } from '../../api/knowledge/passages.ts'
import { knowledgeRoutes } from '../../api/knowledge/routes.ts'
import { knowledgeStore } from '../../api/knowledge/store.ts'
import type { Log } from '../../base/log.ts'
import type { Db } from '../../db/database.ts'
import { type EmbeddingsEndpoint, openEmbeddings } from '../../knowledge/embeddings.ts'
import { documentReader } from '../../knowledge/reader.ts'
import type { Llm } from '../../voice/ports.ts'
import { knowledgeIngestion } from './ingestion.ts'
import { knowledgeSearch } from './search.ts'

export type KnowledgeServiceParts = {
  db: Db
  endpoint: EmbeddingsEndpoint | null
  /** Writes questions for passages, if it is a model. */
  llm: Llm
  log: Log
}

export function openKnowledge({ db, endpoint, llm, log }: KnowledgeServiceParts) {
  const onTrouble = (err: unknown) =>
    log.warn({ err }, 'the server for embeddings failed; documents are found by their words alone')
  const embeddings = endpoint ? openEmbeddings(endpoint, { onTrouble }) : null
  const filing = knowledgeIngestion({ queue: ingestionQueue(db), embeddings, llm, log })
  const knowledge = knowledgeStore(db, filing.makes)
  const searching = knowledgeSearch({ passages: knowledgePassages(db), embeddings })
  return {
    routes: knowledgeRoutes({ knowledge, read: documentReader(), search: searching.search(knowledge) }),
    find: searching.find,
    begin: filing.begin,
    work: filing.work,
    stop: filing.stop,
    close: async () => embeddings?.close(),
  }
}
