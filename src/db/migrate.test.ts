// Migrations preserve all data of older versions.
// @run gate-postgres
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { newPostgresDatabase, testConfig } from '../../test/app.ts'
import { aCall } from '../../test/call-rows.ts'
import { until } from '../../test/until.ts'
import { openDatabase } from './database.ts'
import * as start from './migrations/0001-start.ts'
import { migrationNames } from './migrations/names.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'
import type { AgentRow } from './tables.ts'

test('calls of the first version survive the migrations and are still deleted with their agent', async () => {
  const { database: config } = await testConfig()
  const old = config.kind === 'postgres' ? openPostgres(config.url, () => {}) : openSqlite(config.path)
  await start.up(old as unknown as Kysely<unknown>)
  await sql`create table migrations (name text primary key, "appliedAt" text not null)`.execute(old)
  await sql`insert into migrations values ('0001-start', 'then')`.execute(old)
  const at = '2026-01-01T00:00:00.000Z'
  await sql`insert into users (id, name, "createdAt") values ('usr', 'ana', ${at})`.execute(old)
  const agent = {
    systemPrompt: 'x',
    direction: 'both',
    language: 'pt-BR',
    ttsProvider: 'provider_a',
    isActive: 1,
  } as const
  const nothing = { description: null, voiceId: null, initialSpeech: null, llmConfig: null, provider_aConfig: null }
  const row = {
    id: 'agt',
    userId: 'usr',
    name: 'a',
    ...agent,
    ...nothing,
    settings: null,
    createdAt: at,
    updatedAt: at,
  }
  await old
    .insertInto('agents')
    .values(row as AgentRow)
    .execute()
  const own = { userId: 'usr', agentId: 'agt' }
  const calls = [
    aCall(own),
    aCall({ ...own, sipCode: 486, metadata: '{"from":{"isTest":true}}' }),
    aCall({ ...own, metadata: '{"from":"editor","isTest":true}', isTest: 1 }),
  ]
  // Columns that were added later.
  const older = calls.map(
    ({
      answeredBy,
      nodeId,
      recordingNode,
      recordingStatus,
      recordingError,
      talkSeconds,
      headers,
      via,
      attemptId,
      isTest,
      ...call
    }) => call,
  )
  await old
    .insertInto('calls')
    .values(older as typeof calls)
    .execute()
  await old.destroy()

  const { db, close } = await openDatabase(config, () => {})
  try {
    const byId = (a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id)
    assert.deepEqual((await db.selectFrom('calls').selectAll().execute()).sort(byId), calls.sort(byId))
    await db
      .insertInto('calls')
      .values({ ...aCall({ userId: 'usr', agentId: 'agt' }), agentId: null })
      .execute()
    const [{ id: callId } = { id: '' }] = calls
    await db.insertInto('callLadders').values({ callId, entries: '[]' }).execute()
    await db.deleteFrom('agents').execute()
    assert.equal(
      (await db.selectFrom('calls').select('id').execute()).length,
      1,
      'only the one without an agent is left',
    )
    assert.deepEqual(await db.selectFrom('callLadders').selectAll().execute(), [])
  } finally {
    await close()
  }
})

test('on PostgreSQL, processes that start at the same time migrate once', async () => {
  const config = { kind: 'postgres', url: await newPostgresDatabase({ isMigrated: false }) } as const
  const opened = await Promise.all(Array.from({ length: 3 }, () => openDatabase(config, () => {})))
  for (const { db, close } of opened) {
    assert.deepEqual(await db.selectFrom('users').select('id').execute(), [])
    await close()
  }
})

test('on PostgreSQL a migration may take longer than a statement of a request', async (t) => {
  const url = await newPostgresDatabase({ isMigrated: true })
  const other = openPostgres(url, () => {})
  t.after(() => other.destroy())
  // Another node is migrating.
  const isOver = Promise.withResolvers<void>()
  const migrating = other.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(72623000)`.execute(trx)
    await isOver.promise
  })
  let isSettled = false
  const opening = openDatabase({ kind: 'postgres', url }, () => {}).finally(() => {
    isSettled = true
  })
  const waits = sql<{ seconds: number }>`select extract(epoch from clock_timestamp() - query_start)::float8 as seconds
    from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`
  const hasWaited = async () => ((await waits.execute(other)).rows[0]?.seconds ?? 0) > 10.5
  await until('it has waited for longer than that', async () => isSettled || (await hasWaited()), 30_000)
  isOver.resolve()
  await migrating
  await (await opening).close()
})

test('migrations since rolling updates leave what the previous release uses in place', () => {
  const changes =
    /dropTable|dropColumn|dropIndex|renameTo|renameColumn|setNotNull|setDataType|drop (table|column)|rename (to|column)/i
  const since = migrationNames.filter((name) => name >= '0040')
  assert.ok(since.length > 0)
  for (const name of since) {
    const text = readFileSync(new URL(`./migrations/${name}.ts`, import.meta.url), 'utf8')
    assert.doesNotMatch(text, changes, `${name}: drop or rename one release after the last one that uses it`)
    // A column added to a table in use must be nullable or have a default, because the previous release does not write
    // it.
    for (const [, column = ''] of text.matchAll(/alterTable[^\n]*addColumn\(([^\n]*)/g))
      assert.ok(!/notNull/.test(column) || /defaultTo/.test(column), `${name}: ${column}`)
  }
})
