// Search over a user's knowledge bases: stored passages, in-memory indexes, and embeddings of the question if
// configured.
import type { FindEmbeddings } from '../../retrieval/embeddings.ts'
import { indexCache } from '../../retrieval/index-cache.ts'
import { bestPassages } from '../../retrieval/search.ts'
import type { FindPassages } from '../../tool-types/query.ts'
import type { KnowledgePassages } from './passage-store.ts'
import type { SearchRequest, SearchResult } from './schema.ts'
import type { KnowledgeStore } from './store.ts'

export type KnowledgeSearchParts = {
  passages: KnowledgePassages
  embeddingsOf: FindEmbeddings
}

const SEARCH_TIMEOUT_MS = 5000
const KEYWORDS_ONLY = 'The server for embeddings did not answer: these were found by their words alone.'

export function knowledgeSearch({ passages, embeddingsOf }: KnowledgeSearchParts) {
  const cache = indexCache((base) => passages.ofBase(base.id, base.model))

  const find: FindPassages = async ({ userId, knowledgeBaseIds, query, topK, minScore, language }, signal) => {
    const bases = await passages.bases(userId, knowledgeBaseIds)
    const missing = knowledgeBaseIds.filter((id) => !bases.some((base) => base.id === id))
    const embeddings = await embeddingsOf(userId)
    const model = embeddings?.model ?? null
    const indexes = await Promise.all(bases.map((base) => cache.get({ ...base, model })))
    const hasVectors = embeddings !== null && indexes.some((index) => index.vectors.some((vector) => vector !== null))
    const vector = hasVectors && query.trim() !== '' ? await embeddings.one(query, signal) : null
    const places = bestPassages(indexes, { question: query, topK, minScore, language }, vector)
    const texts = await passages.texts(userId, places)
    const found = places.flatMap(({ documentId, number, score }) => {
      const text = texts.find((each) => each.documentId === documentId && each.number === number)
      return text ? [{ ...text, score: Math.round(score * 1000) / 1000 }] : []
    })
    return { passages: found, missing, by: vector ? 'words_and_meaning' : 'words', isDegraded: hasVectors && !vector }
  }

  return {
    find,

    /** The test search for the owner. */
    test:
      (knowledge: Pick<KnowledgeStore, 'get'>) =>
      async (userId: string, baseId: string, asked: SearchRequest): Promise<SearchResult> => {
        const { language } = await knowledge.get(userId, baseId)
        const { query, topK, minScore } = asked
        const request = {
          userId,
          knowledgeBaseIds: [baseId],
          query,
          topK: topK ?? 5,
          minScore: minScore ?? null,
          language,
        }
        const { passages: found, by, isDegraded } = await find(request, AbortSignal.timeout(SEARCH_TIMEOUT_MS))
        return { by, note: isDegraded ? KEYWORDS_ONLY : null, passages: found }
      },
  }
}
