// The key of number hashes survives a backup and a change of the master key, so that a number stays recognizable when
// only its hash is left.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { test } from 'node:test'
import { atEnd, testConfig } from '../../test/app.ts'
import { keyRing } from '../base/crypto/secrets.ts'
import { restoreBackup, writeBackup } from './backup.ts'
import { openDatabase } from './database.ts'
import { openNumberHash } from './number-hash.ts'
import { rekey } from './seals.ts'

const number = '+5511987654321'

async function opened() {
  const config = await testConfig()
  const database = await openDatabase(config.database, () => {})
  atEnd(() => database.close())
  return { db: database.db, file: join(config.dataDir, 'backup.gz') }
}
const newKey = () => randomBytes(32).toString('base64')

test('processes that start at once share one key; another database has another', async () => {
  const [{ db }, other] = [await opened(), await opened()]
  const secrets = keyRing([newKey()])
  const hashes = await Promise.all(Array.from({ length: 4 }, () => openNumberHash(db, secrets)))
  assert.equal(new Set(hashes.map((hash) => hash(number))).size, 1)
  const [hash] = hashes
  assert.doesNotMatch(hash?.(number) ?? '', /\d{8}/)
  assert.notEqual(hash?.(number), (await openNumberHash(other.db, secrets))(number))
})

test('hashes stay the same after a new master key and in a restored backup', async () => {
  const [{ db, file }, other] = [await opened(), await opened()]
  const [oldKey, nextKey] = [newKey(), newKey()]
  const before = (await openNumberHash(db, keyRing([oldKey])))(number)
  assert.equal(await rekey(db, keyRing([nextKey, oldKey])), 1)
  const rotated = keyRing([nextKey])
  assert.equal((await openNumberHash(db, rotated))(number), before, 'the old master key is no longer needed')
  await writeBackup(db, file)
  await restoreBackup(other.db, file, async () => {})
  assert.equal((await openNumberHash(other.db, rotated))(number), before)
})
