// Migrates the database at startup: forward only, in one transaction, one process at a time.
import { type Kysely, sql } from 'kysely'
import { now } from '../base/time/clock.ts'
import { migrationNames } from './migrations/names.ts'
import type { Tables } from './tables.ts'

/** This version's newest migration; stored in backups. */
export const schemaVersion: string = migrationNames.at(-1) ?? ''

type Applied = { migrations: { name: string; appliedAt: string } }

const LOCK = 7262_3000 // any number, the same in every process

/** A migration keeps the previous release working, so that nodes can be updated one by one. */
const MAX_STEPS_BEHIND = 1

/** Returns migrations in the database that only the next release knows. */
export async function migrate(database: Kysely<Tables>, isPostgres: boolean): Promise<string[]> {
  return database.transaction().execute(async (trx) => {
    // On SQLite the transaction holds the write lock from its start.
    if (isPostgres) await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(trx)
    return migrateWithin(trx)
  })
}

/** Runs within the caller's transaction. `upTo`: the last migration to apply. */
export async function migrateWithin(database: Kysely<Tables>, upTo: string = schemaVersion): Promise<string[]> {
  const trx = database.withTables<Applied>()
  await trx.schema
    .createTable('migrations')
    .ifNotExists()
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('appliedAt', 'text', (c) => c.notNull())
    .execute()
  const applied = new Set((await trx.selectFrom('migrations').select('name').execute()).map((row) => row.name))
  const newer = [...applied].filter((name) => !isKnownSchema(name)).sort()
  if (newer.length > MAX_STEPS_BEHIND)
    throw new Error(
      `The database is ${newer.length} schema steps ahead of this release (${newer.join(', ')}), which supports one; update Ramal`,
    )
  for (const name of migrationNames) {
    if (!applied.has(name)) {
      const { migrations } = await import('./migrations/all.ts')
      await migrations[name](trx as Kysely<unknown>)
      await trx.insertInto('migrations').values({ name, appliedAt: now() }).execute()
    }
    if (name === upTo) break
  }
  return newer
}

export const isKnownSchema = (name: string): boolean => migrationNames.some((known) => known === name)

/** Drops every table, so that migrations start from the beginning. */
export async function dropTables(trx: Kysely<Tables>, names: readonly string[]): Promise<void> {
  for (const name of [...names, 'migrations']) await trx.schema.dropTable(name).ifExists().execute()
}
