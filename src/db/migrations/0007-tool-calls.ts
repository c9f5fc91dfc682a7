// Tool calls of conversations: one row each, written before the call runs. Column meanings are in tables.ts.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('toolCalls')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('userId', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('conversationId', 'text', (c) => c.notNull().references('conversations.id').onDelete('cascade'))
    .addColumn('callId', 'text', (c) => c.references('calls.id').onDelete('set null'))
    .addColumn('toolId', 'text')
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('arguments', 'text', (c) => c.notNull())
    .addColumn('dedupeKey', 'text', (c) => c.notNull())
    .addColumn('argumentsKey', 'text', (c) => c.notNull())
    .addColumn('hasEffect', 'integer', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('result', 'text')
    .addColumn('error', 'text')
    .addColumn('variables', 'text')
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('startedAt', 'text', (c) => c.notNull())
    .addColumn('endedAt', 'text')
    .addColumn('durationMs', 'integer')
    .addColumn('leaseUntil', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('toolCalls_conversationId_dedupeKey')
    .on('toolCalls')
    .columns(['conversationId', 'dedupeKey'])
    .unique()
    .execute()
  for (const on of [['userId'], ['conversationId', 'argumentsKey'], ['callId'], ['status', 'leaseUntil']])
    await db.schema
      .createIndex(`toolCalls_${on.join('_')}`)
      .on('toolCalls')
      .columns(on)
      .execute()
}
