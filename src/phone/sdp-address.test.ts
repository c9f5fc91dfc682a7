import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newRequest } from '../sip/message/build.ts'
import type { Flow, Hop } from '../sip/message/message.ts'
import { requestSources } from './request-source.ts'
import { sdpAddresses } from './sdp-address.ts'

const proxy: Flow = {
  transport: 'udp',
  remote: { address: '10.0.0.5', port: 5060 },
  local: { address: '10.0.0.11', port: 5060 },
}

const addresses = (host: string, publicAddress: string | null = null) =>
  sdpAddresses(
    { host, publicAddress },
    {
      contactOf: (to: Hop | Flow) => ({
        host: ('remote' in to ? to.remote : to).address.includes(':') ? 'fd00::11' : '10.0.0.11',
      }),
      sources: requestSources(['10.0.0.5']),
      resolver: { resolve: async ({ host: address }) => [{ transport: 'udp', address, port: 5060 }] },
      ownAddressFor: (remote) => (remote.includes(':') ? '2001:db8::11' : '198.51.100.11'),
    },
  )

const invite = (source: string) =>
  newRequest({
    method: 'INVITE',
    uri: 'sip:x@ramal',
    from: '<sip:a@b>;tag=1',
    to: '<sip:x@ramal>',
    callId: '1',
    cseq: 1,
    headers: [['X-Ramal-Source', `${source} 5060 udp`]],
  })
const offerAt = (address: string) =>
  `v=0\r\nc=IN IP${address.includes(':') ? 6 : 4} ${address}\r\nm=audio 4 RTP/AVP 0\r\n`
const inbound = (source: string, offer: string | null) => ({ invite: invite(source), flow: proxy, offer })

test('a caller behind the proxy is answered in the family of its offer, else of its source', () => {
  const both = addresses('::', '203.0.113.11')
  assert.equal(both.forCall(inbound('2001:db8::7', offerAt('2001:db8::7'))), '2001:db8::11')
  assert.equal(both.forCall(inbound('2001:db8::7', null)), '2001:db8::11')
  assert.equal(both.forCall(inbound('2001:db8::7', offerAt('192.0.2.7'))), '203.0.113.11')
  assert.equal(both.forCall(inbound('192.0.2.7', offerAt('192.0.2.7'))), '203.0.113.11')
  assert.equal(both.forCall(inbound('192.0.2.7', 'v=0\r\nc=IN IP4 phone.example\r\n')), '203.0.113.11')
  assert.equal(addresses('::').forCall(inbound('192.0.2.7', offerAt('192.0.2.7'))), '10.0.0.11')
  assert.equal(addresses('::', '2001:db8::5').forCall(inbound('192.0.2.7', null)), '198.51.100.11')
})

test('where we listen on one family only, or PUBLIC_ADDRESS is a name, the peer changes nothing', () => {
  for (const host of ['0.0.0.0', '10.0.0.11']) {
    assert.equal(addresses(host).forCall(inbound('2001:db8::7', offerAt('2001:db8::7'))), '10.0.0.11')
    assert.equal(addresses(host, '203.0.113.11').forCall(inbound('2001:db8::7', null)), '203.0.113.11')
  }
  assert.equal(addresses('::', 'sip.example').forCall(inbound('2001:db8::7', null)), 'sip.example')
})

test('a phone behind the proxy is offered the family in which the proxy saw it, else that of its Contact', async () => {
  const both = addresses('::')
  const path = (received: string) => [`<sip:10.0.0.5:5060;lr${received}>`]
  const six = { uri: 'sip:desk@[2001:db8::7]:5060', path: path('') }
  assert.equal(await both.forRoute(six), '2001:db8::11')
  const tls = path(';received=sip:[2001:db8::7]:40000%3Btransport%3Dtls')
  assert.equal(await both.forRoute({ uri: 'sip:desk@192.168.1.7', path: tls }), '2001:db8::11')
  assert.equal(await both.forRoute({ uri: 'sip:desk@192.168.1.7', path: path(';received=sip:192.0.2.7') }), '10.0.0.11')
  assert.equal(await addresses('0.0.0.0').forRoute(six), '10.0.0.11')
})

test('a trunk is offered the family of the next hop, a registered phone that of its flow', async () => {
  const nated = addresses('::', '203.0.113.11')
  assert.equal(await nated.forRoute({ uri: 'sip:+1@[2001:db8::9]' }), '2001:db8::11')
  assert.equal(await nated.forRoute({ uri: 'sip:+1@[2001:db8::9]', route: 'sip:192.0.2.9;lr' }), '203.0.113.11')
  assert.equal(await nated.forRoute({ uri: 'sip:+1@carrier.example' }), '203.0.113.11')
  assert.equal(await addresses('::').forRoute({ uri: 'sip:+1@[2001:db8::9]' }), 'fd00::11')
  const flow: Flow = { ...proxy, remote: { address: '::ffff:192.0.2.7', port: 5060 } }
  assert.equal(await nated.forRoute({ uri: 'sip:desk@[2001:db8::7]', flow }), '203.0.113.11')
})
