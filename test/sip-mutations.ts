// Hostile SIP for fuzz tests, from fixed seeds: mutated messages, and long texts of the kinds that slow patterns are
// expensive on.
import { readdirSync, readFileSync } from 'node:fs'
import { newBranch, responseTo } from '../src/sip/message/build.ts'
import { serialize } from '../src/sip/message/serialize.ts'
import { newCall } from './sip-ends.ts'

const folder = new URL('./fixtures/torture/', import.meta.url)
const torture = readdirSync(folder)
  .filter((name) => name.endsWith('.dat'))
  .map((name) => readFileSync(new URL(name, folder)))

/** A seeded generator: the same numbers in every run. */
export function chance(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Fragments that have broken parsers: numbers, object property names, bytes that terminate strings. */
const pieces = ['\r\n', '\r\n\r\n', '\0', ';', ',', '"', '<', '>', ':', '%', '%00', '=', ' ', '\t', '/', '[', ']', '@']
  .concat(['99999999999999999999', '-1', '__proto__', ';__proto__=1', ';rport=99999', 'constructor', 'é', '\xff\xfe'])
  .concat(['Via: SIP/2.0/UDP x;branch=z9hG4bK1\r\n', 'Content-Length: 5\r\n', 'CSeq: 1 ACK\r\n', 'SIP/2.0', 'INVITE '])

function mutated(bytes: Buffer, below: (n: number) => number): Buffer {
  let text = bytes.toString('latin1')
  for (let changes = below(4); changes > 0; changes--) {
    const at = below(text.length + 1)
    const length = below(12)
    const kind = below(6)
    if (kind === 0) text = text.slice(0, at) + text.slice(at + length)
    else if (kind === 1) text = text.slice(0, at) + text.slice(at, at + length).repeat(1 + below(40)) + text.slice(at)
    else if (kind === 2) text = text.slice(0, at) + String.fromCharCode(below(256)) + text.slice(at + 1)
    else if (kind === 3) text = text.slice(0, at)
    else text = text.slice(0, at) + pieces[below(pieces.length)] + text.slice(at + (kind === 4 ? length : 0))
  }
  return Buffer.from(text, 'latin1')
}

/** Messages of ordinary calls, and those of RFC 4475. */
function sources(): Buffer[] {
  const own = ['INVITE', 'ACK', 'CANCEL', 'BYE', 'OPTIONS', 'REGISTER'].map((method) => {
    const request = newCall(method, { supported: 'timer', 'proxy-require': '' }, 'v=0\r\n')
    request.headers.prepend('via', `SIP/2.0/UDP 127.0.0.1:9;branch=${newBranch()};rport`)
    return serialize(request)
  })
  const answered = newCall('INVITE')
  answered.headers.prepend('via', `SIP/2.0/UDP 127.0.0.1:9;branch=${newBranch()};rport`)
  return [...own, serialize(responseTo(answered, 200)), ...torture]
}

/** An endless sequence. On average two of three messages get a new branch; the others reuse the previous one's. */
export function mutations(seed: number): () => Buffer {
  const below = chance(seed)
  const seeds = sources()
  let branch = 0
  return () => {
    if (below(3) > 0) branch++
    const text = (seeds[below(seeds.length)] ?? Buffer.alloc(0)).toString('latin1')
    return mutated(Buffer.from(text.replace(/z9hG4bK[\w.-]*/, `z9hG4bK${seed}x${branch}`), 'latin1'), below)
  }
}

/** Fragments that, when repeated, have caused quadratic cost in some pattern, or could. */
const repeated = ['sip:a:', 'sip:sip:', 'sip:a@', 'sips:a:b@h,', 'a=crypto:1 x ', 'a=crypto ', 'inline:']
  .concat([
    ' ',
    '\t',
    '\r\n ',
    ',',
    ', ',
    ';',
    ';a',
    ';a=b',
    '; ',
    ';a="',
    '"',
    '""',
    '\\',
    '\\"',
    '"\\"',
    '<',
    '>',
    '<>',
  ])
  .concat(['@', ':', '%', '%41', '=', 'a=b,', 'a= ', 'a="b",', '(', '[', '.', '1.', '-', '/', '\xe9', '0', '9', 'x'])
  .concat(['SIP/2.0/UDP h;branch=z9hG4bK1,', '<sip:a@b>,', 'Digest ', ';boundary=', ';text="', ';cause=', 'charset ='])

const sdpLines = [
  'a=crypto:1 AES_CM_128_HMAC_SHA1_80 ',
  'a=crypto:1 x inline:',
  'a=rtpmap:0 a',
  'm=audio 1 RTP/AVP 0',
  'a=x:',
].concat(['c=IN IP4 ', 'o=- 1 1 ', 'a=ptime:', 'a=ptime:1.', 'k=', '--b', 'Content-Type: application/sdp', '', ' '])

/** Positions for a long text: each builds a whole message around it. */
const places: [place: string, message: (text: string) => string][] = [
  ['a header', (text) => request('ACK', { 'X-Poc': text })],
  ['a header of an INVITE', (text) => request('INVITE', { 'X-Poc': text })],
  ['a header of a response', (text) => request('INVITE', { 'X-Poc': text }).replace(/^.*/, 'SIP/2.0 200 OK')],
  ['a reason phrase', (text) => request('INVITE', {}).replace(/^.*/, () => `SIP/2.0 486 ${text}`)],
  ['the Request-URI', (text) => request('REGISTER', {}).replace(/sip:a@b/, () => `sip:${text}`)],
  ['the first line', (text) => request('OPTIONS', {}).replace(/^.*/, () => `A ${text}`)],
  ['a URI in From', (text) => request('INVITE', { From: `<sip:${text}>;tag=1` })],
  ['a name in From', (text) => request('REGISTER', { From: `"${text}" <sip:a@b>;tag=1` })],
  ['From without brackets', (text) => request('INVITE', { From: `${text}<sip:a@b>;tag=1` })],
  ['parameters of To', (text) => request('INVITE', { To: `<sip:a@b>${text}` })],
  ['Via', (text) => request('INVITE', { Via: `SIP/2.0/UDP h;branch=z9hG4bK1${text}` })],
  ['the head of a Via', (text) => request('INVITE', { Via: `SIP/2.0/UDP ${text}` })],
  ['Contact', (text) => request('REGISTER', { Contact: `<sip:a@b>${text}` })],
  ['CSeq', (text) => request('INVITE', { CSeq: `1 ${text}INVITE` })],
  ['credentials', (text) => request('REGISTER', { Authorization: `Digest realm="here", nonce=${text}` })],
  ['a value of credentials', (text) => request('REGISTER', { Authorization: `Digest a=${text}"` })],
  [
    'a challenge',
    (text) => request('REGISTER', { 'WWW-Authenticate': `Digest ${text}` }).replace(/^.*/, 'SIP/2.0 401 Unauthorized'),
  ],
  ['Replaces', (text) => request('INVITE', { Replaces: `a;to-tag=b;from-tag=c${text}` })],
  ['Record-Route', (text) => request('INVITE', { 'Record-Route': text })],
  ['Reason and Warning', (text) => request('BYE', { Reason: `Q.850${text}`, Warning: text.slice(0, 7000) })],
  ['Session-Expires', (text) => request('INVITE', { 'Session-Expires': `90${text}`, Supported: text.slice(0, 7000) })],
  ['Refer-To', (text) => request('REFER', { 'Refer-To': text })],
  ['User-Agent', (text) => request('INVITE', { 'User-Agent': text })],
  ['a boundary', (text) => request('INVITE', { 'Content-Type': `multipart/mixed;boundary=${text}` }, text)],
  ['parts', (text) => request('INVITE', { 'Content-Type': 'multipart/mixed;boundary=b' }, `--b\r\n${text}\r\n\r\n`)],
  ['SDP', (text) => request('INVITE', { 'Content-Type': 'application/sdp' }, `v=0\r\n${text}`)],
  ['a fragment', (text) => request('NOTIFY', { 'Content-Type': 'message/sipfrag' }, text)],
  ['digits', (text) => request('INFO', { 'Content-Type': 'application/dtmf-relay' }, `Signal=${text}`)],
]

function request(method: string, more: Record<string, string>, body = ''): string {
  const headers = {
    Via: 'SIP/2.0/UDP 127.0.0.1:9;branch=z9hG4bK1;rport',
    From: '<sip:a@b>;tag=1',
    To: '<sip:a@b>',
    'Call-ID': '1',
    CSeq: `1 ${method}`,
    'Max-Forwards': '70',
    ...more,
    'Content-Length': String(Buffer.byteLength(body, 'latin1')),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} sip:a@b SIP/2.0\r\n${lines.join('')}\r\n${body}`
}

const long = (text: string, chars: number) => text.repeat(Math.ceil(chars / text.length)).slice(0, chars)

/** Texts of this many characters: every kind in every position, with each of these endings. */
export function* hostileMessages(
  chars: number,
  ends: readonly string[] = [''],
): Generator<{ title: string; bytes: Buffer }> {
  for (const [place, message] of places) {
    const lines = place === 'SDP' || place === 'parts' ? sdpLines.flatMap((line) => [`${line}\r\n`, `${line} `]) : []
    for (const text of [...repeated, ...lines])
      for (const end of ends)
        yield {
          title: `${chars} of ${JSON.stringify(text)}${end && ` and ${JSON.stringify(end)}`} in ${place}`,
          bytes: Buffer.from(message(long(text, chars) + end), 'latin1'),
        }
  }
}
