import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Headers } from './headers.ts'
import {
  formatNameAddr,
  formatVia,
  listOf,
  parseAuth,
  parseCSeq,
  parseNameAddr,
  parseVia,
  splitList,
  tagOf,
} from './values.ts'

const map = (...entries: [string, string | null][]) => new Map(entries)

test('a list is split at commas that stand for themselves', () => {
  assert.deepEqual(splitList('a, b ,c'), ['a', 'b', 'c'])
  assert.deepEqual(splitList('"a, \\", b" <sip:x,y@h>, <sip:z@h>;p="1,2"'), [
    '"a, \\", b" <sip:x,y@h>',
    '<sip:z@h>;p="1,2"',
  ])
  assert.deepEqual(splitList(' , ,a,, '), ['a'])
  assert.deepEqual(splitList('   '), [])
  assert.deepEqual(splitList('"never closed, a'), ['"never closed, a'])
  assert.deepEqual(splitList('<never closed, a'), ['<never closed, a'])
})

test('a list may stand in several lines', () => {
  const headers = new Headers([
    ['Route', '<sip:a>, <sip:b>'],
    ['Route', '<sip:c>'],
  ])
  assert.deepEqual(listOf(headers, 'route'), ['<sip:a>', '<sip:b>', '<sip:c>'])
  assert.deepEqual(listOf(headers, 'via'), [])
})

test('names and addresses are read as phones write them', () => {
  const read: [string, string | null, string, Map<string, string | null>][] = [
    ['<sip:a@b>', null, 'sip:a@b', map()],
    ['sip:a@b;tag=1;x', null, 'sip:a@b', map(['tag', '1'], ['x', null])],
    ['"A \\"B\\" \\\\" <sip:a@b;lr>;Tag=1', 'A "B" \\', 'sip:a@b;lr', map(['tag', '1'])],
    ['José da Silva <sip:a@b>', 'José da Silva', 'sip:a@b', map()],
    ['J. Smith (home) <sip:a@b>;', 'J. Smith (home)', 'sip:a@b', map()],
    ['a@corp.example <sip:a@b>', 'a@corp.example', 'sip:a@b', map()],
    ['"" <sip:a@b>', '', 'sip:a@b', map()],
    [
      '<sip:a@b>;+sip.instance="<urn:uuid:0>" ; reg-id = 1',
      null,
      'sip:a@b',
      map(['+sip.instance', '<urn:uuid:0>'], ['reg-id', '1']),
    ],
    ['<sip:a@b>;tag=1;tag=2;__proto__=3', null, 'sip:a@b', map(['tag', '1'], ['__proto__', '3'])],
    ['sip:a@b;x="<y>"', null, 'sip:a@b', map(['x', '<y>'])],
  ]
  for (const [text, displayName, uri, params] of read)
    assert.deepEqual(parseNameAddr(text), { displayName, uri, params }, text)
})

test('an invalid address is null', () => {
  for (const text of [
    '',
    '<>',
    '<sip:a@b',
    'sip:a@b>',
    '"a <sip:a@b>',
    '< sip:a@b >',
    'A, B <sip:a@b>',
    '<sip:a@b> x',
    '<<sip:a@b>>',
    'alice',
    '<sip:a@b>;x="y',
    'sip:a b',
    '"a" b <sip:c@d>',
    '<sip:a\0b@c>',
  ])
    assert.equal(parseNameAddr(text), null, text)
})

test('what is written as a name can be read again and never becomes a second line', () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 })
  fc.assert(
    fc.property(text, text, (displayName, value) => {
      const written = formatNameAddr({ displayName, uri: 'sip:a@b', params: map(['tag', 't'], ['x', value]) })
      assert.doesNotMatch(written, /[\r\n\0]/)
      const clean = (was: string) => was.replace(/\p{Cc}+/gu, ' ')
      const read = parseNameAddr(written)
      assert.deepEqual([read?.displayName ?? '', read?.uri], [clean(displayName), 'sip:a@b'])
      assert.deepEqual([read?.params.get('tag'), read?.params.get('x')], ['t', clean(value)])
      assert.deepEqual(splitList(written), [written])
    }),
    { seed: 4475, numRuns: 500 },
  )
})

test('neither a uri nor the name of a parameter can break out', () => {
  assert.equal(formatNameAddr({ uri: 'sip:a@b>\r\nX: y <' }), '<sip:a@bX:y>')
  assert.equal(
    formatNameAddr({ uri: 'sip:a@b', params: map(['x\r\nY: z', null], ['ok', 'a b']) }),
    '<sip:a@b>;ok="a b"',
  )
})

test('the tag is found', () => {
  assert.equal(tagOf('"tag=no" <sip:a@b;tag=no>;tag=yes'), 'yes')
  assert.equal(tagOf('<sip:a@b>'), null)
  assert.equal(tagOf('nonsense'), null)
})

test('Via is read and written', () => {
  const text = 'SIP/2.0/UDP [2001:db8::1]:5070;branch=z9hG4bK1;rport;received=192.0.2.1'
  const via = parseVia(text)
  assert.deepEqual(via, {
    transport: 'udp',
    host: '2001:db8::1',
    port: 5070,
    params: map(['branch', 'z9hG4bK1'], ['rport', null], ['received', '192.0.2.1']),
  })
  assert.equal(via && formatVia(via), text)
  const odd = parseVia('SIP/2.0/TLS h:1;branch=z9hG4bK/a+b==;x="a b"')
  assert.equal(odd && formatVia(odd), 'SIP/2.0/TLS h:1;branch=z9hG4bK/a+b==;x="a b"')
  for (const bad of [
    '',
    'SIP/2.0/UDP',
    'SIP/2.0/UDP ;branch=1',
    'SIP/2.0 h',
    'UDP h',
    'SIP/2.0/UDP h:99999',
    'SIP/2.0/UDP h;;',
    'SIP/2.0/UDP h;branch=',
    'SIP/2.0/UDP h h',
    'SIP/2.0/UDP h, SIP/2.0/UDP i',
  ])
    assert.equal(parseVia(bad), null, bad)
})

test('CSeq is a number of 32 bits and a method', () => {
  assert.deepEqual(parseCSeq(' 0007   INVITE '), { number: 7, method: 'INVITE' })
  assert.deepEqual(parseCSeq('4294967295 BYE'), { number: 0xffff_ffff, method: 'BYE' })
  for (const bad of [
    '',
    '1',
    'INVITE',
    '-1 INVITE',
    '4294967296 INVITE',
    '1 INVITE x',
    '1.5 INVITE',
    '99999999999999999999999 BYE',
    '1 IN<VITE',
  ])
    assert.equal(parseCSeq(bad), null, bad)
})

test('a challenge is read with all its parameters', () => {
  const auth = parseAuth('DIGEST realm="a, \\"b\\"",nonce = "n==" , qop="auth,auth-int", algorithm=MD5, __proto__="x"')
  assert.equal(auth?.scheme, 'digest')
  assert.deepEqual(
    [...(auth?.params ?? [])],
    [
      ['realm', 'a, "b"'],
      ['nonce', 'n=='],
      ['qop', 'auth,auth-int'],
      ['algorithm', 'MD5'],
      ['__proto__', 'x'],
    ],
  )
  for (const bad of ['', 'Digest', 'Digest realm', 'Digest realm="x', 'Digest ="x"', 'Digest realm="x" nonce="y"'])
    assert.equal(parseAuth(bad), null, bad)
})
