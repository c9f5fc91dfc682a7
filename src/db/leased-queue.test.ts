// The leased queue: claims, renewals, retries, releases and expiry, by the database clock.
// @run gate-postgres
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { atEnd, testConfig } from '../../test/app.ts'
import { newId } from '../base/ids.ts'
import { openDatabase } from './database.ts'
import { leasedQueue } from './leased-queue.ts'
import { lockRow } from './lock-row.ts'

const database = await openDatabase((await testConfig()).database, () => {})
atEnd(() => database.close())
const { db } = database
const AT = '2026-01-01T00:00:00.000Z'
const user = { id: 'usr_1', name: 'ana', email: null, role: 'admin', passwordHash: null, createdAt: AT } as const
await db.insertInto('users').values(user).execute()
const base = {
  id: 'kb_1',
  userId: 'usr_1',
  name: 'b',
  description: null,
  language: null,
  generateQuestions: 1,
} as const
await db
  .insertInto('knowledgeBases')
  .values({ ...base, version: 1, createdAt: AT, updatedAt: AT })
  .execute()

const queueWith = (leaseMs: number) =>
  leasedQueue(db, {
    table: 'knowledgeDocuments',
    dueAt: 'dueAt',
    status: { column: 'status', waiting: 'indexing', claimed: 'indexing', claimable: ['indexing'] },
    attempts: 'tries',
    leaseMs,
  })
const queue = queueWith(60_000)

async function add(dueAt = AT): Promise<string> {
  const id = newId('doc')
  const owner = { userId: 'usr_1', knowledgeBaseId: 'kb_1', name: 'd', contentType: 'text/plain' }
  const state = {
    letters: 1,
    passageCount: 1,
    status: 'indexing',
    error: null,
    tries: 0,
    dueAt,
    embeddedBy: null,
  } as const
  await db
    .insertInto('knowledgeDocuments')
    .values({ id, ...owner, ...state, createdAt: AT, updatedAt: AT })
    .execute()
  return id
}
const rowOf = (id: string) =>
  db.selectFrom('knowledgeDocuments').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const clear = () => db.deleteFrom('knowledgeDocuments').execute()

test('workers claim each due row once, the longest waiting first', async () => {
  await clear()
  const [later, first] = [await add('2026-01-02T00:00:00.000Z'), await add()]
  await add('2999-01-01T00:00:00.000Z')
  const claimed = await queue.claim()
  assert.deepEqual([claimed?.id, claimed?.tries], [first, 1])
  assert.equal((await queue.claim())?.id, later)
  assert.equal(await queue.claim(), undefined, 'what is not due is not claimed')
  await clear()
  const ids = await Promise.all(Array.from({ length: 8 }, () => add()))
  const seen: string[] = []
  const worker = async () => {
    for (let idle = 0; idle < 20; ) {
      const one = await queue.claim()
      if (one) seen.push(one.id)
      else idle++
    }
  }
  await Promise.all([worker(), worker(), worker()])
  assert.deepEqual(seen.toSorted(), ids.toSorted())
})

test('an expired lease is claimed again, and the first holder can no longer write', async () => {
  await clear()
  const id = await add()
  const lost = await queueWith(-1000).claim() // expired at once
  const held = await queue.claim()
  assert.ok(lost && held)
  assert.deepEqual([held.id, held.tries], [id, 2])
  assert.equal(await queue.finish(lost, { status: 'ready' }), undefined)
  assert.equal(await queue.renew(lost), undefined)
  assert.equal(await queue.retry(lost, 0), undefined)
  assert.equal(await queue.release(lost), undefined)
  assert.equal((await rowOf(id)).status, 'indexing')
  const renewed = await queueWith(120_000).renew(held)
  assert.ok(renewed && renewed.leaseUntil > held.leaseUntil)
  assert.equal(await queue.finish(held, { status: 'ready' }), undefined, 'a renewal replaces the lease')
  assert.ok(await queue.finish(renewed, { status: 'ready', dueAt: null }))
  assert.equal((await rowOf(id)).status, 'ready')
})

