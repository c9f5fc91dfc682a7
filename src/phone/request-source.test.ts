import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Headers } from '../sip/message/headers.ts'
import type { Flow } from '../sip/message/message.ts'
import { requestSources } from './request-source.ts'

const { sourceOf, isProxy } = requestSources(['10.0.0.5', '2001:db8::/64'])

const flow = (address: string, transport: Flow['transport'] = 'udp'): Flow => ({
  transport,
  remote: { address, port: 5060 },
  local: { address: '10.0.0.1', port: 5060 },
})

function from(address: string, ...values: readonly string[]) {
  const headers = new Headers()
  for (const value of values) headers.add('X-Ramal-Source', value)
  return sourceOf({ headers }, flow(address))
}

test('a trusted proxy says where a request came from', () => {
  assert.deepEqual(from('10.0.0.5', '203.0.113.7 40000 udp'), {
    address: '203.0.113.7',
    port: 40_000,
    isConnection: false,
    isProxied: true,
  })
  assert.equal(from('::ffff:10.0.0.5', '2001:db8:1::7 5061 tls')?.isConnection, true)
  assert.equal(from('2001:db8::9', '::ffff:203.0.113.7 5060 TCP')?.address, '203.0.113.7')
})

test('anybody else is where the packet came from, whatever the header says', () => {
  assert.deepEqual(from('10.0.0.6', '203.0.113.7 40000 udp'), {
    address: '10.0.0.6',
    port: 5060,
    isConnection: false,
    isProxied: false,
  })
  assert.equal(sourceOf({ headers: new Headers() }, flow('198.51.100.1', 'tcp'))?.isConnection, true)
  assert.equal(requestSources([]).isProxy('10.0.0.5'), false)
  assert.equal(isProxy('10.0.0.6'), false)
})

test('a proxy whose header is missing, doubled or unreadable says nothing', () => {
  for (const values of [
    [],
    ['203.0.113.7 5060 udp', '203.0.113.8 5060 udp'],
    ['203.0.113.7'],
    ['203.0.113.7 5060'],
    ['203.0.113.7 65536 udp'],
    ['203.0.113.7 -1 udp'],
    ['carrier.example 5060 udp'],
    ['203.0.113.7 5060 udp 203.0.113.8'],
    ['203.0.113.7  5060 udp'],
  ])
    assert.equal(from('10.0.0.5', ...values), null, values.join())
})
