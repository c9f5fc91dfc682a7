import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StreamParser } from './stream-parser.ts'

/** A complete message with these additional lines. */
const bytes = (more: string[] = [], body = '', to = '<sip:bob@example.com>'): Buffer =>
  Buffer.from(
    [
      'OPTIONS sip:bob@example.com SIP/2.0',
      'Via: SIP/2.0/TCP host;branch=z9hG4bK1',
      'From: <sip:a@b>;tag=1',
      `To: ${to}`,
      'Call-ID: 1',
      'CSeq: 1 OPTIONS',
      ...more,
      '',
      body,
    ].join('\r\n'),
  )

test('a stream reads what a datagram reads, however it is cut', () => {
  const one = bytes(['X-Name: one', 'Content-Length: 5'], 'hello')
  const two = bytes(['X-Name: two', 'l: 0'])
  const all = Buffer.concat([one, Buffer.from('\r\n'), two, one, two])
  for (const size of [1, 2, 3, 7, 64, 300, all.length]) {
    const parser = new StreamParser()
    const found: string[] = []
    for (let at = 0; at < all.length; at += size)
      for (const item of parser.push(all.subarray(at, at + size)))
        found.push(
          item === 'keepalive' || 'problem' in item
            ? 'wrong'
            : `${item.message.headers.get('x-name')} ${item.message.body}`,
        )
    assert.deepEqual(found, ['one hello', 'two ', 'one hello', 'two '], `chunks of ${size}`)
    assert.equal(parser.waiting, 0)
  }
})

test('a ping is two empty lines, also when they come one byte at a time; one line is a pong', () => {
  const parser = new StreamParser()
  assert.deepEqual(parser.push(Buffer.from('\r\n\r\n')), ['keepalive'])
  assert.deepEqual(
    ['\r', '\n', '\r', '\n'].flatMap((text) => parser.push(Buffer.from(text))),
    ['keepalive'],
  )
  assert.deepEqual(parser.push(Buffer.from('\r\n')), [])
  assert.equal(parser.push(bytes(['l: 0'])).length, 1)
  assert.deepEqual(parser.push(Buffer.from('\r\n'.repeat(20_000))), ['keepalive'])
  assert.equal(parser.waiting, 0)
})

test('a bad message in a stream is refused and the next one is read', () => {
  const parser = new StreamParser()
  const results = parser.push(Buffer.concat([bytes(['l: 3'], 'abc', '"'), bytes(['l: 0'])]))
  assert.deepEqual(
    results.map((item) => item !== 'keepalive' && 'message' in item),
    [false, true],
  )
  assert.equal(parser.fatal, false)
})

test('when the frame is lost the stream is over', () => {
  const lost: [string, Buffer][] = [
    ['no Content-Length', bytes()],
    ['a wrong one', bytes(['l: -1'])],
    ['two of them', bytes(['l: 0', 'l: 0'])],
    ['too long a body', bytes(['l: 70000'])],
    ['too many headers', bytes([...Array(300).fill('X: y'), 'l: 0'])],
    ['another protocol', Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')],
    ['a TLS hello', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00])],
    ['headers without end', Buffer.from(`OPTIONS sip:a@b SIP/2.0\r\n${'X: y\r\n'.repeat(12_000)}`)],
  ]
  for (const [title, input] of lost) {
    const parser = new StreamParser()
    const results = parser.push(input)
    assert.equal(results.length, 1, title)
    assert.ok(results[0] !== 'keepalive' && 'problem' in (results[0] ?? {}), title)
    assert.equal(parser.fatal, true, title)
    assert.deepEqual(parser.push(bytes(['l: 0'])), [], title)
    assert.equal(parser.waiting, 0, title)
  }
})

test('a stream that comes byte by byte is not read again from its beginning', () => {
  const parser = new StreamParser()
  // Every fourth byte is almost the end of the headers: rescanning everything for each new byte takes 9 s.
  const long = Buffer.from(`OPTIONS sip:a@b SIP/2.0\r\nX${'\r\n\rx'.repeat(15_000)}\r\n\r\n`)
  const start = process.cpuUsage().user
  let count = 0
  for (const byte of long) count += parser.push(Buffer.of(byte)).length
  assert.equal(count, 1)
  assert.ok(process.cpuUsage().user - start < 3_000_000)
})
