// Passages for search: a user's bases, all passages of a base for its index, and the texts of matches.
import type { Db } from '../../db/database.ts'
import { fromJson } from '../../db/tables.ts'

export type KnowledgePassages = ReturnType<typeof knowledgePassages>

const PASSAGES_PER_PAGE = 500

export function knowledgePassages(db: Db) {
  return {
    /** The bases among these that belong to the user. */
    async bases(userId: string, ids: readonly string[]) {
      if (ids.length === 0) return []
      return db
        .selectFrom('knowledgeBases')
        .select(['id', 'version', 'language'])
        .where('userId', '=', userId)
        .where('id', 'in', [...ids])
        .execute()
    },

    /** One document at a time, in pages. Leaves out vectors of another model. */
    async *ofBase(baseId: string, model: string | null) {
      const documents = await db
        .selectFrom('knowledgeDocuments')
        .select(['id', 'name', 'embeddedBy'])
        .where('knowledgeBaseId', '=', baseId)
        .orderBy('createdAt')
        .orderBy('id')
        .execute()
      for (const { id, name, embeddedBy } of documents) {
        const hasVectors = model !== null && embeddedBy === model
        for (let after = 0; ; ) {
          const rows = await db
            .selectFrom('knowledgePassages')
            .select(['number', 'heading', 'content', 'questions'])
            .$if(hasVectors, (query) => query.select('vector'))
            .where('documentId', '=', id)
            .where('number', '>', after)
            .orderBy('number')
            .limit(PASSAGES_PER_PAGE)
            .execute()
          for (const { number, heading, content, questions, vector = null } of rows)
            yield {
              documentId: id,
              documentName: name,
              number,
              heading,
              content,
              vector,
              questions: fromJson<string[]>(questions) ?? [],
            }
          if (rows.length < PASSAGES_PER_PAGE) break
          after = rows.at(-1)?.number ?? after
        }
      }
    },

    async texts(userId: string, places: readonly { documentId: string; number: number }[]) {
      if (places.length === 0) return []
      return db
        .selectFrom('knowledgePassages')
        .innerJoin('knowledgeDocuments', 'knowledgeDocuments.id', 'knowledgePassages.documentId')
        .select([
          'knowledgePassages.documentId',
          'knowledgePassages.number',
          'knowledgePassages.heading',
          'knowledgePassages.content',
          'knowledgeDocuments.name as documentName',
        ])
        .where('knowledgeDocuments.userId', '=', userId)
        .where((where) =>
          where.or(
            places.map(({ documentId, number }) =>
              where.and([
                where('knowledgePassages.documentId', '=', documentId),
                where('knowledgePassages.number', '=', number),
              ]),
            ),
          ),
        )
        .execute()
    },
  }
}
