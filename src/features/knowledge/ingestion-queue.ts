// The document ingestion queue: vectors and questions for a document's passages, claimed under a lease that every write
// renews. Nothing is written to a document that was replaced meanwhile.
import type { Db, Trx } from '../../db/database.ts'
import { increment } from '../../db/increment.ts'
import type { KnowledgeDocumentRow } from '../../db/knowledge-rows.ts'
import { type Claimed, leasedQueue } from '../../db/leased-queue.ts'
import { dbTime } from '../../db/time.ts'

export type IngestionQueue = ReturnType<typeof ingestionQueue>
/** The row of a document; its lease is renewed with every write. */
export type IngestionJob = Claimed<'knowledgeDocuments'>
export type PendingPassage = { number: number; heading: string; content: string }

const MAX_INTEGER = 2_147_483_647 // maximum in PostgreSQL

/** The document was replaced or removed, or the lease expired and another process has claimed it. */
export class LeaseLost extends Error {}

export function ingestionQueue(db: Db, leaseMs = 300_000) {
  const queue = leasedQueue(db, {
    table: 'knowledgeDocuments',
    dueAt: 'dueAt',
    status: { column: 'status', waiting: 'indexing', claimed: 'indexing', claimable: ['indexing'] },
    attempts: 'tries',
    leaseMs,
  })

  /** Throws LeaseLost, and writes nothing, unless the lease is still held. */
  const inLease = async (job: IngestionJob, work: (trx: Trx) => Promise<unknown>): Promise<void> => {
    job.leaseUntil = await db.inTransaction(async (trx) => {
      const renewed = await queue.renew(job, trx)
      if (!renewed) throw new LeaseLost('The document is no longer leased by this worker')
      await work(trx)
      return renewed.leaseUntil
    })
  }
  const requireHeld = async (written: Promise<unknown>): Promise<void> => {
    if (!(await written)) throw new LeaseLost('The document is no longer leased by this worker')
  }
  const finish = (job: IngestionJob, row: Partial<KnowledgeDocumentRow>): Promise<void> =>
    db.inTransaction(async (trx) => {
      await requireHeld(queue.finish(job, row, trx))
      // Bumped only here, so that the search index is rebuilt once per document instead of with every batch.
      await trx
        .updateTable('knowledgeBases')
        .set({ version: increment('version') })
        .where('id', '=', job.knowledgeBaseId)
        .execute()
    })

  return {
    claim: (): Promise<IngestionJob | undefined> => queue.claim(),
    complete: (job: IngestionJob) => finish(job, { status: 'ready', dueAt: null, error: null }),
    fail: (job: IngestionJob, error: string) => finish(job, { status: 'failed', dueAt: null, error }),
    retry: (job: IngestionJob, afterMs: number) => requireHeld(queue.retry(job, afterMs)),
    release: (job: IngestionJob) => requireHeld(queue.release(job)),

    ...passageWrites(db, inLease),

    /** Users who own documents. */
    async owners(): Promise<string[]> {
      const rows = await db.selectFrom('knowledgeDocuments').select('userId').distinct().execute()
      return rows.map(({ userId }) => userId)
    },

    /** Requeues documents that have no vectors, or vectors of another model. */
    async requeueForModel(userId: string, model: string): Promise<void> {
      await db
        .updateTable('knowledgeDocuments')
        .set({ status: 'indexing', dueAt: dbTime(db), error: null, tries: 0 })
        .where('userId', '=', userId)
        .where('status', '!=', 'indexing')
        .where((where) =>
          where.or([where('embeddedBy', 'is', null), where('embeddedBy', '!=', model), where('status', '=', 'failed')]),
        )
        .execute()
    },

    /** For a platform that has neither embeddings nor a language model. */
    async finishAll(): Promise<void> {
      await db
        .updateTable('knowledgeDocuments')
        .set({ status: 'ready', dueAt: null })
        .where('status', '=', 'indexing')
        .execute()
    },
  }
}

type InLease = (job: IngestionJob, work: (trx: Trx) => Promise<unknown>) => Promise<void>

function passageWrites(db: Db, inLease: InLease) {
  const pending = (job: IngestionJob, column: 'vector' | 'questions', upTo: number, limit: number) =>
    db
      .selectFrom('knowledgePassages')
      .select(['number', 'heading', 'content'])
      .where('documentId', '=', job.id)
      .where('number', '<=', upTo)
      .where(column, 'is', null)
      .orderBy('number')
      .limit(limit)
      .execute()

  return {
    /** Drops vectors of another model, since vectors of two models cannot be compared. */
    setEmbeddingModel: (job: IngestionJob, model: string) =>
      inLease(job, async (trx) => {
        const other = await trx
          .updateTable('knowledgeDocuments')
          .set({ embeddedBy: model })
          .where('id', '=', job.id)
          .where((where) => where.or([where('embeddedBy', 'is', null), where('embeddedBy', '!=', model)]))
          .returning('id')
          .executeTakeFirst()
        if (other)
          await trx.updateTable('knowledgePassages').set({ vector: null }).where('documentId', '=', job.id).execute()
      }),

    passagesWithoutVectors: (job: IngestionJob, limit: number) => pending(job, 'vector', MAX_INTEGER, limit),
    passagesWithoutQuestions: (job: IngestionJob, upTo: number, limit: number) =>
      pending(job, 'questions', upTo, limit),

    async wantsQuestions(job: IngestionJob): Promise<boolean> {
      const base = db.selectFrom('knowledgeBases').select('generateQuestions').where('id', '=', job.knowledgeBaseId)
      return (await base.executeTakeFirst())?.generateQuestions === 1
    },

    savePassages: (
      job: IngestionJob,
      rows: readonly ({ number: number } & ({ vector: string } | { questions: string }))[],
    ) =>
      inLease(job, async (trx) => {
        for (const { number, ...row } of rows)
          await trx
            .updateTable('knowledgePassages')
            .set(row)
            .where('documentId', '=', job.id)
            .where('number', '=', number)
            .execute()
      }),
  }
}
