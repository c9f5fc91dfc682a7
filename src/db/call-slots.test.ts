// Slots of several nodes on one real PostgreSQL: limits hold in any order of events, and a dead node's slots become
// free.
// @run gate-postgres
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { atEnd, newPostgresDatabase } from '../../test/app.ts'
import { until } from '../../test/until.ts'
import { monotonicMs } from '../base/time/clock.ts'
import { callCapacity, type Slot } from '../phone/capacity.ts'
import { callSlots } from './call-slots.ts'
import { openDatabase } from './database.ts'
import { nodeRows } from './nodes.ts'
import { dbTime } from './time.ts'

const url = await newPostgresDatabase({ isMigrated: true })
const { db, close } = await openDatabase({ kind: 'postgres', url }, () => {})
atEnd(close)

const idle = { calls: 0, maxCalls: 100, busy: 0, address: null, isDraining: false }
let nodes = 0

/** A live node with the given capacity. */
async function newNode({ maxCalls = 100, maxCallsPerUser = 100, elapsedMs = monotonicMs } = {}) {
  const name = `n${nodes++}`
  const row = nodeRows(db, { name, release: '1' })
  await row.enter(idle)
  const slots = callSlots(db, row.processId, { elapsedMs })
  const live = callCapacity({ maxCalls, maxCallsPerUser, slots })
  const die = () =>
    db
      .updateTable('nodes')
      .set({ leaseUntil: dbTime(db, -1) })
      .where('name', '=', name)
      .execute()
  return { live, slots, row, die }
}

let users = 0
const newUser = () => `usr_${users++}`
const stored = async (userId: string) =>
  (await db.selectFrom('callSlots').selectAll().where('userId', '=', userId).execute()).length

const MAX = { user: 5, t1: 2, t2: 3, d1: 1 } as const
const routes = ['web', 't1', 't2', 'd1'] as const
type Route = (typeof routes)[number]

const placeOf = (userId: string, route: Route) => ({
  slot: { userId, trunkId: route.startsWith('t') ? route : null, deviceId: route === 'd1' ? route : null },
  caps: route === 'web' ? {} : route === 'd1' ? { device: MAX.d1 } : { trunk: MAX[route] },
})

/** Randomly interleaved calls on three nodes; each holds its slot for a few turns of the event loop. */
async function callsOf(userId: string, plan: readonly { node: number; route: Route; turns: number }[]) {
  const all = await Promise.all([0, 1, 2].map(() => newNode({ maxCallsPerUser: MAX.user })))
  const now = new Map<Route | 'user', number>()
  const change = (route: Route, by: number) => {
    for (const key of [route, 'user'] as const) {
      const count = (now.get(key) ?? 0) + by
      now.set(key, count)
      const max = key === 'web' ? MAX.user : MAX[key]
      assert.ok(count <= max, `${count} calls of ${key}`)
    }
  }
  await Promise.all(
    plan.map(async ({ node, route, turns }) => {
      const { slot, caps } = placeOf(userId, route)
      const acquired = await all[node]?.live.acquireSlot(slot, caps)
      if (!acquired || !('release' in acquired)) return
      change(route, 1)
      for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve))
      change(route, -1)
      await acquired.release()
    }),
  )
  return all
}

test('three nodes together never exceed a limit, and every slot is free afterwards', async () => {
  const call = fc.record({
    node: fc.integer({ min: 0, max: 2 }),
    route: fc.constantFrom(...routes),
    turns: fc.integer({ min: 0, max: 12 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 40 }), async (plan) => {
      const userId = newUser()
      const all = await callsOf(userId, plan)
      for (const { live } of all) assert.equal(live.total, 0)
      assert.equal(await stored(userId), 0)
      const filled = await Promise.all(
        Array.from({ length: 9 }, (_, i) => all[i % 3]?.live.acquireSlot(placeOf(userId, 'web').slot)),
      )
      const held = filled.filter((slot): slot is Slot => slot !== undefined && 'release' in slot)
      assert.equal(held.length, MAX.user, 'as many as the limit, neither more nor fewer')
      for (const slot of held) await slot.release()
    }),
    { numRuns: 25, seed: 20261117 },
  )
})

