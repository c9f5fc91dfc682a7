// Post-call analyses of conversations, and their queue. Column meanings are in tables.ts.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of ['analysis', 'analysisStatus', 'analysisDueAt'])
    await db.schema.alterTable('conversations').addColumn(name, 'text').execute()
  await db.schema
    .alterTable('conversations')
    .addColumn('analysisTries', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createIndex('conversations_analysisStatus_analysisDueAt')
    .on('conversations')
    .columns(['analysisStatus', 'analysisDueAt'])
    .execute()
}
