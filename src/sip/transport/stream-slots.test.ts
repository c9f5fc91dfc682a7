import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectionSlots } from './stream-slots.ts'

const limits = {
  maxConnections: 10,
  outboundReserve: 2,
  maxPerNetwork: 5,
  maxPerOwner: 100,
  maxUnauthenticatedPerNetwork: 3,
  maxUnauthenticated: 6,
}

/** Slots that record which connections were closed to make room. */
function open(more: Partial<typeof limits> = {}) {
  const slots = new ConnectionSlots({ ...limits, ...more })
  const closed: string[] = []
  const enter = (address: string, isAuthenticated = false, owner = 'usr') => {
    const slot = slots.enterInbound(address, isAuthenticated ? owner : undefined, () => {
      closed.push(address)
      slot?.leave()
    })
    return slot
  }
  return { slots, closed, enter }
}

test('unauthenticated connections are counted by address, of IPv6 by /64', () => {
  const { enter } = open()
  for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:ffff::3']) assert.ok(enter(address), address)
  assert.equal(enter('2001:db8::4'), undefined)
  assert.ok(enter('2001:db8:0:1::1'), 'another /64')
  assert.ok(enter('192.0.2.1'))
  assert.ok(enter('192.0.2.2'))
})

test('an authenticated connection makes room for another from its address, up to the larger bound', () => {
  const { enter } = open()
  const first = [enter('192.0.2.1'), enter('192.0.2.1'), enter('192.0.2.1')]
  assert.equal(enter('192.0.2.1'), undefined)
  for (const slot of first) slot?.authenticate()
  const more = [enter('192.0.2.1'), enter('192.0.2.1', true)]
  assert.ok(more.every(Boolean))
  assert.equal(enter('192.0.2.1', true), undefined, 'five from one address')
  first[0]?.leave()
  first[0]?.leave()
  assert.ok(enter('192.0.2.1', true))
  assert.equal(enter('192.0.2.1', true), undefined, 'who leaves twice is counted once')
})

test('the oldest unauthenticated connection gives way, an authenticated one never', () => {
  const { enter, closed } = open()
  enter('192.0.2.1')?.authenticate()
  for (let i = 2; i <= 8; i++) enter(`192.0.2.${i}`)
  assert.deepEqual(closed, ['192.0.2.2'], 'six at once')
  const full = open({ maxUnauthenticated: 100 })
  for (let i = 1; i <= 8; i++) full.enter(`192.0.2.${i}`, i > 1)
  assert.ok(full.enter('192.0.2.9', true))
  assert.deepEqual(full.closed, ['192.0.2.1'])
  assert.equal(full.enter('192.0.2.10', true), undefined, 'nobody is left who would give way')
})

test('connections that we open have a reserve', () => {
  const { slots, enter } = open({ maxUnauthenticated: 100 })
  for (let i = 1; i <= 8; i++) assert.ok(enter(`192.0.2.${i}`, true))
  assert.equal(enter('192.0.2.9', true), undefined)
  const ours = [slots.enterOutbound(), slots.enterOutbound()]
  assert.ok(ours.every(Boolean))
  assert.equal(slots.enterOutbound(), undefined)
  ours[0]?.leave()
  assert.ok(slots.enterOutbound())
})

test('one owner holds a part of the slots, whatever the addresses; what is above it counts as unauthenticated', () => {
  const { enter } = open({ maxPerOwner: 2, maxConnections: 20 })
  const first = enter('192.0.2.1', true)
  assert.ok(enter('192.0.2.2', true)?.isAuthenticated)
  const third = enter('192.0.2.3', true)
  assert.equal(third?.isAuthenticated, false)
  assert.equal(third?.authenticate('usr'), false)
  assert.ok(enter('192.0.2.3', true, 'other')?.isAuthenticated, 'another owner has slots')
  first?.leave()
  first?.leave()
  assert.equal(third?.authenticate('usr'), true)
  assert.equal(enter('192.0.2.4', true)?.isAuthenticated, false, 'two again')
})
