// The knowledge service: routes, search and background ingestion.
import { ingestionQueue } from '../../api/knowledge/ingestion-queue.ts'
import { knowledgePassages } from '../../api/knowledge/passages.ts'
import { knowledgeRoutes } from '../../api/knowledge/routes.ts'
import { knowledgeStore } from '../../api/knowledge/store.ts'
import { openEmbeddings } from '../../knowledge/embeddings.ts'
import { documentReader } from '../../knowledge/reader.ts'
import type { Llm } from '../../voice/ports.ts'
import type { ServiceContext } from '../service.ts'
import { knowledgeIngestion } from './ingestion.ts'
import { knowledgeSearch } from './search.ts'

/** `llm` writes questions for passages, if it is a language model. */
export function knowledgeService({ config, db, isDatabaseUp, log }: ServiceContext, llm: Llm) {
  const onTrouble = (err: unknown) => log.warn({ err }, 'embeddings server failed; knowledge search is lexical only')
  const embeddings = config.embeddings ? openEmbeddings(config.embeddings, { onTrouble }) : null
  const filing = knowledgeIngestion({ queue: ingestionQueue(db), embeddings, llm, log })
  const knowledge = knowledgeStore(db, filing.makes)
  const searching = knowledgeSearch({ passages: knowledgePassages(db), embeddings })
  const ingest = async () => {
    if (await isDatabaseUp()) await filing.work()
  }
  return {
    find: searching.find,
    routes: [knowledgeRoutes({ knowledge, read: documentReader(), search: searching.search(knowledge) })],
    jobs: [{ everyMs: 1000, task: ingest }],
    start: filing.begin,
    async [Symbol.asyncDispose](): Promise<void> {
      filing.stop()
      await embeddings?.close()
    },
  }
}
