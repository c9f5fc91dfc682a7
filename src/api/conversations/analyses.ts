// The work of looking back on conversations that are over, as rows that are taken under a lease: it survives a restart, and
// two processes do not do one twice.
import { sql, type UpdateObject } from 'kysely'
import { AppError, found } from '../../base/errors.ts'
import type { Db, Trx } from '../../db/database.ts'
import { ofPresentAgent } from '../../db/removal.ts'
import type { AnalysisStatus, CallRow, Tables } from '../../db/tables.ts'
import { dbTime } from '../../db/time.ts'
import { eventWriter } from '../events/store.ts'
import type { Analysis, Conversation, Message } from './schema.ts'
import { toConversation, toMessage } from './store.ts'

export type AnalysisQueue = ReturnType<typeof analysisQueue>
export type AnalysisJob = { id: string; userId: string; agentId: string; tries: number; leaseUntil: string }

export const ANALYSIS_LEASE_MS = 300_000 // longer than any analysis may take
const MAX_MESSAGES = 2000

/** `toCall`: what is told of the call of a conversation. */
export function analysisQueue(db: Db, leaseMs = ANALYSIS_LEASE_MS, toCall?: (row: CallRow) => object) {
  /** Only while the job is still ours; undefined when it is not. */
  const settle = (job: AnalysisJob, row: UpdateObject<Tables, 'conversations'>, on: Db | Trx = db) =>
    on
      .updateTable('conversations')
      .set(row)
      .where('id', '=', job.id)
      .where('analysisStatus', '=', 'processing')
      .where('analysisDueAt', '=', job.leaseUntil)
      .returning('id')
      .executeTakeFirst()
  const tell = eventWriter(db)

  return {
    /** One that is due, now ours; the longest waiting first. Undefined where there is none, or another was quicker. */
    async take(): Promise<AnalysisJob | undefined> {
      const at = dbTime(db)
      const waiting = ['pending', 'processing'] as const
      const due = await db
        .selectFrom('conversations')
        .select('id')
        .where('analysisStatus', 'in', waiting)
        .where('analysisDueAt', '<=', at)
        .where(ofPresentAgent())
        .orderBy('analysisDueAt')
        .limit(1)
        .executeTakeFirst()
      if (!due) return undefined
      const taken = await db
        .updateTable('conversations')
        .set({
          analysisStatus: 'processing',
          analysisDueAt: dbTime(db, leaseMs),
          analysisTries: sql`${sql.ref('analysisTries')} + 1` as never,
        })
        .where('id', '=', due.id)
        .where('analysisStatus', 'in', waiting)
        .where('analysisDueAt', '<=', at)
        .returning(['id', 'userId', 'agentId', 'analysisTries as tries', 'analysisDueAt'])
        .executeTakeFirst()
      if (!taken) return undefined
      const { analysisDueAt, ...job } = taken
      return { ...job, leaseUntil: analysisDueAt ?? '' }
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

    done: (job: AnalysisJob, analysis: Analysis): Promise<void> =>
      db.inTransaction(async (trx) => {
        const set = { analysisStatus: 'done', analysis: JSON.stringify(analysis), analysisDueAt: null } as const
        if (!(await settle(job, set, trx))) return
        const { id: conversationId, userId, agentId } = job
        const call = await trx
          .selectFrom('calls')
          .selectAll()
          .where('conversationId', '=', conversationId)
          .executeTakeFirst()
        if (!call) return
        const ids = { userId, agentId, conversationId, callId: call.id }
        await tell(trx, { ...ids, type: 'call.analyzed', data: { call: toCall?.(call), analysis } })
      }),

    async over(job: AnalysisJob, status: Extract<AnalysisStatus, 'failed' | 'skipped'>): Promise<void> {
      await settle(job, { analysisStatus: status, analysisDueAt: null })
    },

    async again(job: AnalysisJob, afterMs: number): Promise<void> {
      await settle(job, { analysisStatus: 'pending', analysisDueAt: dbTime(db, afterMs) })
    },

    /** Given back unfinished: it does not count as a try. */
    async release(job: AnalysisJob): Promise<void> {
      await settle(job, { analysisStatus: 'pending', analysisDueAt: dbTime(db), analysisTries: job.tries - 1 })
    },

    /** Once more, from the beginning. One that is waiting or under way is left as it is. */
    async request(userId: string, id: string): Promise<Conversation> {
      const own = () =>
        db
          .selectFrom('conversations')
          .selectAll()
          .where('userId', '=', userId)
          .where('id', '=', id)
          .where(ofPresentAgent())
          .executeTakeFirst()
      const { status } = found('Conversation', await own())
      if (status === 'active') throw new AppError('conflict', 'This conversation has not ended')
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
    },
  }
}