test('the share of campaigns applies to the calls of all nodes', async () => {
  const [one, two] = [await newNode({ maxCallsPerUser: 5 }), await newNode({ maxCallsPerUser: 5 })]
  const { slot } = placeOf(newUser(), 'web')
  for (let i = 0; i < 4; i++) assert.ok('release' in (await (i % 2 ? one : two).live.acquireSlot(slot, { share: 0.8 })))
  for (const { live } of [one, two]) {
    assert.equal(await live.hasRoom(slot.userId, 0.8), false)
    const refused = await live.acquireSlot(slot, { share: 0.8 })
    assert.deepEqual('limit' in refused && [refused.limit, refused.max], ['user', 4])
  }
  assert.equal(await two.live.hasRoom(slot.userId), true)
  assert.ok('release' in (await two.live.acquireSlot(slot)), 'another call gets what is free')
})

test('the slots of a dead node do not count, and those of a live one do', async () => {
  const [one, two] = [await newNode({ maxCallsPerUser: 2 }), await newNode({ maxCallsPerUser: 2 })]
  const { slot } = placeOf(newUser(), 'web')
  for (const { live } of [one, two]) assert.ok('release' in (await live.acquireSlot(slot)))
  assert.ok('limit' in (await two.live.acquireSlot(slot)))
  await one.die()
  assert.equal(await two.live.hasRoom(slot.userId), true)
  assert.ok('release' in (await two.live.acquireSlot(slot)))
  assert.ok('limit' in (await two.live.acquireSlot(slot)))
})

test('after an outage every slot counts until the other nodes have had time to renew their leases', async () => {
  let atMs = 0
  const one = await newNode()
  const two = await newNode({ maxCallsPerUser: 1, elapsedMs: () => atMs })
  const { slot } = placeOf(newUser(), 'web')
  assert.ok('release' in (await one.live.acquireSlot(slot)))
  await one.die()
  await two.slots.check()
  atMs += 6000 // nothing has been heard from the database since
  assert.ok('limit' in (await two.live.acquireSlot(slot)))
  for (let checks = 0; checks < 5; checks++) {
    await two.slots.check()
    assert.ok('limit' in (await two.live.acquireSlot(slot)))
    atMs += 2000
  }
  await two.slots.check()
  assert.ok('release' in (await two.live.acquireSlot(slot)))
})

test('a node that restarts under its name has no calls', async () => {
  const [one, two] = [await newNode({ maxCallsPerUser: 1 }), await newNode({ maxCallsPerUser: 1 })]
  const { slot } = placeOf(newUser(), 'web')
  assert.ok('release' in (await one.live.acquireSlot(slot)))
  assert.ok('limit' in (await two.live.acquireSlot(slot)))
  await nodeRows(db, { name: `n${nodes - 2}`, release: '1' }).enter(idle)
  assert.ok('release' in (await two.live.acquireSlot(slot)))
})

test('rows that nobody holds are deleted: of a node that died, and of a statement whose result was lost', async () => {
  let atMs = 0
  const [one, two] = [await newNode(), await newNode({ elapsedMs: () => atMs })]
  const userId = newUser()
  const { slot } = placeOf(userId, 'web')
  assert.ok('release' in (await one.live.acquireSlot(slot)))
  await db.deleteFrom('nodes').where('processId', '=', one.row.processId).execute()
  assert.ok('release' in (await two.live.acquireSlot(slot)))
  const lost = { id: 'slt_lost', holder: two.row.processId, userId, trunkId: null, deviceId: null }
  await db.insertInto('callSlots').values(lost).execute()
  assert.equal(await stored(userId), 3)
  await two.slots.check()
  assert.equal(await stored(userId), 2, 'of others nothing at the start: the database may just have come back')
  for (; atMs <= 80_000; atMs += 2000) await two.slots.check()
  assert.equal(await stored(userId), 1)
})

test('a call that waits gets the slot that another node frees', async () => {
  const [one, two] = [await newNode({ maxCallsPerUser: 1 }), await newNode({ maxCallsPerUser: 1 })]
  const { slot } = placeOf(newUser(), 'web')
  const first = await one.live.acquireSlot(slot)
  assert.ok('release' in first)
  let tries = 0
  const waiting = two.live.waitForSlot(async (round) => {
    const result = await two.live.acquireSlot(slot, {}, round)
    tries++
    return 'release' in result ? result : undefined
  }, new AbortController().signal)
  await until('it was refused once', () => tries > 0)
  await first.release()
  await (await waiting)?.release()
  assert.equal(await stored(slot.userId), 0)
})
