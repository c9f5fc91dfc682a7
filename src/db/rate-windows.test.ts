// Sliding windows shared by nodes through a real PostgreSQL.
// @run gate-postgres
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atEnd, newPostgresDatabase } from '../../test/app.ts'
import { openDatabase } from './database.ts'
import { rateWindows } from './rate-windows.ts'

const url = await newPostgresDatabase({ isMigrated: true })
const { db, close } = await openDatabase({ kind: 'postgres', url }, () => {})
atEnd(close)

const twoNodes = (purpose: string) => [rateWindows(db).of(purpose), rateWindows(db).of(purpose)] as const

/** Simulates that this time has passed for all windows of a purpose. */
async function pass(purpose: string, ms: number): Promise<void> {
  for (const { name, times } of await db
    .selectFrom('rateWindows')
    .select(['name', 'times'])
    .where('purpose', '=', purpose)
    .execute()) {
    const earlier = JSON.parse(times).map((time: number) => time - ms)
    await db
      .updateTable('rateWindows')
      .set({ times: JSON.stringify(earlier), expiresAt: '2020-01-01T00:00:00.000Z' })
      .where('name', '=', name)
      .execute()
  }
}

test('two nodes admit the limit together and not one more, also in parallel', async () => {
  const nodes = twoNodes('parallel')
  const asked = await Promise.all(Array.from({ length: 30 }, (_, i) => nodes[i % 2 ? 0 : 1].admit('key', 7)))
  const admitted = asked.filter((one) => one.admitted)
  assert.deepEqual(admitted.map(({ remaining }) => remaining).sort(), [0, 1, 2, 3, 4, 5, 6])
  for (const { resetMs } of asked) assert.ok(resetMs > 0 && resetMs <= 60_000)
  assert.equal((await nodes[0].admit('other key', 7)).remaining, 6)
})

test('many requests of one key share a transaction, so that they do not take all connections', async (t) => {
  const windows = rateWindows(db).of('flood')
  const transactions = t.mock.method(db, 'inTransaction')
  const asked = await Promise.all(Array.from({ length: 200 }, () => windows.admit('key', 20)))
  assert.equal(asked.filter(({ admitted }) => admitted).length, 20)
  assert.deepEqual(
    asked.slice(0, 21).map(({ remaining }) => remaining),
    [...Array.from({ length: 20 }, (_, i) => 19 - i), 0],
    'in order',
  )
  assert.equal(transactions.mock.callCount(), 2, 'the first, and all that came while it ran')
})

test('a slot is free again when its request leaves the window, and at once when it is taken back', async () => {
  const [one, two] = twoNodes('sliding')
  const ask = async () => (await one.admit('key', 2, 300_000)).admitted
  assert.equal(await ask(), true)
  await pass('sliding', 200_000)
  assert.deepEqual([await ask(), await ask()], [true, false])
  await pass('sliding', 100_000)
  assert.deepEqual([await ask(), await ask()], [true, false], 'only the first has left')
  await two.takeBack('key')
  assert.deepEqual([await ask(), await ask()], [true, false])
  await two.takeBack('nobody')
})

test('when there is no room a new key is refused, known ones are not, and what is over makes room', async () => {
  const rows = rateWindows(db, 3)
  const windows = rows.of('full')
  await rows.sweep()
  for (const key of ['a', 'b', 'c']) assert.equal((await windows.admit(key, 2)).admitted, true)
  assert.equal((await windows.admit('d', 2)).admitted, false)
  assert.equal((await windows.admit('a', 2)).admitted, true)
  assert.equal((await rows.of('another purpose').admit('d', 2)).admitted, true)
  await pass('full', 60_000)
  await rows.sweep()
  assert.equal((await windows.admit('d', 2)).admitted, true)
  const { count } = await db
    .selectFrom('rateWindows')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('purpose', '=', 'full')
    .executeTakeFirstOrThrow()
  assert.equal(Number(count), 1)
})

test('neither keys nor addresses are stored', async () => {
  await rateWindows(db).of('addresses').admit('192.0.2.77', 2)
  const rows = await db.selectFrom('rateWindows').selectAll().execute()
  assert.ok(!JSON.stringify(rows).includes('192.0.2.77'))
})
