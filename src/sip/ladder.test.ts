import assert from 'node:assert/strict'
import { test } from 'node:test'
import { established, idle } from '../../test/sip-agents.ts'
import { drawLadder, Ladder, type LadderEntry, ladderEntry } from './ladder.ts'
import { maskedText as masked } from './ladder-mask.ts'
import { newRequest, responseTo } from './message/build.ts'
import type { Flow, SipMessage } from './message/message.ts'

const flow: Flow = {
  transport: 'udp',
  remote: { address: '192.0.2.7', port: 5060 },
  local: { address: '192.0.2.1', port: 5060 },
}
const maskedText = (message: SipMessage) => masked(message, 4000)
const start = Date.parse('2026-01-02T03:04:05.000Z')

const request = (method: string, headers: Record<string, string> = {}, type?: string, content = '') =>
  newRequest({
    method,
    uri: 'sip:bob@far.test',
    from: '<sip:a@b>;tag=1',
    to: '<sip:bob@far.test>',
    callId: 'c',
    cseq: 1,
    headers,
    ...(type ? { body: { type, content } } : {}),
  })

const entry = (message: SipMessage, direction: 'in' | 'out' = 'out', ms = 0, from = flow): LadderEntry =>
  ladderEntry({ direction, flow: from, message, retransmitted: false }, start + ms)

test('an entry says when, which way, with whom and what', () => {
  const { message, ...rest } = entry(request('INVITE'))
  assert.deepEqual(rest, {
    at: '2026-01-02T03:04:05.000Z',
    direction: 'out',
    transport: 'udp',
    remote: '192.0.2.7:5060',
    summary: 'INVITE sip:bob@far.test',
  })
  assert.match(message, /^INVITE sip:bob@far\.test SIP\/2\.0\r\n/)
  assert.equal(entry(responseTo(request('INVITE'), 486)).summary, '486 Busy Here (INVITE)')
  const six = { ...flow, remote: { address: '2001:db8::1', port: 5061 } }
  assert.equal(entry(request('BYE'), 'in', 0, six).remote, '[2001:db8::1]:5061')
})

test('answers to challenges, keys, digits and texts are masked', () => {
  const digest = 'Digest username="u", response="0123456789abcdef", cnonce="zz"'
  const invite = maskedText(
    request(
      'INVITE',
      { authorization: digest, 'proxy-authorization': digest },
      'application/sdp',
      'v=0\r\na=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:c2VjcmV0a2V5c2VjcmV0|2^31\r\na=crypto:2 strange\r\na=ice-pwd:hush\r\na=rtpmap:0 PCMU/8000\r\n',
    ),
  )
  for (const secret of ['0123456789abcdef', 'zz', 'c2VjcmV0', 'strange', 'hush'])
    assert.ok(!invite.includes(secret), secret)
  assert.match(invite, /^Authorization: Digest \[hidden\]\r$/m)
  assert.match(invite, /^a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:\[hidden\]$/m)
  assert.match(invite, /^a=rtpmap:0 PCMU\/8000\r$/m)
  for (const [method, type, body] of [
    ['INFO', 'application/dtmf-relay', 'Signal=5\r\nDuration=160'],
    ['INFO', 'application/dtmf', '5'],
    ['MESSAGE', 'text/plain', 'my pin is 1234'],
  ] as const) {
    const text = maskedText(request(method, {}, type, body))
    assert.ok(!text.includes(body) && text.endsWith('[hidden]\r\n'), text)
    assert.match(text, new RegExp(`Content-Length: ${body.length}\r`))
  }
  const password = entry({ ...request('REGISTER'), uri: 'sip:bob:hush@far.test' })
  assert.ok(!password.message.includes('hush') && !password.summary.includes('hush'))
  assert.match(maskedText(request('INVITE', {}, 'application/isup', 'abc')), /\[3 bytes\]/)
})

test('a long message is cut, and of too many the middle goes', () => {
  const long = ladderEntry(
    { direction: 'in', flow, message: request('INVITE', { subject: 'x'.repeat(9000) }), retransmitted: true },
    start,
  )
  assert.equal(long.message.length, 4001)
  assert.equal(long.summary, 'INVITE sip:bob@far.test again')
  const ladder = new Ladder({ entries: 5 })
  for (let n = 0; n < 12; n++)
    ladder.add(
      { direction: 'out', flow, message: request('OPTIONS', { subject: `n${n}` }), retransmitted: false },
      start + n,
    )
  assert.deepEqual(
    ladder.entries.map(({ at }) => Number(at.slice(20, 23))),
    [0, 1, 2, 10, 11],
  )
  assert.equal(ladder.leftOut, 7)
})

test('a ladder is drawn with a column for each side', () => {
  const proxy = { ...flow, transport: 'tls' as const, remote: { address: '198.51.100.2', port: 5061 } }
  const drawn = drawLadder([
    entry(request('INVITE')),
    entry(responseTo(request('INVITE'), 180), 'in', 40),
    entry(request('BYE'), 'out', 1234, proxy),
  ])
  assert.equal(
    drawn,
    [
      '              we                                192.0.2.7:5060 udp                198.51.100.2:5061 tls',
      '              |                                 |                                 |',
      '03:04:05.000  |--- INVITE sip:bob@far.test ---->|                                 |',
      '03:04:05.040  |<----- 180 Ringing (INVITE) -----|                                 |',
      '03:04:06.234  |--------------------- BYE sip:bob@far.test ----------------------->|',
      '',
    ].join('\n'),
  )
})

test('nothing is drawn of nothing, and a crowd shares a column', () => {
  assert.equal(drawLadder([]), '')
  const crowd = Array.from({ length: 7 }, (_, n) =>
    entry(request('OPTIONS'), 'out', n, { ...flow, remote: { address: '192.0.2.7', port: n + 1 } }),
  )
  const lines = drawLadder(crowd).trimEnd().split('\n')
  assert.match(lines[0] ?? '', /others$/)
  assert.equal(new Set(lines.slice(1).map(({ length }) => length)).size, 1)
})

test('a real call makes a whole ladder', async (t) => {
  const ladder = new Ladder()
  const { a, b, caller } = await established(t, { a: { trace: (event) => ladder.add(event) } })
  await caller.sendDigitByInfo('7', 100)
  caller.hangUp()
  await idle(a, b)
  const names = ladder.entries
    .filter(({ summary }) => !/again$|^100/.test(summary))
    .map(({ summary }) => summary.split(' ')[0])
    .filter((name, i, all) => name !== all[i - 1]) // on a slow machine the 200 and the ACK repeat
  assert.deepEqual(names, ['INVITE', '200', 'ACK', 'INFO', '200', 'BYE', '200'])
  assert.ok(ladder.entries.every(({ message }) => !message.includes('Signal=7')))
})
