// Which addresses were proved to be a trunk's, and whether its target was set with full access; which calls are tests; when a campaign last
// began to run; the line of an imported row in its file.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('trunks')
    .addColumn('addressProofs', 'text', (c) => c.notNull().defaultTo('{}'))
    .execute()
  // Trunks of before keep the networks that they reach.
  await db.schema
    .alterTable('trunks')
    .addColumn('mayReachPrivate', 'integer', (c) => c.notNull().defaultTo(1))
    .execute()
  await db.schema
    .alterTable('calls')
    .addColumn('isTest', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  // A test call's metadata always ended with this key.
  await sql`update calls set "isTest" = 1 where metadata like '%"isTest":true}'`.execute(db)
  // Few of very many calls are tests.
  await sql`create index "calls_tests" on calls ("userId", "startedAt", id) where "isTest" = 1`.execute(db)
  await db.schema.alterTable('campaigns').addColumn('resumedAt', 'text').execute()
  await sql`update campaigns set ${sql.ref('resumedAt')} = ${sql.ref('updatedAt')} where status = 'running'`.execute(db)
  await db.schema.alterTable('campaignListRows').addColumn('line', 'integer').execute()
}
