import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openDnsServer, type Zone } from '../../../test/dns-server.ts'
import type { Hop } from '../message/message.ts'
import { parseUri } from '../message/uri.ts'
import { createResolver, type Target } from './resolver.ts'

const show = ({ transport, address, port, serverName }: Hop) =>
  `${transport} ${address} ${port}${serverName ? ` as ${serverName}` : ''}`

async function open(t: TestContext, zone: Zone, more: { ignores?: (question: string) => boolean } = {}) {
  const { questions, resolver: dns } = await openDnsServer(t, zone, more.ignores)
  const time = { ms: 0 }
  let lot = 0
  const resolver = createResolver({ dns, now: () => time.ms, random: () => lot })
  const of = async (target: string | Target) => {
    const uri = typeof target === 'string' ? parseUri(target) : target
    return (await resolver.resolve(uri ?? assert.fail())).map(show)
  }
  return { resolver, of, questions, time, draw: (value: number) => (lot = value) }
}

const carrier: Zone = {
  'carrier.test': [
    { naptr: [20, 10, 's', 'SIP+D2U', '_sip._udp.carrier.test'] },
    { naptr: [10, 20, 's', 'SIP+D2T', '_sip._tcp.carrier.test'] },
    { naptr: [10, 10, 'S', 'SIPS+D2T', '_sips._tcp.carrier.test'] },
    { naptr: [1, 1, 's', 'SIP+D2S', '_sip._sctp.carrier.test'] },
    { a: '192.0.2.1' },
  ],
  '_sips._tcp.carrier.test': [{ srv: [10, 0, 5071, 'edge1.carrier.test'] }],
  '_sip._tcp.carrier.test': [{ srv: [10, 0, 5072, 'edge1.carrier.test'] }],
  '_sip._udp.carrier.test': [
    { srv: [20, 0, 5074, 'edge2.carrier.test'] },
    { srv: [10, 0, 5073, 'edge1.carrier.test'] },
  ],
  'edge1.carrier.test': [{ a: '192.0.2.11' }, { a: '2001:db8::11' }],
  'edge2.carrier.test': [{ a: '192.0.2.12' }],
}

test('an address needs no name server', async (t) => {
  const { of, questions } = await open(t, {})
  assert.deepEqual(await of('sip:1.2.3.4'), ['udp 1.2.3.4 5060'])
  assert.deepEqual(await of('sip:x@1.2.3.4:5080;transport=tcp'), ['tcp 1.2.3.4 5080'])
  assert.deepEqual(await of('sips:1.2.3.4'), ['tls 1.2.3.4 5061 as 1.2.3.4'])
  assert.deepEqual(await of('sip:[2001:db8::1]:5062'), ['udp 2001:db8::1 5062'])
  assert.deepEqual(await of({ host: '[::1]', port: null, transport: 'TLS' }), ['tls ::1 5061 as ::1'])
  assert.deepEqual(await of('tel:+491234'), [])
  assert.deepEqual(questions, [])
})

test('with a port only the addresses are asked for, IPv4 first', async (t) => {
  const { of, questions } = await open(t, carrier)
  assert.deepEqual(await of('sip:edge1.carrier.test:5090'), ['udp 192.0.2.11 5090', 'udp 2001:db8::11 5090'])
  assert.deepEqual(questions.toSorted(), ['A edge1.carrier.test', 'AAAA edge1.carrier.test'])
  assert.deepEqual(await of('sips:edge2.carrier.test:5090'), ['tls 192.0.2.12 5090 as edge2.carrier.test'])
})

test('NAPTR says which transports in which order, SRV which machines; the certificate is for the name asked for', async (t) => {
  const { of } = await open(t, carrier)
  assert.deepEqual(await of('sip:bob@Carrier.test'), [
    'tls 192.0.2.11 5071 as carrier.test',
    'tls 2001:db8::11 5071 as carrier.test',
    'tcp 192.0.2.11 5072',
    'tcp 2001:db8::11 5072',
    'udp 192.0.2.11 5073',
    'udp 2001:db8::11 5073',
    'udp 192.0.2.12 5074',
  ])
  assert.deepEqual(await of('sips:carrier.test'), [
    'tls 192.0.2.11 5071 as carrier.test',
    'tls 2001:db8::11 5071 as carrier.test',
  ])
})

test('a transport in the URI asks for its own SRV alone; sips over TCP is TLS', async (t) => {
  const { of, questions } = await open(t, carrier)
  const udp = ['udp 192.0.2.11 5073', 'udp 2001:db8::11 5073', 'udp 192.0.2.12 5074']
  assert.deepEqual(await of('sip:carrier.test;transport=udp'), udp)
  assert.ok(!questions.some((question) => question.startsWith('NAPTR')))
  assert.equal((await of('sips:carrier.test;transport=tcp'))[0], 'tls 192.0.2.11 5071 as carrier.test')
  assert.equal((await of('sip:other.test;transport=udp;maddr=192.0.2.77'))[0], 'udp 192.0.2.77 5060')
})

