// Removes events whose data contain a forgotten telephone number, which no foreign key deletes.
import { setImmediate as breathe } from 'node:timers/promises'
import type { Db } from './database.ts'
import { removeEvents } from './removal.ts'

/** Number of sequences read at a time. */
const SLICE = 2000

/** `number` in E.164. */
export async function removeEventsNaming(
  db: Db,
  { userId, types, number }: { userId: string; types: readonly string[]; number: string },
): Promise<void> {
  const own = db.selectFrom('events').where('userId', '=', userId)
  const bound = await own
    .select(({ fn }) => [fn.min<number | null>('sequence').as('first'), fn.max<number | null>('sequence').as('last')])
    .executeTakeFirst()
  const [first, last] = [Number(bound?.first ?? 1), Number(bound?.last ?? 0)]
  for (let from = first; from <= last; from += SLICE) {
    const rows = await own
      .select('id')
      .where('sequence', '>=', from)
      .where('sequence', '<', from + SLICE)
      .where('type', 'in', types)
      .where('data', 'like', `%"${number}"%`)
      .execute()
    const ids = rows.map(({ id }) => id)
    if (ids.length > 0) await db.inTransaction((trx) => removeEvents(trx, userId, ids))
    await breathe()
  }
}
