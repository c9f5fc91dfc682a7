// Leases in bulk: each has a single holder until it is released or expires.
// @run gate-postgres
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atEnd, testConfig } from '../../test/app.ts'
import { openDatabase } from './database.ts'
import { acquireLeases, releaseLeases, renewLeases } from './leases.ts'

const database = await openDatabase((await testConfig()).database, () => {})
atEnd(() => database.close())
const { db } = database

test('a lease has one holder until it is released or expires', async () => {
  const [one, two] = [
    { names: ['task'], holder: 'one' },
    { names: ['task'], holder: 'two' },
  ]
  assert.deepEqual(await acquireLeases(db, one, 60_000), ['task'])
  assert.deepEqual(await acquireLeases(db, one, 60_000), ['task'], 'renewed by its holder')
  assert.deepEqual(await acquireLeases(db, two, 60_000), [])
  await releaseLeases(db, two)
  assert.deepEqual(await acquireLeases(db, two, 60_000), [], 'released by its holder only')
  await releaseLeases(db, one)
  assert.deepEqual(await acquireLeases(db, two, -1000), ['task'])
  assert.deepEqual(await acquireLeases(db, one, 60_000), ['task'], 'expired')
  assert.deepEqual(await acquireLeases(db, { ...two, isAlone: true }, 60_000), ['task'], 'there is no other holder')
})

test('a renewed lease is kept for as long as the renewal says', async () => {
  const [one, two] = [
    { names: ['job:renewed'], holder: 'one' },
    { names: ['job:renewed'], holder: 'two' },
  ]
  await acquireLeases(db, one, -1000)
  assert.deepEqual(await renewLeases(db, { prefix: 'job:', holder: 'one' }, 60_000), ['job:renewed'])
  assert.deepEqual(await acquireLeases(db, two, 60_000), [])
  await renewLeases(db, { prefix: 'job:', holder: 'one' }, -1000)
  assert.deepEqual(await acquireLeases(db, two, 60_000), ['job:renewed'])
})

test('a thousand leases that two holders take at once have one holder each, and only the holder renews them', async () => {
  const names = Array.from({ length: 1000 }, (_, i) => `trunk:${i}`)
  const [one, two] = await Promise.all([
    acquireLeases(db, { names, holder: 'one' }, 60_000),
    acquireLeases(db, { names: names.toReversed(), holder: 'two' }, 60_000),
  ])
  assert.deepEqual([...one, ...two].sort(), names.toSorted())
  assert.deepEqual((await renewLeases(db, { prefix: 'trunk:', holder: 'one' }, 60_000)).sort(), one.toSorted())
  assert.deepEqual((await renewLeases(db, { prefix: 'trunk:', holder: 'two' }, 60_000)).sort(), two.toSorted())
  assert.deepEqual(await renewLeases(db, { prefix: 'trunk:', holder: 'three' }, 60_000), [])
  await releaseLeases(db, { names, holder: 'one' })
  const three = await acquireLeases(db, { names, holder: 'three' }, 60_000)
  assert.deepEqual(three.sort(), one.toSorted())
})
