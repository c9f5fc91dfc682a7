// The work of looking back on conversations that are over, as rows that are taken under a lease: it survives a restart, and
// two processes do not do one twice.
import { sql } from 'kysely'
import { now, nowMs, toIso } from '../../base/clock.ts'
import { AppError, found } from '../../base/errors.ts'
import type { Db } from '../../db/database.ts'
import type { AnalysisStatus, ConversationRow } from '../../db/tables.ts'
import type { Analysis, Conversation, Message } from './schema.ts'
import { toConversation, toMessage } from './store.ts'

export type AnalysisQueue = ReturnType<typeof analysisQueue>
export type AnalysisJob = { id: string; userId: string; agentId: string; tries: number; leaseUntil: string }

export const ANALYSIS_LEASE_MS = 300_000 // longer than any analysis may take
const MAX_MESSAGES = 2000

export function analysisQueue(db: Db, leaseMs = ANALYSIS_LEASE_MS) {
  /** Only while the job is still ours. */
  const settle = async (job: AnalysisJob, row: Partial<ConversationRow>): Promise<void> => {
    await db
      .updateTable('conversations')
      .set(row)
      .where('id', '=', job.id)
      .where('analysisStatus', '=', 'processing')
      .where('analysisDueAt', '=', job.leaseUntil)
      .execute()
  }
  return {
    /** One that is due, now ours; the longest waiting first. Undefined where there is none, or another was quicker. */
    async take(): Promise<AnalysisJob | undefined> {
      const at = now()
      const leaseUntil = toIso(nowMs() + leaseMs)
      const waiting = ['pending', 'processing'] as const
      const due = await db
        .selectFrom('conversations')
        .select('id')
        .where('analysisStatus', 'in', waiting)
        .where('analysisDueAt', '<=', at)
        .orderBy('analysisDueAt')
        .limit(1)
        .executeTakeFirst()
      if (!due) return undefined
      const taken = await db
        .updateTable('conversations')
        .set({
          analysisStatus: 'processing',
          analysisDueAt: leaseUntil,
          analysisTries: sql`${sql.ref('analysisTries')} + 1` as never,
        })
        .where('id', '=', due.id)
        .where('analysisStatus', 'in', waiting)
        .where('analysisDueAt', '<=', at)
        .returning(['id', 'userId', 'agentId', 'analysisTries as tries'])
        .executeTakeFirst()
      return taken && { ...taken, leaseUntil }
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

    done: (job: AnalysisJob, analysis: Analysis) =>
      settle(job, { analysisStatus: 'done', analysis: JSON.stringify(analysis), analysisDueAt: null }),

    over: (job: AnalysisJob, status: Extract<AnalysisStatus, 'failed' | 'skipped'>) =>
      settle(job, { analysisStatus: status, analysisDueAt: null }),

    again: (job: AnalysisJob, afterMs: number) =>
      settle(job, { analysisStatus: 'pending', analysisDueAt: toIso(nowMs() + afterMs) }),

    /** Given back unfinished: it does not count as a try. */
    release: (job: AnalysisJob) =>
      settle(job, { analysisStatus: 'pending', analysisDueAt: now(), analysisTries: job.tries - 1 }),

    /** Once more, from the beginning. One that is waiting or under way is left as it is. */
    async request(userId: string, id: string): Promise<Conversation> {
      const own = () =>
        db.selectFrom('conversations').selectAll().where('userId', '=', userId).where('id', '=', id).executeTakeFirst()
      const { status } = found('Conversation', await own())
      if (status === 'active') throw new AppError('conflict', 'This conversation has not ended')
      await db
        .updateTable('conversations')
        .set({ analysisStatus: 'pending', analysisDueAt: now(), analysisTries: 0 })
        .where('userId', '=', userId)
        .where('id', '=', id)
        .where((where) =>
          where.or([where('analysisStatus', 'is', null), where('analysisStatus', 'in', ['done', 'failed', 'skipped'])]),
        )
        .execute()
      return toConversation(found('Conversation', await own()))
    },
  }
}
