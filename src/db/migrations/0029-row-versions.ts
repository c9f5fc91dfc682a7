// The version of each record that users edit: incremented with every change of a field that they can write.
import type { Kysely } from 'kysely'

const tables = ['agents', 'tools', 'trunks', 'dids', 'knowledgeBases', 'webhooks', 'devices', 'spreadsheets'] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of tables)
    await db.schema
      .alterTable(table)
      .addColumn('rowVersion', 'integer', (c) => c.notNull().defaultTo(1))
      .execute()
}
