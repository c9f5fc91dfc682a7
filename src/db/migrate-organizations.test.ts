// Migration 0044: every user becomes the owner of an organization with the user's id, from a database or a backup of the
// previous release, and also when that release adds a user while both run.
import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Kysely } from 'kysely'
import { atEnd, testConfig } from '../../test/app.ts'
import { keyFinder } from '../features/keys/finder-store.ts'
import { hashOf, newSecret } from '../features/keys/secret.ts'
import { restoreBackup, writeBackup } from './backup.ts'
import { type Db, openDatabase } from './database.ts'

const BEFORE = '0043-message-authors'
const AT = '2026-01-01T00:00:00.000Z'
const secret = newSecret()

async function opened(): Promise<Db> {
  const { db, close } = await openDatabase((await testConfig()).database, () => {})
  atEnd(close)
  return db
}

const placesOf = (db: Db) =>
  db
    .selectFrom('members')
    .innerJoin('organizations', 'organizations.id', 'members.organizationId')
    .select(['organizations.id', 'organizations.name', 'organizations.disabledAt', 'personId', 'role'])
    .orderBy('organizations.id')
    .execute()

const users = [
  { id: 'usr_1', name: 'ana', email: null, role: 'admin', passwordHash: null, createdAt: AT },
  { id: 'usr_2', name: 'bia', email: null, role: 'member', passwordHash: null, createdAt: AT, disabledAt: AT },
  { id: 'usr_3', name: 'eva', email: null, role: 'member', passwordHash: null, createdAt: AT, removedAt: AT },
]
const key = { id: 'key_1', userId: 'usr_1', name: 'k', prefix: 'p', scopes: null, rateLimit: 60, lastUsedAt: null }
const keyRow = { ...key, hash: hashOf(secret), expiresAt: null, isActive: 1, isBootstrap: 0, createdAt: AT }

const expected = [
  { id: 'usr_1', name: 'ana', disabledAt: null, personId: 'usr_1', role: 'owner' },
  { id: 'usr_2', name: 'bia', disabledAt: AT, personId: 'usr_2', role: 'owner' },
]

test('a backup of the previous release gets an organization for each user, and its keys go on', async () => {
  const db = await opened()
  const file = join(mkdtempSync(join(tmpdir(), 'ramal-')), 'old.gz')
  const rows = [...users.map((row) => ({ table: 'users', row })), { table: 'apiKeys', row: keyRow }]
  const lines = [{ format: 'ramal backup 1', schema: BEFORE, createdAt: AT }, ...rows, { rows: rows.length }]
  writeFileSync(file, gzipSync(lines.map((line) => JSON.stringify(line)).join('\n')))
  await restoreBackup(db, file, async () => {})
  assert.deepEqual(await placesOf(db), expected)
  const grant = await keyFinder(db, false).find(secret)
  assert.deepEqual([grant?.userId, grant?.personId, grant?.memberRole], ['usr_1', 'usr_1', 'owner'])

  // A backup of this release keeps organizations as they are: usr_1 has left its own for a new one.
  await db
    .insertInto('users')
    .values({
      id: 'org_1',
      name: 'Clínica',
      email: null,
      role: 'member',
      passwordHash: null,
      createdAt: AT,
      isPerson: 0,
    })
    .execute()
  await db
    .insertInto('organizations')
    .values({ id: 'org_1', name: 'Clínica', createdAt: AT, disabledAt: null })
    .execute()
  await db.updateTable('members').set({ organizationId: 'org_1' }).where('personId', '=', 'usr_1').execute()
  await db.deleteFrom('organizations').where('id', '=', 'usr_1').execute()
  const places = await placesOf(db)
  await writeBackup(db, file)
  const second = await opened()
  await restoreBackup(second, file, async () => {})
  assert.deepEqual(await placesOf(second), places)
  assert.deepEqual(
    places.map(({ id, personId }) => [id, personId]),
    [
      ['org_1', 'usr_1'],
      ['usr_2', 'usr_2'],
    ],
  )
})

test('a user or a key that the previous release adds while both run is complete', async () => {
  const db = await opened()
  const old = db as unknown as Kysely<{ users: Record<string, unknown>; apiKeys: Record<string, unknown> }>
  for (const row of users.slice(0, 1)) await old.insertInto('users').values(row).execute()
  await old.insertInto('apiKeys').values(keyRow).execute()
  assert.deepEqual(await placesOf(db), expected.slice(0, 1))
  const grant = await keyFinder(db, false).find(secret)
  assert.deepEqual([grant?.personId, grant?.memberRole], ['usr_1', 'owner'])
})
