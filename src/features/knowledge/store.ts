// Knowledge bases and their documents. Search reads passages by passage-store.ts.
import { setImmediate as breathe } from 'node:timers/promises'
import { appError, found } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import { now, nowAfter } from '../../base/time/clock.ts'
import { requireVersion, type Target, withVersion } from '../../base/versions.ts'
import type { Db, Trx } from '../../db/database.ts'
import { increment } from '../../db/increment.ts'
import type { KnowledgeBaseRow, KnowledgeDocumentRow } from '../../db/knowledge-rows.ts'
import { lockRow } from '../../db/lock-row.ts'
import { olderThan, ownedPage, ownedRow, type PageRequest } from '../../db/owned.ts'
import { bit, fromJson } from '../../db/tables.ts'
import { dbTime } from '../../db/time.ts'
import { writeOnce } from '../../db/write-once.ts'
import type {
  DocumentWithPassages,
  KnowledgeBase,
  KnowledgeBasePatch,
  KnowledgeDocument,
  NewKnowledgeBase,
} from './schema.ts'

export type KnowledgeStore = ReturnType<typeof knowledgeStore>

/** A parsed document, split into passages. */
export type ParsedDocument = {
  name: string
  contentType: string
  letters: number
  passages: readonly { heading: string; content: string }[]
}

export type KnowledgeRules = {
  /** Whether documents are queued for ingestion: for vectors, or for questions where the base wants them. */
  makesVectors: (userId: string) => Promise<boolean>
  makesQuestions: (userId: string) => Promise<boolean>
  maxPassages?: number
}

type BaseWithCounts = KnowledgeBaseRow & { documentCount: number; passageCount: number }

const MAX_PASSAGES = 20_000
const MAX_DOCUMENTS = 5000
const MAX_BASES = 1000
const ROWS = 200 // in one statement

type Makes = { vectors: boolean; questions: boolean }

const makesOf = async ({ makesVectors, makesQuestions }: KnowledgeRules, userId: string): Promise<Makes> => ({
  vectors: await makesVectors(userId),
  questions: await makesQuestions(userId),
})

/** Queued for ingestion, or ready at once. */
const initialState = (base: KnowledgeBaseRow, makes: Makes) => {
  const isWork = makes.vectors || (makes.questions && base.generateQuestions === 1)
  return { status: isWork ? 'indexing' : 'ready', dueAt: isWork ? now() : null, error: null, tries: 0 } as const
}

