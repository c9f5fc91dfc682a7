import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressSet, plainAddress } from './address-set.ts'

test('an address is in a list of addresses and ranges', () => {
  const set = addressSet(['203.0.113.7', '198.51.100.0/24', '2001:db8::/32', 'not-an-address', '10.0.0.0/99'])
  for (const address of ['203.0.113.7', '198.51.100.200', '2001:db8::1', '::ffff:203.0.113.7', '::FFFF:198.51.100.1'])
    assert.ok(set.has(address), address)
  for (const address of ['203.0.113.8', '198.51.101.1', '2001:db9::1', '10.0.0.1', 'x', ''])
    assert.ok(!set.has(address), address)
})

test('a list with nothing readable in it is empty', () => {
  assert.ok(addressSet(['', 'carrier.example', '1.2.3.4/33']).isEmpty)
  assert.ok(!addressSet(['0.0.0.0/0']).isEmpty)
})

test('an IPv4-mapped IPv6 address is the IPv4 address', () => {
  assert.equal(plainAddress('::ffff:192.0.2.1'), '192.0.2.1')
  assert.equal(plainAddress('2001:db8::1'), '2001:db8::1')
  assert.equal(plainAddress('::ffff:nonsense'), '::ffff:nonsense')
})
