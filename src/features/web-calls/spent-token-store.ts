// Used web-call tokens: each works only once, even after its call has been deleted.
import { now, nowMs, toIso } from '../../base/time/clock.ts'
import type { Db } from '../../db/database.ts'

/** Longer than the lifetime of any token. */
const KEPT_MS = 2 * 3_600_000

export function spentTokens(db: Db) {
  return {
    /** False if it was used before. */
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

    /** Its call did not start after all. */
    async giveBack(id: string): Promise<void> {
      await db.deleteFrom('spentTokens').where('id', '=', id).execute()
    },
  }
}
