import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatUri, parseUri, sameUri } from './uri.ts'

test('every part of an address is read', () => {
  assert.deepEqual(parseUri('SIPS:al%20ice:p%40ss@Example.COM:5061;Transport=TLS;lr?Subject=hi%20there&x='), {
    scheme: 'sips',
    user: 'al ice',
    password: 'p@ss',
    host: 'Example.COM',
    port: 5061,
    params: new Map([
      ['transport', 'TLS'],
      ['lr', null],
    ] as [string, string | null][]),
    headers: new Map([
      ['subject', 'hi there'],
      ['x', ''],
    ]),
  })
})

test('an IPv6 host has no brackets inside, and gets them outside', () => {
  const uri = parseUri('sip:bob@[2001:db8::9]:5070')
  assert.deepEqual([uri?.host, uri?.port], ['2001:db8::9', 5070])
  assert.equal(formatUri({ user: 'bob', host: '2001:db8::9', port: 5070 }), 'sip:bob@[2001:db8::9]:5070')
})

test('a telephone number is an address too', () => {
  const uri = parseUri('tel:+55-11-4002(8922);phone-context=example.com')
  assert.deepEqual([uri?.scheme, uri?.user, uri?.host], ['tel', '+55-11-4002(8922)', ''])
  assert.equal(uri?.params.get('phone-context'), 'example.com')
  assert.equal(formatUri({ scheme: 'tel', user: '+55 11 4002\r\n8922', host: '' }), 'tel:+551140028922')
})

const bad = [
  '',
  'sip:',
  'sip:@',
  'sip:@host',
  'alice@host',
  'http://host',
  'sip:alice@',
  'sip:alice@host:',
  'sip:alice@host:99999',
  'sip:alice@host:12a',
  'sip:al ice@host',
  'sip:alice@ho st',
  'sip:alice@host\r\nVia: x',
  'sip:alice@host\0',
  '<sip:a@b>',
  'sip:alice@bob@host',
  'sip:a@[::1',
  'sip:a@::1',
  'sip:a"b@host',
  'tel:',
  'tel:abc xyz',
  'tel:alice@host',
  `sip:${'a'.repeat(5000)}@host`,
]
for (const text of bad)
  test(`not an address: ${JSON.stringify(text.slice(0, 40))}`, () => assert.equal(parseUri(text), null))

test('escapes that are no UTF-8 stay as they were written', () => {
  assert.equal(parseUri('sip:%ff%41@host')?.user, '%ff%41')
  assert.equal(parseUri('sip:100%@host')?.user, '100%')
})

test('what is written can be read again, whoever chose the name', () => {
  const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }).filter((name) => name.isWellFormed())
  fc.assert(
    fc.property(text, text, text, (user, password, value) => {
      const written = formatUri({ user, password, host: 'example.com', port: 5060, params: { x: value, lr: null } })
      assert.match(written, /^[!-~]+$/)
      const read = parseUri(written)
      assert.deepEqual([read?.user, read?.password, read?.host, read?.port], [user, password, 'example.com', 5060])
      assert.deepEqual([read?.params.get('x'), read?.params.get('lr')], [value, null])
    }),
    { seed: 4475, numRuns: 300 },
  )
})

test('a host cannot bring anything else along', () => {
  const written = formatUri({ host: 'evil.example\r\nVia: x>;a@b' })
  assert.equal(written, 'sip:[evil.exampleVia:xab]')
  assert.equal(parseUri(written), null)
})

// The examples of RFC 3261 section 19.1.4, and some more.
const same: [string, string][] = [
  ['sip:%61lice@atlanta.com;transport=TCP', 'sip:alice@AtLanTa.CoM;Transport=tcp'],
  ['sip:carol@chicago.com', 'sip:carol@chicago.com;newparam=5'],
  ['sip:carol@chicago.com;security=on', 'sip:carol@chicago.com;newparam=5'],
  [
    'sip:biloxi.com;transport=tcp;method=REGISTER?to=sip:bob%40biloxi.com',
    'sip:biloxi.com;method=REGISTER;transport=tcp?to=sip:bob%40biloxi.com',
  ],
  [
    'sip:alice@atlanta.com?subject=project%20x&priority=urgent',
    'sip:alice@atlanta.com?priority=urgent&subject=project%20x',
  ],
  ['tel:+1-201-555-0123', 'tel:+12015550123'],
]
const different: [string, string][] = [
  ['SIP:ALICE@AtLanTa.CoM;Transport=udp', 'sip:alice@AtLanTa.CoM;Transport=UDP'],
  ['sip:bob@biloxi.com', 'sip:bob@biloxi.com:5060'],
  ['sip:bob@biloxi.com', 'sip:bob@biloxi.com;transport=udp'],
  ['sip:bob@biloxi.com', 'sip:bob@biloxi.com:6000;transport=tcp'],
  ['sip:carol@chicago.com', 'sip:carol@chicago.com?Subject=next%20meeting'],
  ['sip:bob@phone21.boxesbybob.com', 'sip:bob@192.0.2.4'],
  ['sip:carol@chicago.com;security=on', 'sip:carol@chicago.com;security=off'],
  ['sip:carol@chicago.com', 'sips:carol@chicago.com'],
  ['sip:carol:a@chicago.com', 'sip:carol:b@chicago.com'],
  ['isbn:1', 'isbn:2'],
]
for (const [a, b] of same)
  test(`the same: ${a} and ${b}`, () => assert.deepEqual([sameUri(a, b), sameUri(b, a)], [true, true]))
for (const [a, b] of different)
  test(`not the same: ${a} and ${b}`, () => assert.deepEqual([sameUri(a, b), sameUri(b, a)], [false, false]))
test('an address that nobody can read is the same as itself', () => assert.equal(sameUri('isbn:1', 'isbn:1'), true))
