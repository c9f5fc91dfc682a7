// Migrates the database at start: forward only, in one transaction, one process at a time.
import { type Kysely, sql } from 'kysely'
import { now } from '../base/clock.ts'
import * as start from './migrations/0001-start.ts'
import * as phone from './migrations/0002-phone.ts'
import * as turns from './migrations/0003-turns.ts'
import * as answeredBy from './migrations/0004-answered-by.ts'
import * as analysis from './migrations/0005-analysis.ts'
import * as rehearsals from './migrations/0006-rehearsals.ts'
import * as toolCalls from './migrations/0007-tool-calls.ts'
import * as knowledge from './migrations/0008-knowledge.ts'
import * as spreadsheets from './migrations/0009-spreadsheets.ts'
import * as gateway from './migrations/0010-gateway.ts'
import * as sessions from './migrations/0011-sessions.ts'
import * as events from './migrations/0012-events.ts'
import * as callsByStatus from './migrations/0013-calls-by-status.ts'
import * as secondFactor from './migrations/0014-second-factor.ts'
import * as roles from './migrations/0015-roles.ts'
import * as budgets from './migrations/0016-budgets.ts'
import * as callNode from './migrations/0017-call-node.ts'
import * as trunkSecretOrigin from './migrations/0018-trunk-secret-origin.ts'
import * as toolSecretOrigin from './migrations/0019-tool-secret-origin.ts'
import * as idempotencyLease from './migrations/0020-idempotency-lease.ts'
import * as conversationVariables from './migrations/0021-conversation-variables.ts'
import * as recordings from './migrations/0024-recordings.ts'
import * as externalIds from './migrations/0025-external-ids.ts'
import * as leases from './migrations/0026-leases.ts'
import * as bootstrapKeys from './migrations/0027-bootstrap-keys.ts'
import * as changeCounters from './migrations/0028-change-counters.ts'
import * as rowVersions from './migrations/0029-row-versions.ts'
import * as providers from './migrations/0030-providers.ts'
import * as invitations from './migrations/0031-invitations.ts'
import * as widgets from './migrations/0032-widgets.ts'
import * as listOrders from './migrations/0033-list-orders.ts'
import * as agentDrafts from './migrations/0034-agent-drafts.ts'
import * as providerKinds from './migrations/0035-provider-kinds.ts'
import * as callbacks from './migrations/0036-callbacks.ts'
import * as answerHooks from './migrations/0037-answer-hooks.ts'
import * as trunkHeaders from './migrations/0038-trunk-headers.ts'
import * as campaigns from './migrations/0039-campaigns.ts'
import type { Tables } from './tables.ts'

const migrations = [
  { name: '0001-start', up: start.up },
  { name: '0002-phone', up: phone.up },
  { name: '0003-turns', up: turns.up },
  { name: '0004-answered-by', up: answeredBy.up },
  { name: '0005-analysis', up: analysis.up },
  { name: '0006-rehearsals', up: rehearsals.up },
  { name: '0007-tool-calls', up: toolCalls.up },
  { name: '0008-knowledge', up: knowledge.up },
  { name: '0009-spreadsheets', up: spreadsheets.up },
  { name: '0010-gateway', up: gateway.up },
  { name: '0011-sessions', up: sessions.up },
  { name: '0012-events', up: events.up },
  { name: '0013-calls-by-status', up: callsByStatus.up },
  { name: '0014-second-factor', up: secondFactor.up },
  { name: '0015-roles', up: roles.up },
  { name: '0016-budgets', up: budgets.up },
  { name: '0017-call-node', up: callNode.up },
  { name: '0018-trunk-secret-origin', up: trunkSecretOrigin.up },
  { name: '0019-tool-secret-origin', up: toolSecretOrigin.up },
  { name: '0020-idempotency-lease', up: idempotencyLease.up },
  { name: '0021-conversation-variables', up: conversationVariables.up },
  { name: '0024-recordings', up: recordings.up },
  { name: '0025-external-ids', up: externalIds.up },
  { name: '0026-leases', up: leases.up },
  { name: '0027-bootstrap-keys', up: bootstrapKeys.up },
  { name: '0028-change-counters', up: changeCounters.up },
  { name: '0029-row-versions', up: rowVersions.up },
  { name: '0030-providers', up: providers.up },
  { name: '0031-invitations', up: invitations.up },
  { name: '0032-widgets', up: widgets.up },
  { name: '0033-list-orders', up: listOrders.up },
  { name: '0034-agent-drafts', up: agentDrafts.up },
  { name: '0035-provider-kinds', up: providerKinds.up },
  { name: '0036-callbacks', up: callbacks.up },
  { name: '0037-answer-hooks', up: answerHooks.up },
  { name: '0038-trunk-headers', up: trunkHeaders.up },
  { name: '0039-campaigns', up: campaigns.up },
] as const

/** The newest migration of this version; stored in backups. */
export const schemaVersion = migrations[migrations.length - 1]?.name ?? ''

type Applied = { migrations: { name: string; appliedAt: string } }

const LOCK = 7262_3000 // any number, the same in every process

export async function migrate(database: Kysely<Tables>, isPostgres: boolean): Promise<void> {
  await database.transaction().execute(async (trx) => {
    // On SQLite the transaction holds the write lock from its start.
    if (isPostgres) await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(trx)
    await migrateWithin(trx)
  })
}

/** Within the caller's transaction. `upTo`: the last migration to apply. */
export async function migrateWithin(database: Kysely<Tables>, upTo: string = schemaVersion): Promise<void> {
  const trx = database as unknown as Kysely<Applied>
  await trx.schema
    .createTable('migrations')
    .ifNotExists()
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('appliedAt', 'text', (c) => c.notNull())
    .execute()
  const applied = new Set((await trx.selectFrom('migrations').select('name').execute()).map((row) => row.name))
  const newer = [...applied].filter((name) => !isKnownSchema(name))
  if (newer.length > 0) throw new Error(`The database is newer than this program (${newer.join(', ')}); update Ramal`)
  for (const migration of migrations) {
    if (!applied.has(migration.name)) {
      await migration.up(trx as unknown as Kysely<unknown>)
      await trx.insertInto('migrations').values({ name: migration.name, appliedAt: now() }).execute()
    }
    if (migration.name === upTo) return
  }
}

export const isKnownSchema = (name: string): boolean => migrations.some((migration) => migration.name === name)

/** Drops every table, so that migrations start from the first. */
export async function dropTables(trx: Kysely<Tables>, names: readonly string[]): Promise<void> {
  for (const name of [...names, 'migrations']) await trx.schema.dropTable(name).ifExists().execute()
}
