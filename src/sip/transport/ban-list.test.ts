import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBanList, isScanner } from './ban-list.ts'

test('ten failures in a minute ban an address, longer each time', () => {
  let at = 0
  const banList = createBanList(() => at)
  const knock = (times: number) => Array.from({ length: times }, () => banList.recordFailure('192.0.2.1'))
  assert.ok(knock(9).every((blocked) => !blocked))
  assert.ok(!banList.isBlocked('192.0.2.1'))
  assert.deepEqual(knock(1), [true])
  assert.ok(banList.isBlocked('192.0.2.1') && !banList.isBlocked('192.0.2.2'))
  at = 59_999
  assert.ok(banList.isBlocked('192.0.2.1'))
  at = 60_001
  assert.ok(!banList.isBlocked('192.0.2.1'))
  knock(10)
  at += 119_000
  assert.ok(banList.isBlocked('192.0.2.1'), 'twice as long the second time')
  at += 2000
  assert.ok(!banList.isBlocked('192.0.2.1'))
})

test('occasional failures never lead to a ban', () => {
  let at = 0
  const banList = createBanList(() => at)
  for (let i = 0; i < 200; i++) {
    at += 10_000
    assert.equal(banList.recordFailure('192.0.2.1'), false)
  }
})

test('authentication resets the failures', () => {
  const banList = createBanList(() => 0)
  for (let i = 0; i < 100; i++) {
    assert.equal(banList.recordFailure('192.0.2.1', { weight: 2 }), false)
    banList.reset('192.0.2.1')
  }
})

test('an authenticated phone is served from a banned address, for an hour', () => {
  let at = 0
  const banList = createBanList(() => at)
  banList.reset('192.0.2.1', 5060)
  for (let i = 0; i < 10; i++) banList.recordFailure('192.0.2.1')
  assert.ok(banList.isBlocked('192.0.2.1', 5061) && banList.isBlocked('192.0.2.1'))
  assert.ok(!banList.isBlocked('192.0.2.1', 5060))
  at = 3_600_001
  for (let i = 0; i < 10; i++) banList.recordFailure('192.0.2.1')
  assert.ok(banList.isBlocked('192.0.2.1', 5060))
})

test('spoofable failures limit an address for ten seconds and never ban it', () => {
  let at = 0
  const banList = createBanList(() => at)
  const forge = (times: number) =>
    Array.from({ length: times }, () => banList.recordFailure('192.0.2.1', { isVerified: false }))
  for (let round = 0; round < 100; round++) {
    assert.deepEqual(forge(10), [...Array(9).fill(false), true])
    assert.ok(banList.isLimited('192.0.2.1') && !banList.isBlocked('192.0.2.1'))
    assert.ok(!banList.isLimited('192.0.2.2'))
    at += 10_001
    assert.ok(!banList.isLimited('192.0.2.1'))
  }
  banList.reset('192.0.2.1', 5060)
  forge(300)
  assert.ok(banList.isBlocked('192.0.2.1', 5061), 'a flood is not read')
  assert.ok(!banList.isBlocked('192.0.2.1', 5060) && !banList.isLimited('192.0.2.1', 5060), 'who has a password is')
  at += 10_001
  assert.ok(!banList.isBlocked('192.0.2.1', 5061))
})

test('a flood from many addresses uses bounded memory', () => {
  const banList = createBanList(() => 0)
  for (let i = 0; i < 60_000; i++) banList.recordFailure(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`)
  assert.equal(banList.size, 50_000)
})

test('scanning tools are recognised by user agent', () => {
  for (const name of ['friendly-scanner', 'sipvicious', 'sipcli/v1.8', 'VaxSIPUserAgent/3.1'])
    assert.ok(isScanner(name))
  for (const name of ['baresip v1.0.0', 'Linphone/5.1', 'Kamailio (5.6.3)', undefined]) assert.ok(!isScanner(name))
})
