// The lease of a call whose row took long to write. On SQLite, where a trigger can write the lease that such a row has.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { pino } from 'pino'
import { aNumber, anAgent, atEnd, testConfig } from '../../../test/app.ts'
import { until } from '../../../test/until.ts'
import { monotonicMs } from '../../base/time/clock.ts'
import { openDatabase } from '../../db/database.ts'
import { agentStore } from '../agents/store.ts'
import { userStore } from '../users/store.ts'
import { callStorage } from './call-storage.ts'
import { callStore } from './store.ts'

test('a call whose row took longer than its lease is not closed by another node, because it is renewed at once', async (t) => {
  const config = await testConfig({}, { isMigrated: true })
  const database = await openDatabase(config.database, () => {})
  atEnd(() => database.close())
  const { db } = database
  const { id: userId } = await userStore(db).create('ana')
  const { id: agentId } = await agentStore(db).create(userId, anAgent)
  const storage = callStorage({ config, database, nodeName: 'one', log: pino({ level: 'silent' }) })
  atEnd(() => storage[Symbol.asyncDispose]())
  await sql`create trigger late after insert on calls begin
    update calls set "leaseUntil" = '2020-01-01T00:00:00.000Z' where id = new.id; end`.execute(db)
  let tookMs = 0
  const startedMs = monotonicMs()
  const clock = t.mock.method(performance, 'now', () => startedMs + tookMs)
  const begin = async (slowMs: number) => {
    const begun = storage.book.begin({
      userId,
      agentId,
      fromNumber: null,
      toNumber: aNumber(),
      trunkId: null,
      deviceId: null,
    })
    tookMs += slowMs
    return (await begun).id
  }
  const quick = await begin(5)
  const slow = await begin(12_000)
  clock.mock.restore()
  const row = (id: string) => db.selectFrom('calls').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  await until('its lease is renewed', async () => Date.parse((await row(slow)).leaseUntil) > Date.now())
  await callStore(db, 'two').closeOrphans()
  assert.deepEqual([(await row(slow)).endReason, (await row(quick)).endReason], [null, 'orphaned'])
})
