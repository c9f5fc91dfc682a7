// Read positions of each user's events at the remote gateway, and the users with devices there.
import type { Db } from '../../db/database.ts'

type EventCursor = { email: string; after: string }

export function remoteEventCursors(db: Db) {
  const nameOf = (userId: string) => `remote-gateway-place ${userId}`
  return {
    async read(userId: string): Promise<EventCursor | undefined> {
      const row = await db.selectFrom('meta').select('value').where('name', '=', nameOf(userId)).executeTakeFirst()
      return row && JSON.parse(row.value)
    },

    async save(userId: string, { email, after }: EventCursor): Promise<void> {
      const value = JSON.stringify({ email, after })
      await db
        .insertInto('meta')
        .values({ name: nameOf(userId), value })
        .onConflict((c) => c.column('name').doUpdateSet({ value }))
        .execute()
    },

    async users(): Promise<string[]> {
      const rows = db.selectFrom('devices').select('userId').distinct()
      const found = await rows.where('driver', '=', 'remote').where('status', '!=', 'disabled').execute()
      return found.map(({ userId }) => userId)
    },
  }
}
