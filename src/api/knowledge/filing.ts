// What is still to be made of documents (vectors, questions), as rows that are taken under a lease: it survives a restart, two processes
// do not do one twice, and nothing is written to a document that was replaced meanwhile.
import { sql } from 'kysely'
import type { Db, Trx } from '../../db/database.ts'
import type { KnowledgeDocumentRow } from '../../db/knowledge-rows.ts'
import { dbTime } from '../../db/time.ts'

export type FilingQueue = ReturnType<typeof filingQueue>
export type FilingJob = {
  id: string
  knowledgeBaseId: string
  documentName: string
  tries: number
  /** Renewed with every write; once it is another's, we write no more. */
  leaseUntil: string
}
export type Unfinished = { number: number; heading: string; content: string }

const ALL = 2_147_483_647 // the largest number of an integer column

/** The document was replaced or removed, or took so long that it is another's now. */
export class LeaseLost extends Error {}

export function filingQueue(db: Db, leaseMs = 300_000) {
  const inLease = async (job: FilingJob, work: (trx: Trx) => Promise<unknown>): Promise<void> => {
    const leaseUntil = await db.inTransaction(async (trx) => {
      const held = await trx
        .updateTable('knowledgeDocuments')
        .set({ dueAt: dbTime(trx, leaseMs) })
        .where('id', '=', job.id)
        .where('status', '=', 'indexing')
        .where('dueAt', '=', job.leaseUntil)
        .returning('dueAt')
        .executeTakeFirst()
      if (!held) throw new LeaseLost('The document is no longer ours')
      await work(trx)
      return held.dueAt ?? ''
    })
    job.leaseUntil = leaseUntil
  }
  const settle = (job: FilingJob, row: Partial<KnowledgeDocumentRow>) =>
    inLease(job, async (trx) => {
      await trx.updateTable('knowledgeDocuments').set(row).where('id', '=', job.id).execute()
      // Only now: an index is made anew once for each document, not with every batch.
      await trx
        .updateTable('knowledgeBases')
        .set({ version: sql`${sql.ref('version')} + 1` as never })
        .where('id', '=', job.knowledgeBaseId)
        .execute()
    })
  const unfinished = (job: FilingJob, column: 'vector' | 'questions', upTo: number, limit: number) =>
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
    /** One that is due, now ours; undefined where there is none, or another was quicker. */
    async take(): Promise<FilingJob | undefined> {
      const at = dbTime(db)
      const due = await db
        .selectFrom('knowledgeDocuments')
        .select('id')
        .where('status', '=', 'indexing')
        .where('dueAt', '<=', at)
        .orderBy('dueAt')
        .limit(1)
        .executeTakeFirst()
      if (!due) return undefined
      const taken = await db
        .updateTable('knowledgeDocuments')
        .set({ dueAt: dbTime(db, leaseMs), tries: sql`${sql.ref('tries')} + 1` as never })
        .where('id', '=', due.id)
        .where('status', '=', 'indexing')
        .where('dueAt', '<=', at)
        .returning(['id', 'knowledgeBaseId', 'name as documentName', 'tries', 'dueAt'])
        .executeTakeFirst()
      if (!taken) return undefined
      const { dueAt, ...job } = taken
      return { ...job, leaseUntil: dueAt ?? '' }
    },

    /** Vectors of another model go: the two would not compare. */
    useModel: (job: FilingJob, model: string) =>
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

    withoutVectors: (job: FilingJob, limit: number) => unfinished(job, 'vector', ALL, limit),
    withoutQuestions: (job: FilingJob, upTo: number, limit: number) => unfinished(job, 'questions', upTo, limit),

    wantsQuestions: async (job: FilingJob): Promise<boolean> =>
      (
        await db
          .selectFrom('knowledgeBases')
          .select('generateQuestions')
          .where('id', '=', job.knowledgeBaseId)
          .executeTakeFirst()
      )?.generateQuestions === 1,

    write: (job: FilingJob, rows: readonly ({ number: number } & ({ vector: string } | { questions: string }))[]) =>
      inLease(job, async (trx) => {
        for (const { number, ...row } of rows)
          await trx
            .updateTable('knowledgePassages')
            .set(row)
            .where('documentId', '=', job.id)
            .where('number', '=', number)
            .execute()
      }),

    done: (job: FilingJob) => settle(job, { status: 'ready', dueAt: null, error: null }),
    failed: (job: FilingJob, error: string) => settle(job, { status: 'failed', dueAt: null, error }),
    again: (job: FilingJob, afterMs: number) => inLease(job, (trx) => setDue(trx, job, afterMs)),

    /** Given back unfinished: it does not count as a try. */
    release: (job: FilingJob) =>
      inLease(job, async (trx) => {
        await setDue(trx, job, 0)
        await trx
          .updateTable('knowledgeDocuments')
          .set({ tries: job.tries - 1 })
          .where('id', '=', job.id)
          .execute()
      }),

    /** Documents that were filed before this model was chosen get its vectors too. */
    async embedAnew(model: string): Promise<void> {
      await db
        .updateTable('knowledgeDocuments')
        .set({ status: 'indexing', dueAt: dbTime(db), error: null, tries: 0 })
        .where('status', '!=', 'indexing')
        .where((where) =>
          where.or([where('embeddedBy', 'is', null), where('embeddedBy', '!=', model), where('status', '=', 'failed')]),
        )
        .execute()
    },

    /** Where nothing is configured any more, nothing is waited for. */
    async endAll(): Promise<void> {
      await db
        .updateTable('knowledgeDocuments')
        .set({ status: 'ready', dueAt: null })
        .where('status', '=', 'indexing')
        .execute()
    },
  }
}

const setDue = (trx: Trx, job: FilingJob, inMs: number) =>
  trx
    .updateTable('knowledgeDocuments')
    .set({ dueAt: dbTime(trx, inMs) })
    .where('id', '=', job.id)
    .execute()
