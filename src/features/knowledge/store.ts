// Knowledge bases. Documents are in document-store.ts; search reads passages through passage-store.ts.
import { appError, found } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import { now, nowAfter } from '../../base/time/clock.ts'
import { requireVersion, type Target, withVersion } from '../../base/versions.ts'
import { audit, audited } from '../../db/audit.ts'
import type { Db } from '../../db/database.ts'
import type { KnowledgeBaseRow } from '../../db/knowledge-rows.ts'
import { lockRow } from '../../db/lock-row.ts'
import { countOwned, ownedPage, ownedRow, type PageRequest } from '../../db/owned.ts'
import { bit } from '../../db/tables.ts'
import { dbTime } from '../../db/time.ts'
import type { KnowledgeBase, KnowledgeBasePatch, NewKnowledgeBase } from './schema.ts'

export type KnowledgeStore = ReturnType<typeof knowledgeStore>

/** What documents are queued for: vectors, and questions if the base wants them. */
export type KnowledgeRules = {
  makesVectors: (userId: string) => Promise<boolean>
  makesQuestions: (userId: string) => Promise<boolean>
}

type BaseWithCounts = KnowledgeBaseRow & { documentCount: number; passageCount: number }

const MAX_BASES = 1000

export function knowledgeStore(db: Db, { makesQuestions }: Pick<KnowledgeRules, 'makesQuestions'>) {
  const baseRow = ownedRow(db, 'knowledgeBases')
  const basePage = ownedPage(db, 'knowledgeBases')

  const withCounts = async (row: KnowledgeBaseRow) => toBase((await counted(db, [row]))[0] as BaseWithCounts)

  return {
    page: async (userId: string, page: PageRequest) => counted(db, await basePage(userId, page)),

    get: async (userId: string, id: string) => withCounts(found('Knowledge base', await baseRow(userId, id))),

    async create(userId: string, input: NewKnowledgeBase): Promise<KnowledgeBase> {
      if ((await countOwned(db, 'knowledgeBases', userId)) >= MAX_BASES)
        throw appError('knowledge_bases_limit', { limit: MAX_BASES })
      const createdAt = now()
      const row: KnowledgeBaseRow = {
        id: newId('kb'),
        userId,
        name: input.name,
        description: input.description ?? null,
        language: input.language ?? null,
        generateQuestions: bit(input.generateQuestions ?? true),
        version: 1,
        createdAt,
        updatedAt: createdAt,
      }
      await audited(
        db,
        (on) => on.insertInto('knowledgeBases').values(row).execute(),
        () => ({ kind: 'knowledgeBase', after: row }),
      )
      return toBase({ ...row, documentCount: 0, passageCount: 0 })
    },

    async update(userId: string, { id, ifMatch }: Target, patch: KnowledgeBasePatch): Promise<KnowledgeBase> {
      const canMakeQuestions = await makesQuestions(userId)
      const after = await db.inTransaction(async (trx) => {
        const row = found('Knowledge base', await lockRow(trx, 'knowledgeBases', { userId, id }))
        requireVersion(row.rowVersion, ifMatch)
        if (Object.keys(patch).length === 0) return row
        const { generateQuestions, ...sent } = patch
        const next = {
          ...sent,
          ...(generateQuestions === undefined ? {} : { generateQuestions: bit(generateQuestions) }),
          version: row.version + 1,
          updatedAt: nowAfter(row.updatedAt),
          rowVersion: (row.rowVersion ?? 1) + 1,
        }
        await trx.updateTable('knowledgeBases').set(next).where('userId', '=', userId).where('id', '=', id).execute()
        // Questions were switched on: queue the documents for them.
        if (canMakeQuestions && generateQuestions && row.generateQuestions === 0)
          await trx
            .updateTable('knowledgeDocuments')
            .set({ status: 'indexing', dueAt: dbTime(trx), error: null, tries: 0 })
            .where('knowledgeBaseId', '=', id)
            .where('status', '!=', 'indexing')
            .execute()
        await audit(trx, { kind: 'knowledgeBase', before: row, after: { ...row, ...next } })
        return { ...row, ...next }
      })
      return withCounts(after)
    },

    async remove(userId: string, { id, ifMatch }: Target): Promise<KnowledgeBase> {
      const base = await this.get(userId, id)
      await db.inTransaction(async (trx) => {
        const row = found('Knowledge base', await lockRow(trx, 'knowledgeBases', { userId, id }))
        requireVersion(row.rowVersion, ifMatch)
        await trx.deleteFrom('knowledgeBases').where('userId', '=', userId).where('id', '=', id).execute()
        await audit(trx, { kind: 'knowledgeBase', before: row })
      })
      return base
    },
  }
}

async function counted(db: Db, rows: readonly KnowledgeBaseRow[]): Promise<BaseWithCounts[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const counts = await db
    .selectFrom('knowledgeDocuments')
    .select(({ fn }) => ['knowledgeBaseId', fn.countAll().as('documents'), fn.sum('passageCount').as('passages')])
    .where('knowledgeBaseId', 'in', ids)
    .groupBy('knowledgeBaseId')
    .execute()
  const byId = new Map(counts.map((count) => [count.knowledgeBaseId, count]))
  return rows.map((row) => ({
    ...row,
    documentCount: Number(byId.get(row.id)?.documents ?? 0),
    passageCount: Number(byId.get(row.id)?.passages ?? 0),
  }))
}

export function toBase(row: BaseWithCounts): KnowledgeBase {
  const { id, name, description, language, documentCount, passageCount, createdAt, updatedAt } = row
  const base = { id, name, description, language, generateQuestions: row.generateQuestions === 1 }
  return withVersion({ ...base, documentCount, passageCount, createdAt, updatedAt }, row.rowVersion)
}
