// RFC 4475 messages with one change each, from a fixed seed: nothing throws, hangs or grows.
// @run own-process: it measures memory and the event loop, or moves the clock.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { answerChallenge, newNonceCounters } from '../auth/digest.ts'
import { digestServer } from '../auth/digest-server.ts'
import { Registrar } from '../registration/registrar.ts'
import { StreamParser } from '../transport/stream-parser.ts'
import { responseTo } from './build.ts'
import type { SipMessage } from './message.ts'
import { type ParseResult, parseMessage } from './parse.ts'
import { serialize } from './serialize.ts'
import { parseUri, sameUri } from './uri.ts'
import { formatNameAddr, formatVia, listOf, parseAuth, parseCSeq, parseNameAddr, parseVia, tagOf } from './values.ts'

const folder = join(import.meta.dirname, '../../../test/fixtures/torture')
const fixtures = globSync('*.dat', { cwd: folder })
  .sort()
  .map((name) => readFileSync(join(folder, name)).toString('latin1'))

/** CPU time of this thread: the machine may be busy. */
const cpuMs = () => process.threadCpuUsage().user / 1000

/** mulberry32: the same numbers in every run. */
function randomFrom(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (n: number) => Math.floor(next() * n)
  return { below, pick: <T>(list: readonly T[]): T => list[below(list.length)] as T }
}

const nasty = [
  '',
  '\0',
  '%s%n%x%p',
  '\r',
  '\n',
  '\r\n',
  '\r\n\r\n',
  ' ',
  '\t',
  '"',
  '\\',
  '<',
  '>',
  '<<<<>>>>',
  '<'.repeat(300),
  ',',
  ',,,,',
  ';',
  ';;;;',
  '=',
  '-1',
  '0',
  '4294967296',
  '9'.repeat(400),
  '1e9',
  'NaN',
  '%',
  '%00',
  '%zz',
  '%ff%fe',
  '\xff\xfe',
  '\xc3\xa9',
  '\xf0\x9f\x98\x80',
  '\u00a0',
  'A'.repeat(5000),
  ' '.repeat(20_000),
  ','.repeat(20_000),
  ';a'.repeat(10_000),
  '"'.repeat(9_999),
  '\\'.repeat(9_999),
  '[::1]',
  '[',
  ';__proto__=x',
  ';constructor;toString=1',
  '__proto__: x\r\n',
  'Content-Length: -5\r\n',
  'Content-Length: 99999999999\r\n',
  'Via: ;__proto__\r\n',
  'X: y\r\n'.repeat(3000),
  ' \r\n'.repeat(3000),
  '\r\n '.repeat(9000),
  `\r\n${' '.repeat(30_000)}`,
]

function mutate(text: string, { below, pick }: ReturnType<typeof randomFrom>): string {
  const at = below(text.length + 1)
  const lines = text.split('\r\n')
  const line = below(lines.length)
  const [name = '', value = ''] = (lines[line] ?? '').split(/:(.*)/s)
  const changed = (to: string) => lines.with(line, to).join('\r\n')
  return pick([
    () => text.slice(0, at) + pick(nasty) + text.slice(at),
    () => text.slice(0, at) + pick(nasty) + text.slice(at + below(40)),
    () => text.slice(0, at),
    () => text.slice(0, at) + String.fromCharCode(below(256)) + text.slice(at + 1),
    () => changed(`${name}:${pick(nasty)}`),
    () => changed(`${name}:${value}${pick(nasty)}`),
    () => changed(`${pick(nasty)}:${value}`),
    () =>
      changed(
        `${name}:${value
          .split(/([;,=@<>" ])/)
          .map((part) => (below(6) === 0 ? pick(nasty) : part))
          .join('')}`,
      ),
    () => lines.toSpliced(line, 0, pick(lines)).join('\r\n'),
    () => lines.toSpliced(line, 1).join('\r\n'),
  ])()
}

const flow = {
  transport: 'udp',
  remote: { address: '192.0.2.1', port: 5060 },
  local: { address: '192.0.2.9', port: 5060 },
} as const
const registrar = new Registrar({ sweepEveryMs: 0 })
const digest = digestServer({ realm: 'here' })
const passwords = { username: 'a', password: 'b' }

/** Everything that the layer above would do with a message. */
function useUp(message: SipMessage): void {
  for (const [name, value] of message.headers) {
    for (const item of listOf(message.headers, name).slice(0, 50)) {
      const address = parseNameAddr(item)
      if (address) parseNameAddr(formatNameAddr(address))
      const via = parseVia(item)
      if (via) assert.deepEqual(parseVia(formatVia(via)), via)
      sameUri(item, value)
    }
    parseAuth(value)
    parseCSeq(value)
    tagOf(value)
  }
  const again = parseMessage(serialize(message))
  assert.ok('message' in again, `${'problem' in again ? again.problem : ''} after it was written again`)
  if (message.kind === 'response') {
    answerChallenge(message, { method: 'INVITE', uri: 'sip:a@b' }, passwords, newNonceCounters())
    return
  }
  parseUri(message.uri)
  serialize(registrar.register('someone', message, flow))
  void digest.verify(message, '192.0.2.1', () => 'secret')
}

