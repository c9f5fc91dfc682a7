import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { until } from '../../../test/until.ts'
import { newRequest } from '../message/build.ts'
import type { Flow, SipResponse } from '../message/message.ts'
import { parseNameAddr } from '../message/values.ts'
import { type Binding, Registrar } from './registrar.ts'

const flow = (port: number, connection?: number): Flow => ({
  transport: connection === undefined ? 'udp' : 'tcp',
  remote: { address: '203.0.113.5', port },
  local: { address: '192.0.2.9', port: 5060 },
  ...(connection !== undefined && { connection }),
})

/** A registrar on a stopped clock, and a phone that can talk to it. */
function setUp(t: TestContext, options: ConstructorParameters<typeof Registrar>[0] = {}) {
  const clock = { now: 1_700_000_000_000 }
  const registrar = new Registrar({ now: () => clock.now, sweepEveryMs: 0, ...options })
  t.after(() => registrar.close())
  const changes: string[] = []
  registrar.onChange((aor, isRegistered) => changes.push(`${aor} ${isRegistered ? 'came' : 'left'}`))
  let cseq = 0
  const register = (
    contacts: string[],
    more: { headers?: [string, string][]; callId?: string; cseq?: number; aor?: string; flow?: Flow } = {},
  ) => {
    cseq = more.cseq ?? cseq + 1
    const request = newRequest({
      method: 'REGISTER',
      uri: 'sip:ramal.example',
      from: '<sip:alice@ramal.example>;tag=1',
      to: '<sip:alice@ramal.example>',
      callId: more.callId ?? 'phone-1',
      cseq,
      headers: [...contacts.map((text): [string, string] => ['contact', text]), ...(more.headers ?? [])],
    })
    return registrar.register(more.aor ?? 'alice', request, more.flow ?? flow(40_000))
  }
  const uris = () => registrar.lookup('alice').map(({ contact }) => contact)
  return { clock, registrar, changes, register, uris }
}

const contacts = (response: SipResponse) =>
  response.headers
    .all('contact')
    .map((text) => `${parseNameAddr(text)?.uri} ${parseNameAddr(text)?.params.get('expires')}`)

test('a phone registers, is found with its flow, and gets its expiry', (t) => {
  const { registrar, register, clock, changes } = setUp(t)
  const response = register(['"A" <sip:alice@10.0.0.5:5060;transport=udp>;q=0.5;+sip.instance="<urn:x>"'], {
    headers: [
      ['expires', '120'],
      ['user-agent', 'Phone 1'],
    ],
  })
  assert.equal(response.status, 200)
  assert.equal(
    response.headers.get('contact'),
    '<sip:alice@10.0.0.5:5060;transport=udp>;q=0.5;+sip.instance="<urn:x>";expires=120',
  )
  assert.equal(response.headers.get('date'), 'Tue, 14 Nov 2023 22:13:20 GMT')
  const [binding] = registrar.lookup('alice')
  assert.equal(binding?.target, 'sip:alice@10.0.0.5:5060;transport=udp')
  assert.equal(binding?.flow.remote.port, 40_000)
  assert.equal(binding?.expiresAt, clock.now + 120_000)
  assert.equal(binding?.userAgent, 'Phone 1')
  assert.deepEqual(changes, ['alice came'])
  assert.deepEqual(registrar.lookup('bob'), [])
})

test('the remaining time is reported, and an expired binding is gone', (t) => {
  const { register, clock, registrar, changes, uris } = setUp(t)
  register(['<sip:a@1>'], { headers: [['expires', '100']] })
  clock.now += 30_500
  assert.deepEqual(contacts(register([])), ['sip:a@1 70'])
  clock.now += 69_500
  assert.deepEqual(uris(), [])
  assert.deepEqual(changes, ['alice came'])
  registrar.expire()
  registrar.expire()
  assert.deepEqual(changes, ['alice came', 'alice left'])
  assert.equal(registrar.size, 0)
})

test('bindings expire without a lookup', async (t) => {
  const { register, clock, changes, registrar } = setUp(t, { sweepEveryMs: 5 })
  register(['<sip:a@1>'])
  clock.now += 3_600_000
  await until('the phone is gone', () => changes.length === 2)
  assert.equal(registrar.size, 0)
})

test('expiry: Contact parameter before Expires header before default', (t) => {
  const { register } = setUp(t, { defaultExpires: 300 })
  assert.deepEqual(
    contacts(register(['<sip:a@1>;expires=100', '<sip:a@2>'], { headers: [['expires', '200']] })).sort(),
    ['sip:a@1 100', 'sip:a@2 200'],
  )
  assert.deepEqual(contacts(register(['<sip:a@1>;expires=0, <sip:a@2>'])), ['sip:a@2 300'])
  assert.deepEqual(contacts(register(['<sip:a@2>;expires=99999999999', '<sip:a@3>;expires=x'])).sort(), [
    'sip:a@2 3600',
    'sip:a@3 3600',
  ])
  assert.deepEqual(contacts(register(['<sip:a@2>;expires=86400', '<sip:a@3>;expires=0'])), ['sip:a@2 3600'])
})