test('a retry counts its attempt and waits; a release does neither', async () => {
  await clear()
  const id = await add()
  const first = await queue.claim()
  assert.ok(first)
  await queue.release(first)
  assert.equal((await rowOf(id)).tries, 0)
  const second = await queue.claim()
  assert.ok(second)
  await queue.retry(second, 60_000, { error: 'busy' })
  const { tries, error } = await rowOf(id)
  assert.deepEqual([tries, error], [1, 'busy'])
  assert.equal(await queue.claim(), undefined)
})

test('expire changes claimed rows with an expired lease, and no others', async () => {
  await clear()
  const [expired] = [await add(), await add('2999-01-01T00:00:00.000Z')]
  const rows = await queue.expire({ status: 'failed', error: 'stopped' }, sql<boolean>`tries = 0`)
  assert.deepEqual(
    rows.map(({ id, status }) => [id, status]),
    [[expired, 'failed']],
  )
})

test('after-commit hooks run once after the commit, and not after a rollback', async () => {
  const calls: string[] = []
  const hook = () => void calls.push('hook')
  await db.inTransaction(async (trx) => {
    trx.afterCommit(hook)
    trx.afterCommit(hook)
    await lockRow(trx, 'users', { id: 'usr_1' })
    calls.push('work')
  })
  assert.deepEqual(calls, ['work', 'hook'])
  await assert.rejects(
    db.inTransaction(async (trx) => {
      trx.afterCommit(hook)
      throw new Error('rolled back')
    }),
    /rolled back/,
  )
  assert.deepEqual(calls, ['work', 'hook'])
})

test('of two transactions that lock a row, the second sees what the first wrote', async () => {
  const add = (role: 'member' | 'admin') =>
    db.inTransaction(async (trx) => {
      const row = await lockRow(trx, 'users', { id: 'usr_1' })
      await new Promise((resolve) => setTimeout(resolve, 20))
      await trx
        .updateTable('users')
        .set({ name: `${row?.name} ${role}` })
        .where('id', '=', 'usr_1')
        .execute()
    })
  await Promise.all([add('member'), add('admin')])
  const { name } = await db.selectFrom('users').select('name').where('id', '=', 'usr_1').executeTakeFirstOrThrow()
  assert.match(name, /^ana (member admin|admin member)$/)
})

test('changes to trunks, devices and roles are counted; status changes are not', async () => {
  const count = async () =>
    (await db.selectFrom('changeCounters').select('value').where('name', '=', 'phone').executeTakeFirstOrThrow()).value
  const changes = async (write: () => Promise<unknown>) => {
    const before = await count()
    await write()
    return (await count()) - before
  }
  const trunk = { id: 'trk', userId: 'usr_1', name: 't', host: null, passwordSealed: null, passwordOrigin: null }
  const state = {
    addressClaims: '{}',
    addressProofs: '{}',
    mayReachPrivate: 1,
    settings: '{}',
    status: 'unknown',
    statusDetail: null,
    lastSeenAt: null,
  } as const
  const row = { ...trunk, ...state, isActive: 1, createdAt: AT, updatedAt: AT } as const
  assert.equal(await changes(() => db.insertInto('trunks').values(row).execute()), 1)
  assert.equal(await changes(() => db.updateTable('trunks').set({ status: 'registered' }).execute()), 0)
  assert.equal(
    await changes(() =>
      db
        .updateTable('trunks')
        .set({ updatedAt: `${AT}x` })
        .execute(),
    ),
    1,
  )
  assert.equal(await changes(() => db.updateTable('users').set({ role: 'member' }).execute()), 1)
  assert.equal(await changes(() => db.updateTable('users').set({ role: 'member' }).execute()), 0)
  assert.equal(await changes(() => db.deleteFrom('trunks').execute()), 1)
  await assert.rejects(
    db.inTransaction(async (trx) => {
      await trx.insertInto('trunks').values(row).execute()
      throw new Error('rolled back')
    }),
  )
  assert.equal(await changes(async () => {}), 0)
})
