// Recordings have a disk and a status; removed agents and users are hidden first and purged in batches. Column meanings are in tables.ts.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of ['recordingNode', 'recordingStatus', 'recordingError'])
    await db.schema.alterTable('calls').addColumn(name, 'text').execute()
  for (const table of ['agents', 'users']) await db.schema.alterTable(table).addColumn('removedAt', 'text').execute()
  await db.schema
    .createTable('recordingRemovals')
    .addColumn('node', 'text', (c) => c.notNull())
    .addColumn('file', 'text', (c) => c.notNull())
    .addColumn('tries', 'integer', (c) => c.notNull())
    .addColumn('dueAt', 'text', (c) => c.notNull())
    .addColumn('error', 'text')
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('recordingRemovals_key', ['node', 'file'])
    .execute()
  await db.schema
    .createIndex('recordingRemovals_node_dueAt')
    .on('recordingRemovals')
    .columns(['node', 'dueAt'])
    .execute()
  // Used to find the deliveries of removed calls.
  await db.schema.createIndex('webhookDeliveries_orderKey').on('webhookDeliveries').column('orderKey').execute()
  // Nearly always empty, and part of nearly every read.
  await sql`create index "agents_removed" on agents (id) where "removedAt" is not null`.execute(db)
  await sql`create index "users_removed" on users (id) where "removedAt" is not null`.execute(db)
  await sql`create index "calls_recording_now" on calls ("recordingNode") where "recordingStatus" = 'recording'`.execute(
    db,
  )
}