test('too short a time is refused with the shortest allowed, and nothing is changed', (t) => {
  const { register, uris } = setUp(t, { minExpires: 60 })
  const response = register(['<sip:a@1>', '<sip:a@2>;expires=59'])
  assert.deepEqual([response.status, response.headers.get('min-expires')], [423, '60'])
  assert.deepEqual(uris(), [])
  assert.equal(register(['<sip:a@1>;expires=60']).status, 200)
})

test('a star removes everything, but only alone and with Expires 0', (t) => {
  const { register, uris, changes } = setUp(t)
  register(['<sip:a@1>', '<sip:a@2>'])
  for (const [list, expires] of [
    [['*'], '60'],
    [['*'], ''],
    [['*', '<sip:a@1>'], '0'],
  ] as const)
    assert.equal(register([...list], { headers: [['expires', expires]] }).status, 400)
  assert.equal(register(['*']).status, 400)
  assert.equal(uris().length, 2)
  const response = register(['*'], { headers: [['expires', '0']] })
  assert.deepEqual([response.status, contacts(response)], [200, []])
  assert.deepEqual(uris(), [])
  assert.deepEqual(changes, ['alice came', 'alice left'])
})

test('an older request of the same phone changes nothing, a newer one and another phone do', (t) => {
  const { register, uris } = setUp(t)
  register(['<sip:a@1>'], { cseq: 10 })
  assert.equal(register(['<sip:a@1>;expires=0'], { cseq: 10 }).status, 500)
  assert.equal(register(['<sip:a@2>', '<sip:a@1>;expires=0'], { cseq: 9 }).status, 500)
  assert.equal(register(['*'], { cseq: 10, headers: [['expires', '0']] }).status, 500)
  assert.deepEqual(uris(), ['sip:a@1'])
  assert.equal(register(['<sip:a@1>;expires=0'], { cseq: 1, callId: 'phone-2' }).status, 200)
  assert.deepEqual(uris(), [])
})

test('the same contact written otherwise is the same, with its new way', (t) => {
  const { register, registrar } = setUp(t)
  register(['<sip:%61lice@Host.example;transport=TCP>'])
  register(['<sip:alice@HOST.example;transport=tcp>'], { flow: flow(40_001) })
  assert.deepEqual(
    registrar.lookup('alice').map((binding) => binding.flow.remote.port),
    [40_001],
  )
})

test('a device that moved replaces its old binding', (t) => {
  const { register, uris } = setUp(t)
  register(['<sip:a@1>;+sip.instance="<urn:uuid:1>"'])
  register(['<sip:a@2>;+sip.instance="<urn:uuid:1>"'], { callId: 'after restart' })
  register(['<sip:a@3>;+sip.instance="<urn:uuid:2>"'])
  assert.deepEqual(uris().sort(), ['sip:a@2', 'sip:a@3'])
  register(['<sip:a@4>;+sip.instance="<urn:uuid:2>";reg-id=2'])
  assert.deepEqual(uris().sort(), ['sip:a@2', 'sip:a@3', 'sip:a@4'])
})

test('bindings are ordered by q, then by age', (t) => {
  const { register, uris, clock } = setUp(t)
  register(['<sip:low@1>;q=0.1', '<sip:odd@1>;q=7'])
  clock.now += 1000
  register(['<sip:new@1>', '<sip:mid@1>;q=0.5'])
  assert.deepEqual(uris(), ['sip:new@1', 'sip:odd@1', 'sip:mid@1', 'sip:low@1'])
})

test('bindings per address are bounded: the oldest are dropped', (t) => {
  const { register, uris, clock } = setUp(t, { maxContacts: 3 })
  for (let i = 1; i <= 5; i++) {
    clock.now += 1000
    assert.equal(register([`<sip:a@${i}>`]).status, 200)
  }
  assert.deepEqual(uris(), ['sip:a@5', 'sip:a@4', 'sip:a@3'])
  assert.equal(register(Array.from({ length: 21 }, (_, i) => `<sip:b@${i}>`)).status, 400)
})

test('an invalid Contact is refused', (t) => {
  const { register, uris } = setUp(t)
  for (const bad of [
    '<tel:+123456>',
    '<http://x>',
    'alice',
    '<sip:a@b',
    'sip:a@b?x=y',
    '"x" sip:a@b',
    `<sip:a@b>;x=${'y'.repeat(3000)}`,
  ])
    assert.equal(register([bad]).status, 400, bad)
  assert.deepEqual(uris(), [])
})

