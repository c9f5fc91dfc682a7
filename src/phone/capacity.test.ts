import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callCapacity } from './capacity.ts'

const place = (userId: string, trunkId: string | null = null, deviceId: string | null = null) => ({
  userId,
  trunkId,
  deviceId,
})

test('each limit holds by itself, and a released slot is free again', () => {
  const live = callCapacity({ maxCalls: 4, maxCallsPerUser: 3 })
  const a = live.acquireSlot(place('ana', 't1'), { trunk: 2 })
  const b = live.acquireSlot(place('ana', 't1'), { trunk: 2 })
  assert.ok('release' in a && 'release' in b)
  assert.equal((live.acquireSlot(place('ana', 't1'), { trunk: 2 }) as { limit: string }).limit, 'trunk')
  assert.ok('release' in live.acquireSlot(place('ana', 't2'), { trunk: null }))
  assert.equal((live.acquireSlot(place('ana')) as { limit: string }).limit, 'user')
  const other = live.acquireSlot(place('bia', 't1'), { trunk: 1 })
  assert.ok('release' in other, "another user's trunk of the same name is another trunk")
  assert.equal((live.acquireSlot(place('cid')) as { limit: string }).limit, 'platform')
  a.release()
  a.release()
  assert.equal(live.total, 3)
  assert.ok('release' in live.acquireSlot(place('ana', 't1'), { trunk: 2 }))
})

test('a device has its own limit', () => {
  const live = callCapacity({ maxCalls: 10, maxCallsPerUser: 10 })
  assert.ok('release' in live.acquireSlot(place('ana', null, 'd1'), { device: 1 }))
  assert.equal((live.acquireSlot(place('ana', null, 'd1'), { device: 1 }) as { limit: string }).limit, 'device')
  assert.ok('release' in live.acquireSlot(place('ana', null, 'd2'), { device: 1 }))
})

test('empty resolves when the last slot is released', async () => {
  const live = callCapacity({ maxCalls: 10, maxCallsPerUser: 10 })
  await live.empty()
  const places = [live.acquireSlot(place('ana')), live.acquireSlot(place('bia'))]
  let isEmpty = false
  const told = live.empty().then(() => {
    isEmpty = true
  })
  for (const each of places) {
    assert.equal(isEmpty, false)
    if ('release' in each) each.release()
    await Promise.resolve()
  }
  await told
  assert.equal(live.total, 0)
})

test('waiting calls get slots in order of arrival, and an aborted one leaves the queue', async () => {
  const live = callCapacity({ maxCalls: 10, maxCallsPerUser: 1 })
  const order: string[] = []
  const enter = (name: string, userId: string, signal = new AbortController().signal) =>
    live.waitForSlot(() => {
      const entered = live.acquireSlot(place(userId))
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

test('a call with a share leaves the rest of every limit free for others', () => {
  const live = callCapacity({ maxCalls: 10, maxCallsPerUser: 8 })
  const campaign = (user: string, trunk: string) => live.acquireSlot(place(user, trunk), { trunk: 5, share: 0.8 })
  for (let i = 0; i < 4; i++) assert.ok('release' in campaign('ana', 't1'))
  assert.deepEqual(pick(campaign('ana', 't1')), ['trunk', 4])
  for (let i = 0; i < 2; i++) assert.ok('release' in campaign('ana', 't2'))
  assert.deepEqual(pick(campaign('ana', 't3')), ['user', 6])
  for (let i = 0; i < 2; i++) assert.ok('release' in campaign('bia', 't4'))
  assert.deepEqual(pick(campaign('bia', 't4')), ['platform', 8])
  assert.ok('release' in live.acquireSlot(place('ana', 't1'), { trunk: 5 }), 'an inbound call gets what is free')
  assert.ok('release' in live.acquireSlot(place('bia', 't4'), { trunk: 5 }))
  assert.equal((live.acquireSlot(place('bia', 't4'), { trunk: 5 }) as { limit: string }).limit, 'platform')
})

test('a limit of one serves campaigns too', () => {
  const live = callCapacity({ maxCalls: 100, maxCallsPerUser: 100 })
  const first = live.acquireSlot(place('ana', null, 'd1'), { device: 1, share: 0.1 })
  assert.ok('release' in first)
  assert.deepEqual(pick(live.acquireSlot(place('ana', null, 'd1'), { device: 1, share: 0.1 })), ['device', 1])
})

const pick = (slot: object) => {
  const { limit, max } = slot as { limit: string; max: number }
  return [limit, max]
}
