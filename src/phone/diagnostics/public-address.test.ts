// The public address as the peer sees it, compared with our own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Headers } from '../../sip/message/headers.ts'
import { checkPublicAddress, reflexiveAddress } from './public-address.ts'

const answer = (via: string) => ({
  kind: 'response' as const,
  status: 200,
  reason: 'OK',
  headers: new Headers([['via', via]]),
  body: Buffer.alloc(0),
})
const seen = (received: string, rport = 5060) =>
  reflexiveAddress([answer(`SIP/2.0/UDP 10.0.0.5:5060;branch=z9hG4bK1;received=${received};rport=${rport}`)])

test('the first response with a received address counts', () => {
  const silent = answer('SIP/2.0/UDP 10.0.0.5:5060;branch=z9hG4bK1')
  assert.equal(reflexiveAddress([silent]), undefined)
  assert.equal(checkPublicAddress(reflexiveAddress([silent]), '10.0.0.5', []).status, 'skipped')
  const told = answer(
    'SIP/2.0/UDP 10.0.0.5;rport=40000;received=::ffff:203.0.113.9, SIP/2.0/UDP 1.2.3.4;received=5.6.7.8',
  )
  assert.deepEqual(reflexiveAddress([silent, told]), {
    address: '203.0.113.9',
    port: 40_000,
    ourPort: null,
    transport: 'udp',
  })
})

test('the address that the remote side sees is compared with our own', () => {
  const judged = (...[to, told, addresses = []]: [ReturnType<typeof seen>, string, string[]?]) => {
    const { status, cause } = checkPublicAddress(to, told, addresses)
    return [status, cause]
  }
  assert.deepEqual(judged(seen('203.0.113.9'), '203.0.113.9'), ['ok', undefined])
  assert.deepEqual(judged(seen('203.0.113.9'), 'sip.example', ['203.0.113.9']), ['ok', undefined])
  assert.deepEqual(judged(seen('203.0.113.9'), '10.0.0.5'), ['failed', 'private_address'])
  assert.deepEqual(judged(seen('203.0.113.9'), '198.51.100.1'), ['failed', 'private_address'])
  assert.deepEqual(judged(seen('192.168.1.7'), '203.0.113.9'), ['warning', undefined])
  assert.deepEqual(judged(seen('203.0.113.9', 40_000), '203.0.113.9'), ['warning', undefined])
  assert.match(checkPublicAddress(seen('203.0.113.9'), '10.0.0.5', []).sentence ?? '', /PUBLIC_ADDRESS=203\.0\.113\.9/)
})