test('the name of a phone is stored without control characters, which PostgreSQL does not take', (t) => {
  const { register, registrar } = setUp(t)
  register(['<sip:a@1>'], { headers: [['user-agent', `Phone\0 1\x07${'x'.repeat(300)}`]] })
  assert.match(registrar.lookup('alice')[0]?.userAgent ?? '', /^Phone {2}1 x{191}$/)
})

test('a stranger costs no search through all bindings', (t) => {
  const { registrar, clock } = setUp(t)
  let reads = 0
  const at = (address: string, port: number) => ({ ...flow(port), remote: { address, port } })
  const bindingAt = (address: string): Binding => ({
    contact: 'sip:a@1',
    target: 'sip:a@1',
    params: new Map(),
    callId: 'c',
    cseq: 1,
    path: [],
    userAgent: null,
    registeredAt: clock.now,
    expiresAt: clock.now + 60_000,
    get flow() {
      reads++
      return at(address, 5060)
    },
  })
  for (let i = 0; i < 500; i++) registrar.set(`phone${i}`, [bindingAt(`203.0.113.${i % 250}`)])
  registrar.set('mapped', [bindingAt('::ffff:192.0.2.3')])
  reads = 0
  assert.deepEqual([registrar.isFrom(at('198.51.100.1', 5060)), registrar.hasAddress('198.51.100.1')], [false, false])
  assert.equal(reads, 0)
  assert.deepEqual([registrar.isFrom(at('203.0.113.7', 5060)), registrar.hasAddress('192.0.2.3')], [true, true])
  assert.ok(reads < 10)
  registrar.remove('phone7')
  assert.equal(registrar.hasAddress('203.0.113.7'), true, 'another phone is there')
  registrar.remove('phone257')
  assert.equal(registrar.hasAddress('203.0.113.7'), false)
  clock.now += 60_000
  assert.equal(registrar.hasAddress('203.0.113.8'), false)
})

test('the Path of proxies is stored and returned', (t) => {
  const { register, registrar } = setUp(t)
  const response = register(['<sip:a@1>'], {
    headers: [
      ['path', '<sip:p1;lr>, <sip:p2;lr>'],
      ['require', 'path'],
    ],
  })
  assert.deepEqual(registrar.lookup('alice')[0]?.path, ['<sip:p1;lr>', '<sip:p2;lr>'])
  assert.equal(response.headers.get('path'), '<sip:p1;lr>, <sip:p2;lr>')
  assert.equal(register(['<sip:a@1>'], { headers: [['require', 'gruu']] }).status, 420)
})

test('the Path is bounded, and names SIP addresses only', (t) => {
  const { register, uris } = setUp(t)
  const through = (...path: string[]) =>
    register(['<sip:a@1>'], { headers: path.map((value) => ['path', value]) }).status
  const proxies = (count: number) => Array.from({ length: count }, (_, i) => `<sip:p${i};lr>`)
  for (const bad of [proxies(6), ['<tel:+123456>'], ['p1'], [`<sip:${'p'.repeat(300)};lr>`]])
    assert.equal(through(...bad), 400, bad[0])
  assert.deepEqual(uris(), [])
  assert.equal(through(...proxies(5)), 200)
})

test('a phone behind a proxy is known by the address of the proxy, another one by its flow', (t) => {
  const { register, registrar } = setUp(t)
  register(['<sip:a@1>'])
  assert.deepEqual([registrar.isFrom(flow(40_000)), registrar.isFrom(flow(40_001))], [true, false])
  register(['<sip:a@2>'], { headers: [['path', '<sip:p;lr>']], flow: flow(1, 7) })
  assert.deepEqual([registrar.isFrom(flow(2, 8)), registrar.isFrom(flow(40_001))], [true, false])
})

test('a removed address loses its bindings, and its listeners hear of it once', (t) => {
  const { register, registrar, uris, changes } = setUp(t)
  register(['<sip:a@1>'], { flow: flow(1, 7) })
  register(['<sip:a@2>'])
  assert.deepEqual(uris().sort(), ['sip:a@1', 'sip:a@2'])
  registrar.remove('alice')
  registrar.remove('alice')
  assert.deepEqual([uris(), changes], [[], ['alice came', 'alice left']])
})

test('an unsubscribed listener is not called', (t) => {
  const { register, registrar, changes } = setUp(t)
  const others: string[] = []
  const stop = registrar.onChange((aor) => others.push(aor))
  register(['<sip:a@1>'], { aor: '__proto__' })
  stop()
  registrar.remove('__proto__')
  assert.deepEqual([others, changes], [['__proto__'], ['__proto__ came', '__proto__ left']])
})
