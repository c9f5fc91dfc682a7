// Tokens of web calls that have opened theirs: each is good once, also when the row of its call has been removed since.
import { now, nowMs, toIso } from '../../base/clock.ts'
import type { Db } from '../../db/database.ts'

/** Longer than any token lives. */
const KEPT_MS = 2 * 3_600_000

export function spentTokens(db: Db) {
  return {
    async isSpent(id: string): Promise<boolean> {
      return (await db.selectFrom('spentTokens').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
    },

    /** False: it was spent before. */
    spend: (id: string): Promise<boolean> =>
      db.inTransaction(async (trx) => {
        await trx.deleteFrom('spentTokens').where('expiresAt', '<', now()).execute()
        const spent = await trx
          .insertInto('spentTokens')
          .values({ id, expiresAt: toIso(nowMs() + KEPT_MS) })
          .onConflict((c) => c.column('id').doNothing())
          .returning('id')
          .executeTakeFirst()
        return spent !== undefined
      }),

    /** Its call did not begin after all. */
    async giveBack(id: string): Promise<void> {
      await db.deleteFrom('spentTokens').where('id', '=', id).execute()
    },
  }
}
