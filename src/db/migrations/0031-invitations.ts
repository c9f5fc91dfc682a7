// Users can be invited and disabled; rehearsals can be saved. Column meanings are in tables.ts and people-rows.ts.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

const bump = `update "changeCounters" set value = value + 1 where name = 'phone'`

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['disabledAt', 'lastSignInAt'])
    await db.schema.alterTable('users').addColumn(column, 'text').execute()
  await countDisabling(db)

  await db.schema
    .createTable('invitations')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('userId', 'text', (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('email', 'text')
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('role', 'text', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull().unique())
    .addColumn('createdBy', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addColumn('expiresAt', 'text', (c) => c.notNull())
    .execute()

  await db.schema
    .createTable('rehearsalScripts')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('userId', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('agentId', 'text', (c) => c.notNull().references('agents.id').onDelete('cascade'))
    // What the caller said is stored no longer here than in the call itself.
    .addColumn('callId', 'text', (c) => c.references('calls.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('script', 'text', (c) => c.notNull())
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addColumn('updatedAt', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .alterTable('rehearsals')
    .addColumn('scriptId', 'text', (c) => c.references('rehearsalScripts.id').onDelete('set null'))
    .execute()
  await db.schema.alterTable('rehearsals').addColumn('script', 'text').execute()

  const indexes = {
    invitations: [['userId'], ['createdBy']],
    rehearsalScripts: [['userId', 'createdAt', 'id'], ['agentId'], ['callId']],
    rehearsals: [['scriptId', 'id']],
  }
  for (const [table, all] of Object.entries(indexes))
    for (const on of all)
      await db.schema
        .createIndex(`${table}_${on.join('_')}`)
        .on(table)
        .columns(on)
        .execute()
}

/** The phone reloads its trunks and devices when a user is disabled or enabled (migration 0028). */
async function countDisabling(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const isOther = `old."disabledAt" ${isPostgres ? 'is distinct from' : 'is not'} new."disabledAt"`
  const action = isPostgres ? `execute function "countPhoneChange"()` : `begin ${bump}; end`
  await sql
    .raw(`create trigger "users_disabled_counted" after update on users for each row when (${isOther}) ${action}`)
    .execute(db)
}