test('without NAPTR the SRV records of all transports count, without SRV the addresses', async (t) => {
  const { of } = await open(t, {
    'srv.test': [{ a: '192.0.2.1' }],
    '_sip._tcp.srv.test': [{ srv: [1, 1, 5072, 'srv.test'] }],
    '_sip._udp.srv.test': [{ srv: [1, 1, 5073, 'srv.test'] }],
    'plain.test': [{ a: '192.0.2.3' }, { a: '192.0.2.4' }],
    'none.test': [{ a: '192.0.2.5' }],
    '_sip._udp.none.test': [{ srv: [0, 0, 0, '.'] }],
  })
  assert.deepEqual(await of('sip:srv.test'), ['udp 192.0.2.1 5073', 'tcp 192.0.2.1 5072'])
  assert.deepEqual(await of('sip:plain.test'), ['udp 192.0.2.3 5060', 'udp 192.0.2.4 5060'])
  assert.deepEqual(await of('sips:plain.test'), [
    'tls 192.0.2.3 5061 as plain.test',
    'tls 192.0.2.4 5061 as plain.test',
  ])
  assert.deepEqual(await of('sip:nowhere.test'), [])
})

test('RFC 2782: within a priority the lot falls by weight, and every machine is in the list', async (t) => {
  const { of, draw } = await open(t, {
    '_sip._udp.w.test': [
      { srv: [1, 10, 1, 'a.test'] },
      { srv: [1, 90, 2, 'a.test'] },
      { srv: [0, 0, 3, 'a.test'] },
      { srv: [1, 0, 4, 'a.test'] },
    ],
    'a.test': [{ a: '192.0.2.1' }],
  })
  const ports = async (lot: number) => {
    draw(lot)
    return (await of('sip:w.test;transport=udp')).map((hop) => Number(hop.split(' ')[2]))
  }
  assert.deepEqual(await ports(0.05), [3, 1, 2, 4])
  assert.deepEqual(await ports(0.5), [3, 2, 1, 4])
})

test('answers are kept for their time, at most a minute; no answer for five seconds', async (t) => {
  const zone: Zone = { 'short.test': [{ a: '192.0.2.1', ttl: 10 }], 'long.test': [{ a: '192.0.2.1', ttl: 86_400 }] }
  const { of, questions, time } = await open(t, zone)
  const asks = async (name: string) => {
    const before = questions.length
    await Promise.all([of(`sip:${name}:5060`), of(`sip:${name}:5060`)])
    return questions.slice(before).filter((question) => question.startsWith('A ')).length
  }
  const counts = async (name: string, ...times: number[]) => {
    const seen: number[] = []
    for (const ms of times) {
      time.ms = ms
      seen.push(await asks(name))
    }
    return seen
  }
  assert.deepEqual(await counts('short.test', 0, 9000, 10_001), [1, 0, 1])
  assert.deepEqual(await counts('long.test', 20_000, 79_000, 80_001), [1, 0, 1])
  assert.deepEqual(await counts('missing.test', 90_000, 94_000, 95_001), [1, 0, 1])
  zone['missing.test'] = [{ a: '192.0.2.9' }]
  time.ms = 101_000
  assert.deepEqual(await of('sip:missing.test:5060'), ['udp 192.0.2.9 5060'])
})

test('a place that did not answer goes to the end of the list for a while', async (t) => {
  const { of, resolver, time } = await open(t, { 'two.test': [{ a: '192.0.2.1' }, { a: '192.0.2.2' }] })
  const [first, second] = ['udp 192.0.2.1 5060', 'udp 192.0.2.2 5060']
  const dead: Hop = { transport: 'udp', address: '192.0.2.1', port: 5060 }
  assert.deepEqual(await of('sip:two.test'), [first, second])
  resolver.markDead(dead)
  assert.deepEqual(await of('sip:two.test'), [second, first])
  assert.deepEqual(await of('sip:192.0.2.1'), [first])
  time.ms = 31_000
  assert.deepEqual(await of('sip:two.test'), [first, second])
  resolver.markDead(dead)
  resolver.markAlive(dead)
  assert.deepEqual(await of('sip:two.test'), [first, second])
})

test('a name server that says nothing to NAPTR or to anything does not hold up the rest', async (t) => {
  const zone: Zone = { 'odd.test': [{ a: '192.0.2.1' }], '_sip._udp.odd.test': [{ srv: [1, 1, 5073, 'odd.test'] }] }
  const odd = await open(t, zone, { ignores: (question) => question.startsWith('NAPTR') })
  assert.deepEqual(await odd.of('sip:odd.test'), ['udp 192.0.2.1 5073'])
  const silent = await open(t, zone, { ignores: () => true })
  assert.deepEqual(await silent.of('sip:odd.test'), [])
})

test('the machine’s own names are known without a name server', async () => {
  const hops = (await createResolver().resolve({ host: 'localhost', port: 5060, transport: 'tcp' })).map(show)
  assert.ok(hops.includes('tcp 127.0.0.1 5060'), `${hops}`)
})