function useResult(result: ParseResult): void {
  if ('message' in result) useUp(result.message)
  else if (result.partial) serialize(responseTo(result.partial, result.status))
}

test('5,000 changed messages, as datagrams and in a stream', async () => {
  const random = randomFrom(4475)
  let accepted = 0
  let slowest = 0
  for (let round = 0; round < 5000; round++) {
    const text = mutate(random.pick(fixtures), random)
    const bytes = Buffer.from(text, 'latin1')
    const start = cpuMs()
    try {
      const result = parseMessage(bytes)
      if ('message' in result) accepted++
      useResult(result)
      const parser = new StreamParser()
      const cut = random.below(bytes.length + 1)
      for (const chunk of [bytes.subarray(0, cut), bytes.subarray(cut)])
        for (const item of parser.push(chunk)) if (item !== 'keepalive') useResult(item)
      assert.ok(parser.waiting <= bytes.length)
    } catch (error) {
      throw new Error(`round ${round}: ${JSON.stringify(text.slice(0, 2000))}`, { cause: error })
    }
    slowest = Math.max(slowest, cpuMs() - start)
  }
  // Both outcomes of the parser occur, and no message costs more than a garbage-collection pause.
  assert.ok(accepted > 500 && accepted < 4500, `${accepted} accepted`)
  assert.ok(slowest < 500, `the slowest took ${slowest} ms`)
  assert.equal(registrar.lookup('someone').length <= 10, true)
})

const whole = (header: string) =>
  Buffer.from(
    `OPTIONS sip:a@b SIP/2.0\r\nVia: SIP/2.0/UDP h;branch=z9hG4bK1\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:a@b>\r\nCall-ID: 1\r\nCSeq: 1 OPTIONS\r\n${header}\r\n\r\n`,
    'latin1',
  )
const n = 60_000
const heavy: [title: string, bytes: Buffer][] = [
  ['spaces before a fold', whole(`X: a\r\n b${' '.repeat(n)}c`)],
  ['folds', whole(`X: a${'\r\n '.repeat(n / 3)}`)],
  ['spaces in a name', whole(`X${' '.repeat(n)}: a`)],
  ['spaces in the first line', Buffer.from(`A ${`x${' '.repeat(50)}`.repeat(1200)}\r\n\r\n`)],
  ['one long first line', Buffer.from(`A${' '.repeat(n)}x\r\n\r\n`)],
  ['nested brackets', whole(`Contact: ${'<'.repeat(n)}`)],
  ['quotes', whole(`Contact: ${'"\\'.repeat(n / 2)}`)],
  ['commas', whole(`Contact: ${','.repeat(n)}`)],
  ['parameters', whole(`Contact: <sip:a@b>${';a=b'.repeat(n / 4)}`)],
  ['empty parameters', whole(`Contact: <sip:a@b>${'; '.repeat(n / 2)}`)],
  ['a long Via', whole(`Via: SIP/2.0/${'x'.repeat(n)}`)],
  ['a Via of spaces', whole(`Via: SIP/2.0/UDP h${' '.repeat(n)}`)],
  ['a CSeq of spaces', whole(`CSeq: 1${' '.repeat(n)}`)],
  ['credentials without end', whole(`Authorization: Digest realm="${'a\\'.repeat(n / 2)}`)],
  ['credentials of spaces', whole(`Authorization: Digest realm${' '.repeat(n)}x`)],
  ['many credentials', whole(`Authorization: Digest ${'a=b,'.repeat(n / 4)}`)],
  ['10,000 headers', whole('X:y\r\n'.repeat(10_000))],
]
for (const [title, bytes] of heavy)
  test(`64 KB of ${title} cost no more than their length`, () => {
    const start = cpuMs()
    const result = parseMessage(bytes)
    const message = 'message' in result ? result.message : result.partial
    for (const [name, value] of message?.headers ?? []) {
      for (const item of listOf(message?.headers as SipMessage['headers'], name).slice(0, 3)) parseNameAddr(item)
      parseNameAddr(value)
      parseVia(value)
      parseCSeq(value)
      parseAuth(value)
    }
    if (result && 'problem' in result && result.partial) serialize(responseTo(result.partial, 400))
    new StreamParser().push(bytes)
    const took = cpuMs() - start
    // Quadratic cost takes seconds.
    assert.ok(took < 700, `${took} ms`)
  })

test('the table of names and parameters has no prototype to be changed', () => {
  const result = parseMessage(
    whole('__proto__: x\r\nX: <sip:a@b;__proto__=1>;__proto__;hasOwnProperty=2\r\nconstructor: y'),
  )
  assert.ok('message' in result)
  assert.equal(result.message.headers.get('__proto__'), 'x')
  assert.equal(parseNameAddr(result.message.headers.get('x') ?? '')?.params.get('hasownproperty'), '2')
  assert.equal(parseUri('sip:a@b;__proto__=1')?.params.get('__proto__'), '1')
  assert.equal(({} as Record<string, unknown>).x, undefined)
})
