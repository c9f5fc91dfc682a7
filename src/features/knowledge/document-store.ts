// The documents of knowledge bases and their passages. A change locks the base, so changes to its documents are
// serialized.
import { setImmediate as breathe } from 'node:timers/promises'
import { appError, found } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import { now, nowAfter } from '../../base/time/clock.ts'
import { audit } from '../../db/audit.ts'
import type { Db, Trx } from '../../db/database.ts'
import { increment } from '../../db/increment.ts'
import type { KnowledgeBaseRow, KnowledgeDocumentRow, KnowledgePassageRow } from '../../db/knowledge-rows.ts'
import { olderThan, ownedRow, type PageRequest } from '../../db/owned.ts'
import { fromJson } from '../../db/tables.ts'
import type { ReadDocument } from '../../retrieval/documents/reader.ts'
import type { DocumentWithPassages, KnowledgeDocument, KnowledgePassage } from './schema.ts'
import type { KnowledgeRules } from './store.ts'

export type DocumentStore = ReturnType<typeof documentStore>

/** A parsed document, split into passages. */
export type ParsedDocument = ReadDocument & { name: string; contentType: string }

const MAX_PASSAGES = 20_000
const MAX_DOCUMENTS = 5000
const ROWS_PER_INSERT = 200

export function documentStore(db: Db, rules: KnowledgeRules) {
  const baseRow = ownedRow(db, 'knowledgeBases')

  /** Runs `work` with the base locked, and with the columns that a parsed document writes. */
  async function storing(
    userId: string,
    baseId: string,
    read: ParsedDocument,
    work: (trx: Trx, columns: ReturnType<typeof columnsOf>) => Promise<KnowledgeDocumentRow>,
  ): Promise<KnowledgeDocument> {
    // Must run before the transaction, which holds SQLite's only connection.
    const makesVectors = await rules.makesVectors(userId)
    const makesQuestions = await rules.makesQuestions(userId)
    return db.inTransaction(async (trx) => {
      const base = await bumpVersion(trx, userId, baseId)
      const isQueued = makesVectors || (makesQuestions && base.generateQuestions === 1)
      const row = await work(trx, columnsOf(read, isQueued))
      await addPassages(trx, row.id, read.passages)
      return toDocument(row)
    })
  }

  return {
    page: (userId: string, baseId: string, page: PageRequest) => documentPage(db, userId, baseId, page),

    /** Throws if the document does not exist. */
    async require(userId: string, baseId: string, id: string): Promise<KnowledgeDocumentRow> {
      found('Knowledge base', await baseRow(userId, baseId))
      return ownDocument(db, userId, baseId, id)
    },

    async get(userId: string, baseId: string, id: string): Promise<DocumentWithPassages> {
      const row = await this.require(userId, baseId, id)
      const passages = await db
        .selectFrom('knowledgePassages')
        .selectAll()
        .where('documentId', '=', id)
        .orderBy('number')
        .execute()
      return { ...toDocument(row), passages: passages.map(toPassage) }
    },

    add: (userId: string, baseId: string, read: ParsedDocument): Promise<KnowledgeDocument> =>
      storing(userId, baseId, read, async (trx, columns) => {
        await checkLimits(trx, baseId, read.passages.length, null)
        const id = newId('doc')
        const createdAt = now()
        const row = { id, userId, knowledgeBaseId: baseId, ...columns, createdAt, updatedAt: createdAt }
        await trx.insertInto('knowledgeDocuments').values(row).execute()
        await audit(trx, { kind: 'document', after: row })
        return row
      }),

    replace: (userId: string, baseId: string, id: string, read: ParsedDocument): Promise<KnowledgeDocument> =>
      storing(userId, baseId, read, async (trx, columns) => {
        const row = await ownDocument(trx, userId, baseId, id)
        await checkLimits(trx, baseId, read.passages.length, id)
        const next = { ...columns, updatedAt: nowAfter(row.updatedAt) }
        await trx.updateTable('knowledgeDocuments').set(next).where('id', '=', id).execute()
        await trx.deleteFrom('knowledgePassages').where('documentId', '=', id).execute()
        await audit(trx, { kind: 'document', action: 'replaced', before: row, after: { ...row, ...next } })
        return { ...row, ...next }
      }),

    remove: (userId: string, baseId: string, id: string): Promise<KnowledgeDocument> =>
      db.inTransaction(async (trx) => {
        await bumpVersion(trx, userId, baseId)
        const row = await ownDocument(trx, userId, baseId, id)
        await trx.deleteFrom('knowledgeDocuments').where('id', '=', id).execute()
        await audit(trx, { kind: 'document', before: row })
        return toDocument(row)
      }),
  }
}

const documentPage = (
  db: Db,
  userId: string,
  baseId: string,
  { limit, after }: PageRequest,
): Promise<KnowledgeDocumentRow[]> =>
  db
    .selectFrom('knowledgeDocuments')
    .selectAll()
    .where('userId', '=', userId)
    .where('knowledgeBaseId', '=', baseId)
    .$if(after !== undefined, (query) => query.where(olderThan('createdAt', after?.at ?? '', after?.id ?? '')))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

const columnsOf = ({ name, contentType, letters, passages }: ParsedDocument, isQueued: boolean) => ({
  name,
  contentType,
  letters,
  passageCount: passages.length,
  status: isQueued ? ('indexing' as const) : ('ready' as const),
  dueAt: isQueued ? now() : null,
  error: null,
  tries: 0,
  embeddedBy: null,
})

/** Locks the base and bumps its version: an index of another version is stale. */
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
  if (Number(passages ?? 0) + adds > MAX_PASSAGES) throw appError('knowledge_passages_limit', { limit: MAX_PASSAGES })
  if (without === null && Number(documents) >= MAX_DOCUMENTS)
    throw appError('knowledge_documents_limit', { limit: MAX_DOCUMENTS })
}

async function addPassages(trx: Trx, documentId: string, passages: ParsedDocument['passages']): Promise<void> {
  for (let from = 0; from < passages.length; from += ROWS_PER_INSERT) {
    const rows = passages.slice(from, from + ROWS_PER_INSERT).map(({ heading, content }, i) => ({
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

const toPassage = ({ number, heading, content, questions, vector }: KnowledgePassageRow): KnowledgePassage => ({
  number,
  heading,
  content,
  hasVector: vector !== null,
  questions: fromJson<string[]>(questions) ?? [],
})

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
