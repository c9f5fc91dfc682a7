// Backups across versions: an older one is restored into the schema of its time and migrated; a newer one is rejected.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { atEnd, testConfig } from '../../test/app.ts'
import type { Config } from '../config/config.ts'
import { restoreBackup, writeBackup } from './backup.ts'
import { type Db, openDatabase } from './database.ts'
import { migrateWithin } from './migrate.ts'
import { nodeRows, requireStopped } from './nodes.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'
import { dbTime } from './time.ts'

const AT = '2026-01-01T00:00:00.000Z'
const OLD = '0009-spreadsheets'
const oldTables = ['users', 'agents', 'calls', 'spreadsheets', 'spreadsheetRows', 'meta'] as const
const fine = async () => {}

const bare = ({ database }: Config): Db =>
  database.kind === 'postgres' ? openPostgres(database.url, () => {}) : openSqlite(database.path)

async function opened() {
  const config = await testConfig()
  const database = await openDatabase(config.database, () => {})
  atEnd(() => database.close())
  return { ...database, file: join(config.dataDir, 'backup.gz') }
}

/** The rows of an old version's database, at least one of each kind. */
async function oldRows(): Promise<{ table: string; row: Record<string, unknown> }[]> {
  const old = bare(await testConfig())
  const insert = (table: string, row: Record<string, string | number>) =>
    sql`insert into ${sql.table(table)} (${sql.join(Object.keys(row).map((name) => sql.ref(name)))}) values (${sql.join(Object.values(row))})`.execute(
      old,
    )
  try {
    await old.inTransaction((trx) => migrateWithin(trx, OLD))
    await insert('users', { id: 'usr_1', name: 'ana', createdAt: AT })
    const agent = { systemPrompt: 'x', direction: 'both', language: 'pt-BR', ttsProvider: 'provider_a', isActive: 1 }
    await insert('agents', { id: 'agt_1', userId: 'usr_1', name: 'a', ...agent, createdAt: AT, updatedAt: AT })
    const call = { direction: 'inbound', status: 'completed', toNumber: '1', channel: 'sip', recording: 'cal_1.wav' }
    await insert('calls', { id: 'cal_1', userId: 'usr_1', agentId: 'agt_1', ...call, leaseUntil: AT, startedAt: AT })
    const sheet = { name: 's', columns: '["a"]', rowCount: 1, lastNumber: 1, version: 1, createdAt: AT, updatedAt: AT }
    await insert('spreadsheets', { id: 'sht_1', userId: 'usr_1', ...sheet })
    const cells = { number: 1, cells: '["ção"]', searchText: 'cao', createdAt: AT, updatedAt: AT }
    await insert('spreadsheetRows', { id: 'row_1', spreadsheetId: 'sht_1', ...cells })
    const all: { table: string; row: Record<string, unknown> }[] = []
    for (const table of oldTables)
      for (const row of (await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(old)).rows)
        all.push({ table, row })
    return all
  } finally {
    await old.destroy()
  }
}

function write(file: string, schema: string, rows: readonly object[]): void {
  const lines = [{ format: 'ramal backup 1', schema, createdAt: AT }, ...rows, { rows: rows.length }]
  writeFileSync(file, gzipSync(lines.map((line) => JSON.stringify(line)).join('\n')))
}

test('a backup of an older version is restored and migrated, including spreadsheet rows', async () => {
  const { db, file } = await opened()
  await db
    .insertInto('users')
    .values({ id: 'usr_x', name: 'gone', email: null, role: 'admin', passwordHash: null, createdAt: AT })
    .execute()
  const rows = await oldRows()
  assert.ok(!('recordingNode' in (rows.find(({ table }) => table === 'calls')?.row ?? {})), 'it is an old row')
  write(file, OLD, rows)
  assert.equal(await restoreBackup(db, file, fine), rows.length)
  const [user, other] = await db.selectFrom('users').selectAll().execute()
  assert.deepEqual([user?.id, user?.role, other], ['usr_1', 'admin', undefined], 'migrations ran on the restored rows')
  const call = await db.selectFrom('calls').selectAll().executeTakeFirstOrThrow()
  assert.deepEqual([call.recording, call.recordingNode, call.recordingStatus], ['cal_1.wav', null, null])
  const sheetRow = await db.selectFrom('spreadsheetRows').selectAll().executeTakeFirstOrThrow()
  assert.deepEqual([sheetRow.cells, sheetRow.searchText], ['["ção"]', 'cao'])
  // It is now a normal database: another backup and restore changes nothing.
  await writeBackup(db, file)
  const second = await opened()
  await restoreBackup(second.db, file, fine)
  for (const table of oldTables.filter((name) => name !== 'meta'))
    assert.deepEqual(
      await second.db.selectFrom(table).selectAll().execute(),
      await db.selectFrom(table).selectAll().execute(),
    )
})

