// The calls of a user by their status, newest first: those in progress are few among very many.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('calls_userId_status_startedAt_id')
    .on('calls')
    .columns(['userId', 'status', 'startedAt', 'id'])
    .execute()
}
