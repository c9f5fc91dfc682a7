// Latency of each stage of a call's turns. Column meanings are in tables.ts.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('callTurns')
    .addColumn('callId', 'text', (c) => c.primaryKey().references('calls.id').onDelete('cascade'))
    .addColumn('turns', 'text', (c) => c.notNull())
    .execute()
}
