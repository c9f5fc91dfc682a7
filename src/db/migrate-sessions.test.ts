// Migration 0011: stored idempotent responses survive, and sessions can have them too.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { testConfig } from '../../test/app.ts'
import { openDatabase } from './database.ts'
import * as start from './migrations/0001-start.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

test('stored idempotent responses survive the migration, and sessions can have them too', async () => {
  const { database: config } = await testConfig()
  const old = config.kind === 'postgres' ? openPostgres(config.url, () => {}) : openSqlite(config.path)
  await start.up(old as unknown as Kysely<unknown>)
  await sql`create table migrations (name text primary key, "appliedAt" text not null)`.execute(old)
  await sql`insert into migrations values ('0001-start', 'then')`.execute(old)
  const at = '2026-01-01T00:00:00.000Z'
  await sql`insert into users (id, name, email, "createdAt") values ('usr', 'ana', 'Ana@x', ${at})`.execute(old)
  const key = { id: 'key', userId: 'usr', name: 'k', hash: 'h', prefix: 'p', rateLimit: 1, isActive: 1 as const }
  const oldKeys = old as unknown as Kysely<{ apiKeys: typeof key & { createdAt: string } }>
  await oldKeys
    .insertInto('apiKeys')
    .values({ ...key, createdAt: at })
    .execute()
  const kept = {
    idempotencyKey: 'one',
    fingerprint: 'f',
    statusCode: 201,
    answerSealed: 's',
    createdAt: at,
    lockedUntil: at,
  }
  await old
    .insertInto('idempotency')
    .values({ keyId: 'key', ...kept })
    .execute()
  await old.destroy()

  const { db, close } = await openDatabase(config, () => {})
  try {
    const now = await db.selectFrom('idempotency').selectAll().execute()
    assert.deepEqual(now, [{ keyId: 'key', ...kept, holder: null }])
    const ofSession = { keyId: 'ses_1', ...kept, holder: null }
    await db.insertInto('idempotency').values(ofSession).execute()
    await assert.rejects(db.insertInto('idempotency').values(ofSession).execute(), 'once is still once')
    // Two users may have the same e-mail address if only one of them has a password.
    assert.equal(
      (await db.selectFrom('users').select('role').executeTakeFirstOrThrow()).role,
      'admin',
      'the oldest user runs the platform',
    )
    const twin = { id: 'usr2', name: 'ana', email: 'Ana@x', role: 'member' as const, createdAt: at }
    await db.insertInto('users').values(twin).execute()
    await db.updateTable('users').set({ passwordHash: 'x' }).where('id', '=', 'usr').execute()
    await assert.rejects(db.updateTable('users').set({ passwordHash: 'x' }).where('id', '=', 'usr2').execute())
  } finally {
    await close()
  }
})
