// What several nodes share: who they are. Column meanings are in cluster-rows.ts.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await nodes(db)
  await recordings(db)
}

async function nodes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('nodes')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('processId', 'text', (c) => c.notNull())
    .addColumn('address', 'text')
    .addColumn('release', 'text', (c) => c.notNull())
    .addColumn('schema', 'text', (c) => c.notNull())
    .addColumn('calls', 'integer', (c) => c.notNull())
    .addColumn('maxCalls', 'integer')
    .addColumn('busy', 'double precision', (c) => c.notNull())
    .addColumn('isDraining', 'integer', (c) => c.notNull())
    .addColumn('startedAt', 'text', (c) => c.notNull())
    .addColumn('leaseUntil', 'text', (c) => c.notNull())
    .execute()
}

/** The recordings that a disk still holds are searched for, to be uploaded. */
async function recordings(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('calls_recordingNode').on('calls').columns(['recordingNode', 'id']).execute()
}
