import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isBehindNat, isPrivateAddress } from './nat.ts'

test('a Contact that only its own network knows is not used when the caller was seen at a public address', () => {
  const from = (address: string) => ({ address, port: 5060 })
  assert.equal(isBehindNat('sip:bob@192.168.1.5', from('203.0.113.9')), true)
  assert.equal(isBehindNat('sip:bob@[fd00::1]:5070', from('203.0.113.9')), true)
  assert.equal(isBehindNat('sip:bob@100.64.3.3', from('203.0.113.9')), true)
  assert.equal(isBehindNat('sip:bob@203.0.113.9:5099', from('203.0.113.9')), false)
  assert.equal(isBehindNat('sip:bob@198.51.100.1', from('203.0.113.9')), false)
  assert.equal(isBehindNat('sip:bob@pbx.example.com', from('203.0.113.9')), false)
  assert.equal(isBehindNat('sip:bob@192.168.1.5', from('10.0.0.1')), false)
})

test('private addresses of both families are known, and their neighbours are not private', () => {
  for (const one of ['10.1.2.3', '172.16.0.1', '172.31.255.1', '192.168.0.1', '169.254.9.9', '127.0.0.1', '0.0.0.0'])
    assert.equal(isPrivateAddress(one), true, one)
  for (const one of ['::1', 'fe80::1', 'fd12::1', '::ffff:10.0.0.1']) assert.equal(isPrivateAddress(one), true, one)
  for (const one of [
    '172.32.0.1',
    '172.15.0.1',
    '100.128.0.1',
    '11.0.0.1',
    '2001:db8::1',
    'fe00.test',
    '::ffff:8.8.8.8',
  ])
    assert.equal(isPrivateAddress(one), false, one)
})