export function knowledgeStore(db: Db, rules: KnowledgeRules) {
  const { maxPassages = MAX_PASSAGES } = rules
  const baseRow = ownedRow(db, 'knowledgeBases')
  const basePage = ownedPage(db, 'knowledgeBases')

  async function counted(rows: readonly KnowledgeBaseRow[]): Promise<BaseWithCounts[]> {
    if (rows.length === 0) return []
    const counts = await db
      .selectFrom('knowledgeDocuments')
      .select(({ fn }) => ['knowledgeBaseId', fn.countAll().as('documents'), fn.sum('passageCount').as('passages')])
      .where(
        'knowledgeBaseId',
        'in',
        rows.map(({ id }) => id),
      )
      .groupBy('knowledgeBaseId')
      .execute()
    const byId = new Map(counts.map((count) => [count.knowledgeBaseId, count]))
    return rows.map((row) => ({
      ...row,
      documentCount: Number(byId.get(row.id)?.documents ?? 0),
      passageCount: Number(byId.get(row.id)?.passages ?? 0),
    }))
  }

  const withCounts = async (row: KnowledgeBaseRow) => toBase((await counted([row]))[0] as BaseWithCounts)

  /** Locks the base and bumps its version: changes of its documents come one after the other. */
  async function bumpVersion(trx: Trx, userId: string, id: string): Promise<KnowledgeBaseRow> {
    const row = await trx
      .updateTable('knowledgeBases')
      .set({ version: increment('version') })
      .where('userId', '=', userId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
    return found('Knowledge base', row)
  }

  const ownDocument = async (from: Db | Trx, userId: string, baseId: string, id: string) =>
    found(
      'Document',
      await from
        .selectFrom('knowledgeDocuments')
        .selectAll()
        .where('userId', '=', userId)
        .where('knowledgeBaseId', '=', baseId)
        .where('id', '=', id)
        .executeTakeFirst(),
    )

  async function checkLimits(trx: Trx, baseId: string, adds: number, without: string | null): Promise<void> {
    const { documents, passages } = await trx
      .selectFrom('knowledgeDocuments')
      .select(({ fn }) => [fn.countAll().as('documents'), fn.sum('passageCount').as('passages')])
      .where('knowledgeBaseId', '=', baseId)
      .where('id', '!=', without ?? '')
      .executeTakeFirstOrThrow()
    if (Number(passages ?? 0) + adds > maxPassages) throw appError('knowledge_passages_limit', { limit: maxPassages })
    if (without === null && Number(documents) >= MAX_DOCUMENTS)
      throw appError('knowledge_documents_limit', { limit: MAX_DOCUMENTS })
  }

  async function addPassages(trx: Trx, documentId: string, passages: ParsedDocument['passages']): Promise<void> {
    for (let from = 0; from < passages.length; from += ROWS) {
      const rows = passages.slice(from, from + ROWS).map(({ heading, content }, i) => ({
        documentId,
        number: from + i + 1,
        heading,
        content,
        questions: null,
        vector: null,
      }))
      await trx.insertInto('knowledgePassages').values(rows).execute()
      await breathe()
    }
  }

  return {
    page: async (userId: string, page: PageRequest) => counted(await basePage(userId, page)),

    get: async (userId: string, id: string) => withCounts(found('Knowledge base', await baseRow(userId, id))),

    async create(userId: string, input: NewKnowledgeBase): Promise<KnowledgeBase> {
      const { count } = await db
        .selectFrom('knowledgeBases')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('userId', '=', userId)
        .executeTakeFirstOrThrow()
      if (Number(count) >= MAX_BASES) throw appError('knowledge_bases_limit', { limit: MAX_BASES })
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
      await writeOnce(db, (on) => on.insertInto('knowledgeBases').values(row).execute())
      return toBase({ ...row, documentCount: 0, passageCount: 0 })
    },

    async update(userId: string, { id, ifMatch }: Target, patch: KnowledgeBasePatch): Promise<KnowledgeBase> {
      const makes = await makesOf(rules, userId)
      const after = await db.inTransaction(async (trx) => {
        const before = found('Knowledge base', await lockRow(trx, 'knowledgeBases', { userId, id }))
        requireVersion(before.rowVersion, ifMatch)
        if (Object.keys(patch).length === 0) return before
        const row = await bumpVersion(trx, userId, id)
        const { generateQuestions, ...sent } = patch
        const next = {
          ...sent,
          ...(generateQuestions === undefined ? {} : { generateQuestions: bit(generateQuestions) }),
          updatedAt: nowAfter(row.updatedAt),
          rowVersion: (row.rowVersion ?? 1) + 1,
        }
        await trx.updateTable('knowledgeBases').set(next).where('userId', '=', userId).where('id', '=', id).execute()
        // Questions were switched on: queue the documents for them.
        if (makes.questions && generateQuestions && row.generateQuestions === 0)
          await trx
            .updateTable('knowledgeDocuments')
            .set({ status: 'indexing', dueAt: dbTime(trx), error: null, tries: 0 })
            .where('knowledgeBaseId', '=', id)
            .where('status', '!=', 'indexing')
            .execute()
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
      })
      return base
    },

    async documentPage(userId: string, baseId: string, { limit, after }: PageRequest): Promise<KnowledgeDocumentRow[]> {
      return db
        .selectFrom('knowledgeDocuments')
        .selectAll()
        .where('userId', '=', userId)
        .where('knowledgeBaseId', '=', baseId)
        .$if(after !== undefined, (query) => query.where(olderThan('createdAt', after?.at ?? '', after?.id ?? '')))
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
    },

    /** Throws where there is no such document. */
    async requireDocument(userId: string, baseId: string, id: string): Promise<KnowledgeDocumentRow> {
      found('Knowledge base', await baseRow(userId, baseId))
      return ownDocument(db, userId, baseId, id)
    },

    async document(userId: string, baseId: string, id: string): Promise<DocumentWithPassages> {
      const row = await this.requireDocument(userId, baseId, id)
      const passages = await db
        .selectFrom('knowledgePassages')
        .selectAll()
        .where('documentId', '=', id)
        .orderBy('number')
        .execute()
      return {
        ...toDocument(row),
        passages: passages.map(({ number, heading, content, questions, vector }) => ({
          number,
          heading,
          content,
          hasVector: vector !== null,
          questions: fromJson<string[]>(questions) ?? [],
        })),
      }
    },

    async addDocument(userId: string, baseId: string, read: ParsedDocument): Promise<KnowledgeDocument> {
      const makes = await makesOf(rules, userId) // before the transaction, which holds SQLite's only connection
      return db.inTransaction(async (trx) => {
        const base = await bumpVersion(trx, userId, baseId)
        await checkLimits(trx, baseId, read.passages.length, null)
        const createdAt = now()
        const row: KnowledgeDocumentRow = {
          id: newId('doc'),
          userId,
          knowledgeBaseId: baseId,
          name: read.name,
          contentType: read.contentType,
          letters: read.letters,
          passageCount: read.passages.length,
          ...initialState(base, makes),
          embeddedBy: null,
          createdAt,
          updatedAt: createdAt,
        }
        await trx.insertInto('knowledgeDocuments').values(row).execute()
        await addPassages(trx, row.id, read.passages)
        return toDocument(row)
      })
    },

    async replaceDocument(
      userId: string,
      baseId: string,
      id: string,
      read: ParsedDocument,
    ): Promise<KnowledgeDocument> {
      const makes = await makesOf(rules, userId) // before the transaction, which holds SQLite's only connection
      return db.inTransaction(async (trx) => {
        const base = await bumpVersion(trx, userId, baseId)
        const row = await ownDocument(trx, userId, baseId, id)
        await checkLimits(trx, baseId, read.passages.length, id)
        const next = {
          name: read.name,
          contentType: read.contentType,
          letters: read.letters,
          passageCount: read.passages.length,
          ...initialState(base, makes),
          embeddedBy: null,
          updatedAt: nowAfter(row.updatedAt),
        }
        await trx.updateTable('knowledgeDocuments').set(next).where('id', '=', id).execute()
        await trx.deleteFrom('knowledgePassages').where('documentId', '=', id).execute()
        await addPassages(trx, id, read.passages)
        return toDocument({ ...row, ...next })
      })
    },

    async removeDocument(userId: string, baseId: string, id: string): Promise<KnowledgeDocument> {
      return db.inTransaction(async (trx) => {
        await bumpVersion(trx, userId, baseId)
        const row = await ownDocument(trx, userId, baseId, id)
        await trx.deleteFrom('knowledgeDocuments').where('id', '=', id).execute()
        return toDocument(row)
      })
    },
  }
}

export function toBase(row: BaseWithCounts): KnowledgeBase {
  const { id, name, description, language, documentCount, passageCount, createdAt, updatedAt } = row
  const base = { id, name, description, language, generateQuestions: row.generateQuestions === 1 }
  return withVersion({ ...base, documentCount, passageCount, createdAt, updatedAt }, row.rowVersion)
}

export const toDocument = (row: KnowledgeDocumentRow): KnowledgeDocument => ({
  id: row.id,
  knowledgeBaseId: row.knowledgeBaseId,
  name: row.name,
  contentType: row.contentType as KnowledgeDocument['contentType'],
  letters: row.letters,
  passageCount: row.passageCount,
  status: row.status,
  error: row.error,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})