test('a backup from before externalId and isBootstrap is restored with their values', async () => {
  const { db, file } = await opened()
  const user = { id: 'usr_1', name: 'ana', email: null, role: 'admin', passwordHash: null, createdAt: AT }
  const key = { id: 'key_1', userId: 'usr_1', hash: 'h', prefix: 'p', scopes: null, rateLimit: 60, lastUsedAt: null }
  const device = { id: 'd1', userId: 'usr_1', deviceId: 'dev-1', token: 't', status: 'connected', provisioned: 0 }
  const routes = { inboundEnabled: 1, outboundEnabled: 1, recordCalls: 1, sipUsername: 'u', sipPasswordSealed: 's' }
  const gateway = { driver: 'whatsapp', farId: '111', statusAt: AT, tries: 0, createdAt: AT, updatedAt: AT }
  const text = { id: 'txt_1', userId: 'usr_1', deviceId: 'd1', direction: 'out', key: 'k', peer: 'p', text: 'x' }
  write(file, '0024-recordings', [
    { table: 'users', row: user },
    { table: 'apiKeys', row: { ...key, name: 'bootstrap', expiresAt: null, isActive: 1, createdAt: AT } },
    { table: 'devices', row: { ...device, ...routes, ...gateway } },
    { table: 'deviceTexts', row: { ...text, status: 'sent', tries: 0, dueAt: AT, farId: 'wamid.1', createdAt: AT } },
    { table: 'meta', row: { name: 'trunk-keeper', value: `${AT} prc_1` } },
  ])
  await restoreBackup(db, file, fine)
  assert.equal((await db.selectFrom('devices').select('externalId').executeTakeFirst())?.externalId, '111')
  assert.equal((await db.selectFrom('deviceTexts').select('externalId').executeTakeFirst())?.externalId, 'wamid.1')
  assert.equal((await db.selectFrom('apiKeys').select('isBootstrap').executeTakeFirst())?.isBootstrap, 1)
  assert.equal(
    await db.selectFrom('meta').select('name').where('name', '=', 'trunk-keeper').executeTakeFirst(),
    undefined,
  )
  // After a backup and restore by this version, the columns keep their values, and changes are counted again.
  await writeBackup(db, file)
  const second = await opened()
  await restoreBackup(second.db, file, fine)
  assert.equal((await second.db.selectFrom('devices').select('externalId').executeTakeFirst())?.externalId, '111')
  const count = async () =>
    (await second.db.selectFrom('changeCounters').select('value').where('name', '=', 'phone').executeTakeFirstOrThrow())
      .value
  const before = await count()
  await second.db
    .updateTable('devices')
    .set({ updatedAt: `${AT}x` })
    .execute()
  assert.equal(await count(), before + 1)
})

test('a backup of a newer version, or one with rows that do not fit, changes nothing', async () => {
  const { db, file } = await opened()
  const user = { id: 'usr_stays', name: 'ana', email: null, role: 'admin', passwordHash: null, createdAt: AT } as const
  await db.insertInto('users').values(user).execute()
  const rows = await oldRows()
  write(file, '9999-of-the-future', rows)
  await assert.rejects(restoreBackup(db, file, fine), /newer version of Ramal \(9999-of-the-future\)/)
  write(file, OLD, [...rows, { table: 'calls', row: { id: 'broken' } }])
  await assert.rejects(restoreBackup(db, file, fine))
  write(file, OLD, [{ table: 'migrations', row: { name: 'x', appliedAt: AT } }])
  await assert.rejects(restoreBackup(db, file, fine), /not a backup/)
  assert.equal((await db.selectFrom('users').select('id').executeTakeFirst())?.id, 'usr_stays')
  assert.equal((await db.selectFrom('recordingRemovals').selectAll().execute()).length, 0, 'the schema is as before')
})

const idle = { calls: 0, maxCalls: 10, busy: 0, address: null, isDraining: false }

test('a restore is refused while a node serves the database, or until its lease expires after a crash', async () => {
  const { db } = await opened()
  await requireStopped(db)
  const [one, two] = ['one', 'two'].map((name) => nodeRows(db, { name, release: '1' }))
  await one?.enter(idle)
  await two?.enter(idle)
  await assert.rejects(requireStopped(db), /running on this database \(one, two\)/)
  await one?.leave()
  await assert.rejects(requireStopped(db), /\(two\)/)
  await db
    .updateTable('nodes')
    .set({ leaseUntil: dbTime(db, -1) })
    .execute()
  await requireStopped(db)
  assert.equal(await two?.renew(idle), true)
  await assert.rejects(requireStopped(db), /running/)
  await two?.leave()
  await db
    .insertInto('meta')
    .values({ name: 'process:prc_old', value: String(Date.now()) })
    .execute()
  await assert.rejects(requireStopped(db), /previous release/)
})
