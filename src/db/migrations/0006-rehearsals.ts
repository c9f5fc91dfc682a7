// Rehearsals and their outcomes. Column meanings are in tables.ts.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('rehearsals')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('userId', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('agentId', 'text', (c) => c.notNull().references('agents.id').onDelete('cascade'))
    // The caller's speech is stored no longer here than in the call itself.
    .addColumn('replayOf', 'text', (c) => c.references('calls.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('mode', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('checksPassed', 'integer', (c) => c.notNull())
    .addColumn('checksFailed', 'integer', (c) => c.notNull())
    .addColumn('durationMs', 'integer')
    .addColumn('outcome', 'text')
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addColumn('endedAt', 'text')
    .execute()
  for (const on of [['userId', 'createdAt', 'id'], ['agentId'], ['replayOf']])
    await db.schema
      .createIndex(`rehearsals_${on.join('_')}`)
      .on('rehearsals')
      .columns(on)
      .execute()
}
