// Organizations own the records; people are their members. Every user becomes the owner of an organization of one with
// the user's own id, so that seals, hashes, leases and every owner column stay valid. Column meanings are in
// people-rows.ts.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

/** A person who is added, also by the previous release while both run, gets an organization of their own. */
const home = `
  insert into organizations (id, name, "createdAt", "disabledAt") values (new.id, new.name, new."createdAt", null);
  insert into members ("organizationId", "personId", role, "mayListen", "mayExport", "createdAt")
    values (new.id, new.id, 'owner', 0, 0, new."createdAt");`
const bump = `update "changeCounters" set value = value + 1 where name = 'phone'`

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('organizations')
    // Each is also a row of users: the owner columns refer to that table.
    .addColumn('id', 'text', (c) => c.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addColumn('disabledAt', 'text')
    .execute()
  await db.schema
    .createTable('members')
    .addColumn('organizationId', 'text', (c) => c.notNull().references('organizations.id').onDelete('cascade'))
    .addColumn('personId', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('role', 'text', (c) => c.notNull())
    .addColumn('mayListen', 'integer', (c) => c.notNull())
    .addColumn('mayExport', 'integer', (c) => c.notNull())
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('members_key', ['organizationId', 'personId'])
    .execute()
  await db.schema.createIndex('members_personId').on('members').column('personId').execute()
  await db.schema
    .alterTable('users')
    .addColumn('isPerson', 'integer', (c) => c.notNull().defaultTo(1))
    .execute()
  await db.schema.alterTable('users').addColumn('lastOrganizationId', 'text').execute()
  await db.schema.alterTable('apiKeys').addColumn('createdBy', 'text').execute()
  await db.schema.alterTable('invitations').addColumn('organizationId', 'text').execute()
  await db.schema.alterTable('invitations').addColumn('memberRole', 'text').execute()

  await sql`insert into organizations (id, name, "createdAt", "disabledAt")
    select id, name, "createdAt", "disabledAt" from users where "removedAt" is null`.execute(db)
  await sql`insert into members ("organizationId", "personId", role, "mayListen", "mayExport", "createdAt")
    select id, id, 'owner', 0, 0, "createdAt" from organizations`.execute(db)
  await sql`update "apiKeys" set "createdBy" = "userId"`.execute(db)
  await addTriggers(db)
}

async function addTriggers(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const run = (text: string) => sql.raw(text).execute(db)
  if (isPostgres)
    await run(
      `create or replace function "makeHome"() returns trigger language plpgsql as $$ begin ${home} return null; end $$`,
    )
  const action = isPostgres ? `execute function "makeHome"()` : `begin ${home} end`
  await run(`create trigger "users_home" after insert on users for each row when (new."isPerson" = 1) ${action}`)
  // The phone reloads its trunks and devices when an organization is disabled or enabled (migration 0028).
  const isOther = `old."disabledAt" ${isPostgres ? 'is distinct from' : 'is not'} new."disabledAt"`
  const count = isPostgres ? `execute function "countPhoneChange"()` : `begin ${bump}; end`
  await run(
    `create trigger "organizations_disabled_counted" after update on organizations for each row when (${isOther}) ${count}`,
  )
}
