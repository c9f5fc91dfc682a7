import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../test/until.ts'
import { type CallSlot, type Caps, callCapacity, type LimitReached, type Slot } from './capacity.ts'

const place = (userId: string, trunkId: string | null = null, deviceId: string | null = null): CallSlot => ({
  userId,
  trunkId,
  deviceId,
})

type Capacity = ReturnType<typeof callCapacity>
async function acquired(live: Capacity, slot: CallSlot, caps?: Caps): Promise<Slot> {
  const result = await live.acquireSlot(slot, caps)
  assert.ok('release' in result)
  return result
}
async function refused(live: Capacity, slot: CallSlot, caps?: Caps): Promise<[string, number]> {
  const { limit, max } = (await live.acquireSlot(slot, caps)) as LimitReached
  return [limit, max]
}

test('each limit holds by itself, and a released slot is free again', async () => {
  const live = callCapacity({ maxCalls: 4, maxCallsPerUser: 3 })
  const a = await acquired(live, place('ana', 't1'), { trunk: 2 })
  await acquired(live, place('ana', 't1'), { trunk: 2 })
  assert.deepEqual(await refused(live, place('ana', 't1'), { trunk: 2 }), ['trunk', 2])
  await acquired(live, place('ana', 't2'), { trunk: null })
  assert.deepEqual(await refused(live, place('ana')), ['user', 3])
  await acquired(live, place('bia', 't1'), { trunk: 1 }) // the same trunk name of another user is a different trunk
  assert.deepEqual(await refused(live, place('cid')), ['platform', 4])
  void a.release()
  void a.release()
  assert.equal(live.total, 3)
  await acquired(live, place('ana', 't1'), { trunk: 2 })
})

test('a device has its own limit', async () => {
  const live = callCapacity({ maxCalls: 10, maxCallsPerUser: 10 })
  await acquired(live, place('ana', null, 'd1'), { device: 1 })
  assert.deepEqual(await refused(live, place('ana', null, 'd1'), { device: 1 }), ['device', 1])
  await acquired(live, place('ana', null, 'd2'), { device: 1 })
})

test('parallel calls do not exceed a limit together', async () => {
  const live = callCapacity({ maxCalls: 10, maxCallsPerUser: 4 })
  const results = await Promise.all(Array.from({ length: 9 }, () => live.acquireSlot(place('ana'))))
  assert.equal(results.filter((result) => 'release' in result).length, 4)
  assert.equal(live.total, 4)
})

test('empty resolves when the last slot is released', async () => {
  const live = callCapacity({ maxCalls: 10, maxCallsPerUser: 10 })
  await live.empty()
  const places = [await acquired(live, place('ana')), await acquired(live, place('bia'))]
  let isEmpty = false
  const told = live.empty().then(() => {
    isEmpty = true
  })
  for (const each of places) {
    assert.equal(isEmpty, false)
    each.release()
    await Promise.resolve()
  }
  await told
  assert.equal(live.total, 0)
})

test('waiting calls get slots in order of arrival, and an aborted one leaves the queue', async () => {
  const live = callCapacity({ maxCalls: 10, maxCallsPerUser: 1 })
  const order: string[] = []
  const enter = (name: string, userId: string, signal = new AbortController().signal) =>
    live.waitForSlot(async (round) => {
      const entered = await live.acquireSlot(place(userId), {}, round)
      if (!('release' in entered)) return undefined
      order.push(name)
      return entered
    }, signal)
  const first = await enter('first', 'ana')
  const given = new AbortController()
  const waiting = [enter('second', 'ana'), enter('third', 'ana', given.signal), enter('fourth', 'ana')]
  await enter('other user', 'bia')
  assert.deepEqual(order, ['first', 'other user'])
  given.abort()
  assert.equal(await waiting[1], undefined)
  first?.release()
  ;(await waiting[0])?.release()
  ;(await waiting[2])?.release()
  assert.deepEqual(order, ['first', 'other user', 'second', 'fourth'])
})

test('slots that cannot be counted: nothing is held, and a waiting call is tried again', async () => {
  let isAway = true
  const slots = {
    acquire: async () => {
      if (isAway) throw new Error('away')
      return { release: async () => {} }
    },
    countOf: async () => 0,
  }
  const live = callCapacity({ maxCalls: 1, maxCallsPerUser: 1, slots })
  await assert.rejects(live.acquireSlot(place('ana')), /away/)
  assert.equal(live.total, 0)
  let tries = 0
  const waiting = live.waitForSlot(async (round) => {
    tries++
    return live.acquireSlot(place('ana'), {}, round).catch(() => {
      round.isOver = true
      return undefined
    })
  }, new AbortController().signal)
  await until('it was tried', () => tries > 0)
  isAway = false
  assert.ok('release' in ((await waiting) ?? {}))
  assert.equal(live.total, 1)
})

test('calls that wait for the same limit ask for it once in a round', async () => {
  let asked = 0
  const slots = {
    acquire: async () => {
      asked++
      return { reached: 'trunk' } as const
    },
    countOf: async () => 0,
  }
  const live = callCapacity({ maxCalls: 10, maxCallsPerUser: 10, slots })
  const rounds: unknown[] = []
  const stop = new AbortController()
  const waiting = Array.from({ length: 50 }, () =>
    live.waitForSlot(async (round) => {
      if (rounds.at(-1) !== round) rounds.push(round)
      const result = await live.acquireSlot(place('ana', 't1'), { trunk: 2 }, round)
      return 'release' in result ? result : undefined
    }, stop.signal),
  )
  await until('all were tried', () => rounds.length >= 2)
  stop.abort()
  await Promise.all(waiting)
  assert.equal(asked, rounds.length)
  assert.equal(live.total, 0)
})

test('a call with a share leaves the rest of every limit free for others', async () => {
  const live = callCapacity({ maxCalls: 10, maxCallsPerUser: 8 })
  const campaign = { trunk: 5, share: 0.8 }
  for (let i = 0; i < 4; i++) await acquired(live, place('ana', 't1'), campaign)
  assert.deepEqual(await refused(live, place('ana', 't1'), campaign), ['trunk', 4])
  assert.equal(await live.hasRoom('ana', 0.8), true)
  for (let i = 0; i < 2; i++) await acquired(live, place('ana', 't2'), campaign)
  assert.deepEqual(await refused(live, place('ana', 't3'), campaign), ['user', 6])
  assert.equal(await live.hasRoom('ana', 0.8), false)
  for (let i = 0; i < 2; i++) await acquired(live, place('bia', 't4'), campaign)
  assert.deepEqual(await refused(live, place('bia', 't4'), campaign), ['platform', 8])
  await acquired(live, place('ana', 't1'), { trunk: 5 }) // inbound calls may use what campaigns must leave free
  await acquired(live, place('bia', 't4'), { trunk: 5 })
  assert.deepEqual(await refused(live, place('bia', 't4'), { trunk: 5 }), ['platform', 10])
})

test('a limit of one serves campaigns too', async () => {
  const live = callCapacity({ maxCalls: 100, maxCallsPerUser: 100 })
  await acquired(live, place('ana', null, 'd1'), { device: 1, share: 0.1 })
  assert.deepEqual(await refused(live, place('ana', null, 'd1'), { device: 1, share: 0.1 }), ['device', 1])
})
