import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callCapacity } from './capacity.ts'

const place = (userId: string, trunkId: string | null = null, deviceId: string | null = null) => ({
  userId,
  trunkId,
  deviceId,
})

test('each limit holds by itself, and a place that is left is free again', () => {
  const live = callCapacity({ maxCalls: 4, maxCallsPerUser: 3 })
  const a = live.enter(place('ana', 't1'), { trunk: 2 })
  const b = live.enter(place('ana', 't1'), { trunk: 2 })
  assert.ok('leave' in a && 'leave' in b)
  assert.equal((live.enter(place('ana', 't1'), { trunk: 2 }) as { limit: string }).limit, 'trunk')
  assert.ok('leave' in live.enter(place('ana', 't2'), { trunk: null }))
  assert.equal((live.enter(place('ana')) as { limit: string }).limit, 'user')
  const other = live.enter(place('bia', 't1'), { trunk: 1 })
  assert.ok('leave' in other, "another user's trunk of the same name is another trunk")
  assert.equal((live.enter(place('cid')) as { limit: string }).limit, 'platform')
  a.leave()
  a.leave()
  assert.equal(live.total, 3)
  assert.ok('leave' in live.enter(place('ana', 't1'), { trunk: 2 }))
})

test('a device has its own limit', () => {
  const live = callCapacity({ maxCalls: 10, maxCallsPerUser: 10 })
  assert.ok('leave' in live.enter(place('ana', null, 'd1'), { device: 1 }))
  assert.equal((live.enter(place('ana', null, 'd1'), { device: 1 }) as { limit: string }).limit, 'device')
  assert.ok('leave' in live.enter(place('ana', null, 'd2'), { device: 1 }))
})

test('empty resolves when the last call has left', async () => {
  const live = callCapacity({ maxCalls: 10, maxCallsPerUser: 10 })
  await live.empty()
  const places = [live.enter(place('ana')), live.enter(place('bia'))]
  let isEmpty = false
  const told = live.empty().then(() => {
    isEmpty = true
  })
  for (const each of places) {
    assert.equal(isEmpty, false)
    if ('leave' in each) each.leave()
    await Promise.resolve()
  }
  await told
  assert.equal(live.total, 0)
})

test('who waits for room gets it in turn, and who has been hung up waits no more', async () => {
  const live = callCapacity({ maxCalls: 10, maxCallsPerUser: 1 })
  const order: string[] = []
  const enter = (name: string, userId: string, signal = new AbortController().signal) =>
    live.whenRoom(() => {
      const entered = live.enter(place(userId))
      if (!('leave' in entered)) return undefined
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
  first?.leave()
  ;(await waiting[0])?.leave()
  ;(await waiting[2])?.leave()
  assert.deepEqual(order, ['first', 'other user', 'second', 'fourth'])
})
