// Agent drafts tested by a web call: stored from its token to its start, readable by that call alone.
import { now } from '../../base/time/clock.ts'
import type { Db } from '../../db/database.ts'
import type { AgentPatch } from '../agents/schema.ts'

/** Per user; the oldest is dropped. Tests run one at a time. */
const MAX_DRAFTS = 20

export function callDrafts(db: Db) {
  const expire = async () => {
    await db.deleteFrom('callDrafts').where('expiresAt', '<', now()).execute()
  }
  return {
    /** Deletes drafts whose token has expired. */
    expire,

    async save(userId: string, callId: string, draft: AgentPatch, expiresAt: string): Promise<void> {
      await expire()
      await db.inTransaction(async (trx) => {
        await trx
          .insertInto('callDrafts')
          .values({ id: callId, userId, draft: JSON.stringify(draft), expiresAt })
          .execute()
        const kept = trx.selectFrom('callDrafts').select('id').where('userId', '=', userId)
        const newest = await kept.orderBy('id', 'desc').limit(MAX_DRAFTS).execute()
        const ids = newest.map(({ id }) => id)
        await trx.deleteFrom('callDrafts').where('userId', '=', userId).where('id', 'not in', ids).execute()
      })
    },

    async find(userId: string, callId: string): Promise<AgentPatch | undefined> {
      const stored = db.selectFrom('callDrafts').select('draft').where('userId', '=', userId).where('id', '=', callId)
      const row = await stored.executeTakeFirst()
      return row && (JSON.parse(row.draft) as AgentPatch)
    },

    async remove(userId: string, callId: string): Promise<void> {
      await db.deleteFrom('callDrafts').where('userId', '=', userId).where('id', '=', callId).execute()
    },
  }
}
