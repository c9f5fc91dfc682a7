// Which process runs a call, or ran it: its recording lies there. Column meanings are in tables.ts.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('calls').addColumn('nodeId', 'text').execute()
}
