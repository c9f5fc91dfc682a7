// What several nodes share: who they are, and what they count together. Column meanings are in cluster-rows.ts.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await nodes(db)
  await recordings(db)
  await callSlots(db)
  await rateWindows(db)
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

/** Acquiring a slot is one statement. In a function each query sees what was committed before the lock was granted. */
const acquireCallSlot = `
create or replace function "acquireCallSlot"(
  "newId" text, "newHolder" text, "newUser" text, "newTrunk" text, "newDevice" text,
  "maxUser" integer, "maxTrunk" integer, "maxDevice" integer, "countsDead" boolean
) returns text language plpgsql as $$
declare
  "ofUser" bigint;
  "ofTrunk" bigint;
  "ofDevice" bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('callSlots ' || "newUser", 0));
  select count(*), count(*) filter (where "trunkId" = "newTrunk"), count(*) filter (where "deviceId" = "newDevice")
    into "ofUser", "ofTrunk", "ofDevice"
    from "callSlots"
    where "userId" = "newUser" and ("countsDead" or holder = "newHolder" or holder in (
      select "processId" from nodes
      where "leaseUntil" > to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')));
  if "ofUser" >= "maxUser" then return 'user'; end if;
  if "ofTrunk" >= "maxTrunk" then return 'trunk'; end if;
  if "ofDevice" >= "maxDevice" then return 'device'; end if;
  insert into "callSlots" (id, holder, "userId", "trunkId", "deviceId")
    values ("newId", "newHolder", "newUser", "newTrunk", "newDevice");
  return null;
end $$`

async function callSlots(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('callSlots')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('holder', 'text', (c) => c.notNull())
    .addColumn('userId', 'text', (c) => c.notNull())
    .addColumn('trunkId', 'text')
    .addColumn('deviceId', 'text')
    .execute()
  for (const column of ['userId', 'holder'])
    await db.schema.createIndex(`callSlots_${column}`).on('callSlots').column(column).execute()
  if (db.getExecutor().adapter instanceof PostgresAdapter) await sql.raw(acquireCallSlot).execute(db)
}

async function rateWindows(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('rateWindows')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('purpose', 'text', (c) => c.notNull())
    .addColumn('times', 'text', (c) => c.notNull())
    .addColumn('expiresAt', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('rateWindows_expiresAt').on('rateWindows').column('expiresAt').execute()
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
