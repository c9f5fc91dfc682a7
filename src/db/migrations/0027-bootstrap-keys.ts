// API keys from BOOTSTRAP_API_KEY are marked by a column; their name marked them before.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('apiKeys')
    .addColumn('isBootstrap', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await sql`update ${sql.table('apiKeys')} set ${sql.ref('isBootstrap')} = 1 where name = 'bootstrap'`.execute(db)
}
