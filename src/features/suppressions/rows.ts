// Forgets a suppressed number: only its keyed hash is kept, so that it stays suppressed but cannot be read.
import type { Db } from '../../db/database.ts'
import { removeEventsNaming } from '../../db/event-removal.ts'

/** `number` in E.164. Returns the number of its entries, own and imported. */
export async function forgetSuppressions(
  db: Db,
  { userId, number, dryRun }: { userId: string; number: string; dryRun: boolean },
): Promise<number> {
  const { count } = await db
    .selectFrom('suppressions')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('userId', '=', userId)
    .where('phoneNumber', '=', number)
    .executeTakeFirstOrThrow()
  if (dryRun) return Number(count)
  await db
    .updateTable('suppressions')
    .set({ phoneNumber: null, note: null, callId: null })
    .where('userId', '=', userId)
    .where('phoneNumber', '=', number)
    .execute()
  await removeEventsNaming(db, { userId, types: ['suppression.created', 'suppression.removed'], number })
  return Number(count)
}
