// Roles: the oldest user becomes the administrator, all others members. Column meanings are in tables.ts.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('role', 'text', (c) => c.notNull().defaultTo('member'))
    .execute()
  await sql`update users set role = 'admin' where id = (select id from users order by "createdAt", id limit 1)`.execute(
    db,
  )
}
