// Node rows: leases by the database clock, and two processes with the same name.
// @run gate-postgres
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testConfig } from '../../test/app.ts'
import { atEnd } from '../../test/endings.ts'
import { openDatabase } from './database.ts'
import { listNodes, nodeRows } from './nodes.ts'
import { dbTime } from './time.ts'

const idle = { calls: 0, maxCalls: 10, busy: 0, address: null, isDraining: false }

async function opened() {
  const { database: config } = await testConfig()
  const { db, close } = await openDatabase(config, () => {})
  atEnd(close)
  return db
}

test('nodes are listed with their load until they leave, and as dead once their lease has expired', async () => {
  const db = await opened()
  const one = nodeRows(db, { name: 'one', release: '1.0.0' })
  const two = nodeRows(db, { name: 'two', release: '1.0.0' })
  assert.equal(await one.enter({ ...idle, address: '10.0.0.1:7000' }), null)
  await two.enter(idle)
  await two.renew({ ...idle, calls: 4, busy: 0.5, isDraining: true })
  const seen = async () =>
    (await listNodes(db)).map(({ name, calls, isDraining, isAlive }) => ({ name, calls, isDraining, isAlive }))
  assert.deepEqual(await seen(), [
    { name: 'one', calls: 0, isDraining: false, isAlive: true },
    { name: 'two', calls: 4, isDraining: true, isAlive: true },
  ])
  assert.equal((await two.find('one'))?.address, '10.0.0.1:7000')
  await db
    .updateTable('nodes')
    .set({ leaseUntil: dbTime(db, -1) })
    .where('name', '=', 'one')
    .execute()
  assert.equal((await seen())[0]?.isAlive, false)
  assert.equal(await two.find('one'), undefined, 'a dead node is not found')
  await db
    .updateTable('nodes')
    .set({ leaseUntil: dbTime(db, -86_500_000) })
    .where('name', '=', 'one')
    .execute()
  await two.removeOld()
  await two.leave()
  assert.deepEqual(await seen(), [])
})

test('of two processes with one name the later has the row, and the earlier learns it', async () => {
  const db = await opened()
  const [first, second] = [nodeRows(db, { name: 'n', release: '1' }), nodeRows(db, { name: 'n', release: '2' })]
  await first.enter(idle)
  assert.equal(await second.enter({ ...idle, calls: 2 }), first.processId)
  assert.equal(await first.renew(idle), false)
  await first.leave()
  const [row] = await listNodes(db)
  assert.deepEqual([row?.processId, row?.release, row?.calls], [second.processId, '2', 2])
})

test('a node whose row is gone has it again at its next renewal', async () => {
  const db = await opened()
  const [first, second] = [nodeRows(db, { name: 'n', release: '1' }), nodeRows(db, { name: 'n', release: '2' })]
  await first.enter(idle)
  const holder = async () => (await listNodes(db)).map(({ processId, calls }) => [processId, calls])
  // It was disconnected for a day, and another node removed its row.
  await db.deleteFrom('nodes').execute()
  assert.equal(await first.renew({ ...idle, calls: 3 }), true)
  assert.deepEqual(await holder(), [[first.processId, 3]])
  // A second process was started with its name by mistake, and then stopped.
  await second.enter(idle)
  assert.equal(await first.renew(idle), false)
  await second.leave()
  assert.equal(await first.renew(idle), true)
  assert.deepEqual(await holder(), [[first.processId, 0]])
})
