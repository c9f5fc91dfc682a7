// Which addresses were proved to be a trunk's, and whether its target was set with full access.
import type { Kysely } from 'kysely'

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
}
