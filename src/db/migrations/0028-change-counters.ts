// Triggers that count changes of trunks, devices and administrators in the writing transaction, so that no writer can forget it.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

const bump = `update "changeCounters" set value = value + 1 where name = 'phone'`
/** Status and last-seen times change without updatedAt, and are not counted. */
const triggers = [
  { table: 'trunks', column: 'updatedAt' },
  { table: 'devices', column: 'updatedAt' },
  { table: 'users', column: 'role' },
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('changeCounters')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('value', 'integer', (c) => c.notNull())
    .execute()
  await sql`insert into ${sql.table('changeCounters')} (name, value) values ('phone', 0)`.execute(db)
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  if (isPostgres)
    await sql
      .raw(
        `create or replace function "countPhoneChange"() returns trigger language plpgsql as $$ begin ${bump}; return null; end $$`,
      )
      .execute(db)
  for (const { table, column } of triggers)
    for (const event of ['insert', 'update', 'delete']) {
      const isOther = `old."${column}" ${isPostgres ? 'is distinct from' : 'is not'} new."${column}"`
      const when = event === 'update' ? `when (${isOther})` : ''
      const action = isPostgres ? `execute function "countPhoneChange"()` : `begin ${bump}; end`
      await sql
        .raw(`create trigger "${table}_${event}_counted" after ${event} on ${table} for each row ${when} ${action}`)
        .execute(db)
    }
}
