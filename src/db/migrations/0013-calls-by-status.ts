// Index of a user's calls by status, newest first: few of very many calls are in progress.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('calls_userId_status_startedAt_id')
    .on('calls')
    .columns(['userId', 'status', 'startedAt', 'id'])
    .execute()
}
