// Daily usage of members, tool tests, one-time tokens, and one device per WhatsApp number. Column meanings are in tables.ts.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('usages')
    .addColumn('userId', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('day', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('amount', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('usages_once', ['userId', 'day', 'kind'])
    .execute()
  await db.schema.createIndex('usages_day').on('usages').column('day').execute()

  await db.schema
    .createTable('toolTests')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('userId', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('toolId', 'text', (c) => c.notNull().references('tools.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('error', 'text')
    .addColumn('startedAt', 'text', (c) => c.notNull())
    .addColumn('durationMs', 'integer')
    .execute()
  for (const on of [['userId'], ['toolId', 'startedAt'], ['startedAt']])
    await db.schema
      .createIndex(`toolTests_${on.join('_')}`)
      .on('toolTests')
      .columns(on)
      .execute()

  await db.schema
    .createTable('spentTokens')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('expiresAt', 'text', (c) => c.notNull())
    .execute()

  // Where several devices have one number, an administrator's keeps it, or else the oldest.
  const devices = sql.table('devices')
  const lastError = 'This WhatsApp number belongs to another device'
  await sql`
    update ${devices} set "farId" = null, "trunkSealed" = null, "dueAt" = null, status = 'error', "lastError" = ${lastError}
    where driver = 'whatsapp' and "farId" is not null and id in (
      select ranked.id from (
        select d.id, row_number() over (
          partition by d."farId"
          order by case u.role when 'admin' then 0 else 1 end, d."createdAt", d.id
        ) as place
        from devices d join users u on u.id = d."userId"
        where d.driver = 'whatsapp' and d."farId" is not null
      ) ranked where ranked.place > 1
    )`.execute(db)
  // Only for the operator's account: with accounts of their own, two users' devices may have the same id at a remote gateway.
  await sql`create unique index "devices_whatsapp_number" on ${devices} ("farId") where driver = 'whatsapp'`.execute(db)
}
