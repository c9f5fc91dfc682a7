// Transactions of many concurrent writers, on both databases.
// @run gate-postgres
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { atEnd, testConfig } from '../../test/app.ts'
import { openDatabase, type Trx } from './database.ts'
import { isPostgres } from './dialect.ts'
import { increment } from './increment.ts'

const database = await openDatabase((await testConfig()).database, () => {})
atEnd(() => database.close())
const { db } = database
/** On PostgreSQL no more than the pool has connections: a writer that waits too long for one fails. */
const WRITERS = isPostgres(db) ? 8 : 60
const AT = '2026-01-01T00:00:00.000Z'
const user = (id: string) => ({ id, name: id, email: null, role: 'admin', passwordHash: null, createdAt: AT }) as const
const namesOf = async (ids: string[]) =>
  (await db.selectFrom('users').select('id').where('id', 'in', ids).orderBy('id').execute()).map(({ id }) => id)

test('each of many writers sees its own result, and no increment is lost', async () => {
  await db
    .insertInto('eventCounters')
    .values({ userId: await added('usr_count'), last: 0 })
    .execute()
  const taken = await Promise.all(
    Array.from({ length: WRITERS }, () =>
      db.inTransaction(async (trx) => {
        const counter = trx.updateTable('eventCounters').where('userId', '=', 'usr_count')
        const { last } = await counter
          .set({ last: increment('last') })
          .returning('last')
          .executeTakeFirstOrThrow()
        return last
      }),
    ),
  )
  assert.deepEqual(
    taken.sort((a, b) => a - b),
    Array.from({ length: WRITERS }, (_, i) => i + 1),
  )
})

test('a transaction that fails leaves nothing; those beside it are stored', async () => {
  const writers = ['usr_a', 'usr_b', 'usr_c', 'usr_d'].map((id, i) =>
    db.inTransaction(async (trx) => {
      await trx.insertInto('users').values(user(id)).execute()
      if (i % 2) await trx.insertInto('users').values(user(id)).execute() // the same id again
      return id
    }),
  )
  const results = await Promise.allSettled(writers)
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'rejected'],
  )
  assert.deepEqual(await namesOf(['usr_a', 'usr_b', 'usr_c', 'usr_d']), ['usr_a', 'usr_c'])
})

test('a single statement that fails does not fail those beside it', async () => {
  await added('usr_s')
  const results = await Promise.allSettled(
    ['usr_s1', 'usr_s', 'usr_s2'].map((id) => db.insertInto('users').values(user(id)).execute()),
  )
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  assert.deepEqual(await namesOf(['usr_s1', 'usr_s2']), ['usr_s1', 'usr_s2'])
})

test('a reader sees all of a transaction or nothing, and a writer reads what it wrote', async () => {
  const gate = Promise.withResolvers<void>()
  const half = Promise.withResolvers<void>()
  const writing = db.inTransaction(async (trx) => {
    await trx.insertInto('users').values(user('usr_h1')).execute()
    half.resolve()
    await gate.promise
    await trx.insertInto('users').values(user('usr_h2')).execute()
  })
  await half.promise
  const reading = namesOf(['usr_h1', 'usr_h2'])
  await turn()
  gate.resolve()
  const seen = await reading
  assert.ok(seen.length === 0 || seen.length === 2, `a half: ${seen}`)
  await writing
  assert.deepEqual(await namesOf(['usr_h1', 'usr_h2']), ['usr_h1', 'usr_h2'])
})

test('a statement after the end of its transaction is refused', async () => {
  let kept: Trx | undefined
  await db.inTransaction(async (trx) => {
    kept = trx
  })
  await assert.rejects(async () => kept?.insertInto('users').values(user('usr_late')).execute())
  assert.deepEqual(await namesOf(['usr_late']), [])
})

test('after-commit hooks run once and only for what was stored', async () => {
  const calls: string[] = []
  const hook = () => void calls.push('called')
  const write = (id: string, fails: boolean) =>
    db.inTransaction(async (trx) => {
      await trx.insertInto('users').values(user(id)).execute()
      trx.afterCommit(hook)
      trx.afterCommit(hook)
      if (fails) throw new Error('no')
    })
  await assert.rejects(write('usr_k1', true))
  assert.deepEqual(calls, [])
  await Promise.all([write('usr_k2', false), write('usr_k3', false)])
  assert.ok(calls.length === 1 || calls.length === 2, `${calls.length} calls`) // once per commit; on SQLite both writes may share one
})

async function added(id: string): Promise<string> {
  await db.insertInto('users').values(user(id)).execute()
  return id
}
