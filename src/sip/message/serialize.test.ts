import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { newRequest, responseTo } from './build.ts'
import { Headers } from './headers.ts'
import type { SipMessage } from './message.ts'
import { parseMessage } from './parse.ts'
import { serialize } from './serialize.ts'

const request = () =>
  newRequest({ method: 'OPTIONS', uri: 'sip:a@b', from: '<sip:c@d>;tag=1', to: '<sip:a@b>', callId: 'x@y', cseq: 1 })

test('names are written as everybody writes them', () => {
  const message = request()
  message.headers
    .add('www-authenticate', 'Digest')
    .add('x-some-thing', '1')
    .add('rseq', '1')
    .add('p-asserted-identity', 'z')
    .add('mime-version', '1.0')
  const text = serialize(message).toString()
  for (const line of [
    'Call-ID: x@y',
    'CSeq: 1 OPTIONS',
    'WWW-Authenticate: Digest',
    'X-Some-Thing: 1',
    'RSeq: 1',
    'P-Asserted-Identity: z',
    'MIME-Version: 1.0',
    'Max-Forwards: 70',
  ])
    assert.ok(text.includes(`\r\n${line}\r\n`), line)
  assert.ok(text.startsWith('OPTIONS sip:a@b SIP/2.0\r\n'))
})

test('Content-Length is counted in bytes, whatever the headers say', () => {
  const message: SipMessage = { ...request(), body: Buffer.from('é') }
  message.headers.add('content-length', '99')
  assert.match(serialize(message).toString(), /\r\nContent-Length: 2\r\n\r\né$/)
  assert.equal(
    serialize(message)
      .toString()
      .match(/content-length/gi)?.length,
    1,
  )
})

test('nothing in a message can become a line of its own', () => {
  const evil = 'x\r\nEvil: 1\r\n\r\nbody\nEvil: 2\rEvil: 3'
  const message: SipMessage = { ...request(), method: evil, uri: `sip:${evil}` }
  message.headers.add('subject', evil).add('to\r\nEvil: 4', 'x').add(evil, 'x')
  const lines = serialize(message)
    .toString()
    .split(/[\r\n]+/)
  assert.deepEqual(
    lines.filter((line) => line.startsWith('Evil')),
    [],
  )
  const answer = serialize({ ...responseTo(request(), 200), reason: evil }).toString()
  assert.deepEqual(
    answer.split(/[\r\n]+/).filter((line) => line.startsWith('Evil')),
    [],
  )
})

const token = fc.stringMatching(/^[\w.!%*+`'~-]{1,20}$/)
const value = fc
  .string({ unit: 'binary', maxLength: 60 })
  .filter((text) => text.isWellFormed() && !/[\r\n]|^[ \t]|[ \t]$/.test(text))
const body = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes))
const more = fc.array(
  fc.tuple(
    token.map((name) => `x-${name}`.toLowerCase()),
    value,
  ),
  { maxLength: 10 },
)

const inside = (method: string): [string, string][] => [
  ['via', 'SIP/2.0/UDP h;branch=z9hG4bK1'],
  ['from', '<sip:a@b>;tag=1'],
  ['to', '<sip:c@d>'],
  ['call-id', '1@h'],
  ['cseq', `1 ${method}`],
]

const messages: fc.Arbitrary<SipMessage> = fc.oneof(
  fc.record({ method: token, headers: more, body }).map(({ method, headers, body }) => ({
    kind: 'request' as const,
    method,
    uri: 'sip:x@y',
    headers: new Headers([...inside(method), ...headers]),
    body,
  })),
  fc.record({ status: fc.integer({ min: 100, max: 699 }), reason: value, headers: more, body }).map((parts) => ({
    kind: 'response' as const,
    status: parts.status,
    reason: parts.reason,
    headers: new Headers([...inside('INVITE'), ...parts.headers]),
    body: parts.body,
  })),
)

test('what is written is read again as it was', () => {
  fc.assert(
    fc.property(messages, (message) => {
      const read = parseMessage(serialize(message))
      assert.ok('message' in read, 'problem' in read ? read.problem : '')
      const { headers, ...rest } = read.message
      const { headers: written, ...start } = message
      assert.deepEqual(rest, start)
      assert.deepEqual([...headers], [...written, ['content-length', String(message.body.length)]])
    }),
    { seed: 3261, numRuns: 500 },
  )
})
