// Named leases: which process is the leader for a task, and until when. Column meanings are in tables.ts.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('leases')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('holder', 'text', (c) => c.notNull())
    .addColumn('leaseUntil', 'text', (c) => c.notNull())
    .execute()
  await sql`delete from meta where name = 'trunk-keeper'`.execute(db)
}
