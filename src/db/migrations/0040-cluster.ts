// What several nodes share: who they are. Column meanings are in cluster-rows.ts.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await nodes(db)
  await recordings(db)
  await deviceBindings(db)
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

/** The registrations of phones, for all nodes. Its changes are counted, so that a node reads only what is new. */
async function deviceBindings(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('deviceBindings')
    .addColumn('deviceId', 'text', (c) => c.notNull().references('devices.id').onDelete('cascade'))
    .addColumn('contact', 'text', (c) => c.notNull())
    .addColumn('target', 'text', (c) => c.notNull())
    .addColumn('params', 'text', (c) => c.notNull())
    .addColumn('callId', 'text', (c) => c.notNull())
    .addColumn('cseq', 'bigint', (c) => c.notNull())
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('userAgent', 'text')
    .addColumn('transport', 'text', (c) => c.notNull())
    .addColumn('remoteAddress', 'text', (c) => c.notNull())
    .addColumn('remotePort', 'integer', (c) => c.notNull())
    .addColumn('nodeName', 'text', (c) => c.notNull())
    .addColumn('processId', 'text', (c) => c.notNull())
    .addColumn('credential', 'text', (c) => c.notNull())
    .addColumn('registeredAt', 'text', (c) => c.notNull())
    .addColumn('expiresAt', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('deviceBindings_pk', ['deviceId', 'contact'])
    .execute()
  await db.schema.createIndex('deviceBindings_version').on('deviceBindings').column('version').execute()
  await sql`insert into ${sql.table('changeCounters')} (name, value) values ('bindings', 0)`.execute(db)
}
