// Unsaved changes of an agent for one web call, stored between its token and its start. Column meanings are in usage-rows.ts.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('callDrafts')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('userId', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('draft', 'text', (c) => c.notNull())
    .addColumn('expiresAt', 'text', (c) => c.notNull())
    .execute()
  for (const column of ['userId', 'expiresAt'])
    await db.schema.createIndex(`callDrafts_${column}`).on('callDrafts').column(column).execute()
}
