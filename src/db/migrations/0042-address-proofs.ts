// Which addresses were proved to be a trunk's, and whether its target was set with full access; when a campaign last began to run; the line
// of an imported row in its file.
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
  await db.schema.alterTable('campaigns').addColumn('resumedAt', 'text').execute()
  await sql`update campaigns set ${sql.ref('resumedAt')} = ${sql.ref('updatedAt')} where status = 'running'`.execute(db)
  await db.schema.alterTable('campaignListRows').addColumn('line', 'integer').execute()
}
