// The queue of post-call analyses: ended conversations, claimed one at a time under a lease.
import { appError, found } from '../../base/errors/errors.ts'
import type { Db } from '../../db/database.ts'
import { type Claimed, leasedQueue } from '../../db/leased-queue.ts'
import { eventWriter } from '../../db/outbox.ts'
import { agentNotRemoved } from '../../db/removal.ts'
import type { AnalysisStatus, CallRow } from '../../db/tables.ts'
import { dbTime } from '../../db/time.ts'
import { toConversation } from './rows.ts'
import type { Analysis, Conversation, Message } from './schema.ts'
import { toMessage } from './store.ts'

export type AnalysisQueue = ReturnType<typeof analysisQueue>
export type AnalysisJob = { id: string; userId: string; agentId: string; tries: number; leaseUntil: string }

export const ANALYSIS_LEASE_MS = 300_000 // longer than any analysis may take
const MAX_MESSAGES = 2000

const toJob = ({ id, userId, agentId, analysisTries, leaseUntil }: Claimed<'conversations'>): AnalysisJob => ({
  id,
  userId,
  agentId,
  leaseUntil,
  tries: analysisTries,
})

/** `toCall` converts a row to the call shown in the event `call.analyzed`. */
export function analysisQueue(db: Db, leaseMs = ANALYSIS_LEASE_MS, toCall?: (row: CallRow) => object) {
  const queue = leasedQueue(db, {
    table: 'conversations',
    dueAt: 'analysisDueAt',
    status: {
      column: 'analysisStatus',
      waiting: 'pending',
      claimed: 'processing',
      claimable: ['pending', 'processing'],
    },
    attempts: 'analysisTries',
    leaseMs,
  })
  const writeEvent = eventWriter(db)

  return {
    async claim(): Promise<AnalysisJob | undefined> {
      const claimed = await queue.claim({ where: agentNotRemoved('candidate.agentId') })
      return claimed && toJob(claimed)
    },

    /** The newest messages, oldest first. */
    async transcript(job: AnalysisJob): Promise<Message[]> {
      const rows = await db
        .selectFrom('messages')
        .selectAll()
        .where('conversationId', '=', job.id)
        .orderBy('number', 'desc')
        .limit(MAX_MESSAGES)
        .execute()
      return rows.reverse().map(toMessage)
    },

    complete: (job: AnalysisJob, analysis: Analysis): Promise<void> =>
      db.inTransaction(async (trx) => {
        const set = { analysisStatus: 'done', analysis: JSON.stringify(analysis), analysisDueAt: null } as const
        if (!(await queue.finish(job, set, trx))) return
        const { id: conversationId, userId, agentId } = job
        const call = await trx
          .selectFrom('calls')
          .selectAll()
          .where('conversationId', '=', conversationId)
          .executeTakeFirst()
        if (!call) return
        const ids = { userId, agentId, conversationId, callId: call.id }
        await writeEvent(trx, { ...ids, type: 'call.analyzed', data: { call: toCall?.(call), analysis } })
      }),

    async finish(job: AnalysisJob, status: Extract<AnalysisStatus, 'failed' | 'skipped'>): Promise<void> {
      await queue.finish(job, { analysisStatus: status, analysisDueAt: null })
    },

    async retry(job: AnalysisJob, afterMs: number): Promise<void> {
      await queue.retry(job, afterMs)
    },

    async release(job: AnalysisJob): Promise<void> {
      await queue.release(job)
    },

    request: (userId: string, id: string): Promise<Conversation> => requestAnalysis(db, userId, id),
  }
}

/** Queues another analysis. A pending or processing one is left as it is. */
async function requestAnalysis(db: Db, userId: string, id: string): Promise<Conversation> {
  const own = () =>
    db
      .selectFrom('conversations')
      .selectAll()
      .where('userId', '=', userId)
      .where('id', '=', id)
      .where(agentNotRemoved())
      .executeTakeFirst()
  const { status } = found('Conversation', await own())
  if (status === 'active') throw appError('conversation_open')
  await db
    .updateTable('conversations')
    .set({ analysisStatus: 'pending', analysisDueAt: dbTime(db), analysisTries: 0 })
    .where('userId', '=', userId)
    .where('id', '=', id)
    .where((where) =>
      where.or([where('analysisStatus', 'is', null), where('analysisStatus', 'in', ['done', 'failed', 'skipped'])]),
    )
    .execute()
  return toConversation(found('Conversation', await own()))
}
