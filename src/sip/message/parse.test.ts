import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMessage } from './parse.ts'

const lines = {
  start: 'OPTIONS sip:bob@example.com SIP/2.0',
  via: 'Via: SIP/2.0/UDP host;branch=z9hG4bK1',
  from: 'From: <sip:a@b>;tag=1',
  to: 'To: <sip:bob@example.com>',
  callId: 'Call-ID: 1',
  cseq: 'CSeq: 1 OPTIONS',
}

/** A complete message; `null` omits a line. */
function bytes(
  changed: Partial<Record<keyof typeof lines, string | null>> = {},
  more: string[] = [],
  body = '',
): Buffer {
  const kept = Object.entries({ ...lines, ...changed }).flatMap(([, line]) => (line === null ? [] : [line]))
  return Buffer.from([...kept, ...more, '', body].join('\r\n'))
}

const read = (input: Buffer) => {
  const result = parseMessage(input)
  assert.ok('message' in result, 'problem' in result ? result.problem : '')
  return result.message
}

const problem = (input: Buffer) => {
  const result = parseMessage(input)
  assert.ok('problem' in result, 'it was accepted')
  return result
}

test('empty lines before a message are skipped', () => {
  assert.equal(read(Buffer.concat([Buffer.from('\r\n\r\n'), bytes()])).headers.get('call-id'), '1')
})

test('a keep-alive is not a message and is not answered', () => {
  for (const text of ['', '\r\n', '\r\n\r\n'])
    assert.deepEqual(problem(Buffer.from(text)), { problem: 'empty', status: 400, partial: null })
  assert.equal(problem(Buffer.from('\0\0\0\0')).partial, null)
  assert.equal(problem(Buffer.from('jaK')).partial, null)
})

test('without Content-Length the body is the rest of the datagram, with it as much as it says', () => {
  assert.equal(read(bytes({}, [], 'hello')).body.toString(), 'hello')
  assert.equal(read(bytes({}, ['Content-Length: 2'], 'hello')).body.toString(), 'he')
  assert.equal(read(bytes({}, ['l: 0'], 'hello')).body.length, 0)
})

for (const length of [
  '6',
  '-1',
  '+5',
  '5x',
  '0x5',
  '1e1',
  '',
  ' ',
  '99999999999999999999',
  'NaN',
  '5, 5',
  '4294967301',
])
  test(`Content-Length "${length}" of five bytes is refused`, () => {
    const found = problem(bytes({}, [`Content-Length: ${length}`], 'hello'))
    assert.equal(found.status, 400)
    assert.equal(found.partial?.method, 'OPTIONS')
  })

for (const [key, title] of Object.entries({ via: 'Via', from: 'From', to: 'To', callId: 'Call-ID', cseq: 'CSeq' }))
  test(`without ${title} nobody is answered`, () => {
    const found = problem(bytes({ [key]: null }))
    assert.equal(found.partial, null)
  })

test('an ACK is never answered, nor is a response', () => {
  const ack = { start: 'ACK sip:bob@example.com SIP/2.0', cseq: 'CSeq: 1 ACK' }
  assert.equal(read(bytes(ack)).kind, 'request')
  assert.equal(problem(bytes({ ...ack, to: 'To: "' })).partial, null)
  assert.equal(problem(bytes({ start: 'SIP/2.0 200 OK', to: 'To: "' })).partial, null)
})

const badStarts = [
  'OPTIONS',
  'OPTIONS sip:bob@example.com',
  'GET / HTTP/1.1',
  'OPTIONS sip:a@b SIP/2',
  'SIP/2.0',
  'SIP/2.0 ',
  'SIP/2.0 20 OK',
  'SIP/2.0 099 OK',
  'SIP/2.0 700 OK',
  'SIP/2.0 2000 OK',
  'SIP/3.0 200 OK',
  'SIP/2.0 200OK',
  'OPT(IONS sip:a@b SIP/2.0',
  'OPTIONS bob@example.com SIP/2.0',
  'OPTIONS sip:bob@ SIP/2.0',
  'OPTIONS\tsip:a@b\tSIP/2.0',
  ' OPTIONS sip:a@b SIP/2.0',
  'OPTIONS sip:a\0b@c SIP/2.0',
  'OPTIONS sip:a@b?x=y SIP/2.0',
  'OPTIONS * SIP/2.0',
]
for (const start of badStarts)
  test(`not a first line: ${JSON.stringify(start)}`, () => assert.equal(problem(bytes({ start })).status, 400))

test('another version is 505, a very long address 414', () => {
  assert.equal(problem(bytes({ start: 'OPTIONS sip:a@b SIP/3.0' })).status, 505)
  const found = problem(bytes({ start: `OPTIONS sip:${'a'.repeat(5000)}@b SIP/2.0` }))
  assert.deepEqual([found.status, found.partial?.method], [414, 'OPTIONS'])
})

test('SIP in small letters, and a reason that is missing or odd, are taken', () => {
  assert.equal(read(bytes({ start: 'OPTIONS sip:a@b sip/2.0' })).kind, 'request')
  for (const [start, reason] of [
    ['SIP/2.0 200', ''],
    ['SIP/2.0 200  x\u2028y ', ' x\u2028y '],
  ]) {
    const message = read(bytes({ start: start ?? '' }))
    assert.equal(message.kind === 'response' && message.reason, reason)
  }
})

test('lines that end otherwise than with CR and LF are refused', () => {
  for (const more of [
    'X: a\nTo: <sip:evil@b>',
    'X: a\rTo: <sip:evil@b>',
    'no colon',
    ': no name',
    'bad name: x',
    'n\0n: x',
  ])
    assert.equal(problem(bytes({}, [more])).status, 400, JSON.stringify(more))
  assert.equal(problem(Buffer.from(bytes().toString().replaceAll('\r\n', '\n'))).status, 400)
})

test('a message whose end is missing is refused, and answered', () => {
  const whole = bytes()
  const found = problem(whole.subarray(0, whole.length - 2))
  assert.deepEqual([found.status, found.partial?.headers.get('call-id')], [400, '1'])
})

test('more than 200 headers, 8 KB in one, 16 KB in all of them and 64 KB with the body are too much', () => {
  assert.equal(read(bytes({}, Array(190).fill('X: y'))).kind, 'request')
  assert.equal(problem(bytes({}, Array(1000).fill('X: y'))).status, 413)
  assert.equal(read(bytes({}, [`X: ${'y'.repeat(8000)}`])).kind, 'request')
  assert.equal(problem(bytes({}, [`X: ${'y'.repeat(8200)}`])).problem, 'a header is larger than 8 KB')
  assert.equal(problem(bytes({}, [`X: a${'\r\n b'.repeat(3000)}`])).problem, 'a header is larger than 8 KB')
  assert.equal(read(bytes({}, Array(2).fill(`X: ${'y'.repeat(8000)}`), 'z'.repeat(40_000))).kind, 'request')
  assert.deepEqual(problem(bytes({}, Array(3).fill(`X: ${'y'.repeat(8000)}`))), {
    problem: 'headers are larger than 16 KB',
    status: 513,
    partial: null,
  })
  assert.deepEqual(problem(bytes({}, [], 'x'.repeat(70_000))), {
    problem: 'larger than 64 KB',
    status: 513,
    partial: null,
  })
})

test('Max-Forwards is a number of one byte', () => {
  assert.equal(read(bytes({}, ['Max-Forwards: 0255'])).kind, 'request')
  for (const text of ['256', '-1', 'x', '']) assert.equal(problem(bytes({}, [`Max-Forwards: ${text}`])).status, 400)
})

test('a name in Latin-1 is read, one in UTF-8 too', () => {
  const text = bytes({ from: 'From: "José" <sip:a@b>;tag=1' }).toString()
  for (const encoding of ['utf8', 'latin1'] as const)
    assert.equal(read(Buffer.from(text, encoding)).headers.get('from'), '"José" <sip:a@b>;tag=1')
})
