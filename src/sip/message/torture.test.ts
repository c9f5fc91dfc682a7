// The 49 messages of RFC 4475, each with its required outcome.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Registrar } from '../registration/registrar.ts'
import { StreamParser } from '../transport/stream-parser.ts'
import { responseTo } from './build.ts'
import type { SipMessage, SipRequest, SipResponse } from './message.ts'
import { type ParseProblem, type ParseResult, parseMessage } from './parse.ts'
import { serialize } from './serialize.ts'
import { parseUri } from './uri.ts'
import { listOf, parseAuth, parseCSeq, parseNameAddr, parseVia, tagOf } from './values.ts'

const folder = join(import.meta.dirname, '../../../test/fixtures/torture')
const bytesOf = (name: string) => readFileSync(join(folder, `${name}.dat`))

function read(name: string): SipMessage {
  const result = parseMessage(bytesOf(name))
  assert.ok('message' in result, `${name}: ${'problem' in result ? result.problem : ''}`)
  return result.message
}

function request(name: string): SipRequest {
  const message = read(name)
  assert.equal(message.kind, 'request')
  return message as SipRequest
}

function response(name: string): SipResponse {
  const message = read(name)
  assert.equal(message.kind, 'response')
  return message as SipResponse
}

function problem(name: string): ParseProblem {
  const result: ParseResult = parseMessage(bytesOf(name))
  assert.ok('problem' in result, `${name} was accepted`)
  return result
}

const flow = {
  transport: 'udp',
  remote: { address: '192.0.2.1', port: 5060 },
  local: { address: '192.0.2.9', port: 5060 },
} as const

const register = (name: string): SipResponse =>
  new Registrar({ sweepEveryMs: 0 }).register('someone', request(name), flow)

const header = (message: SipMessage, name: string) => message.headers.get(name) ?? ''
const address = (message: SipMessage, name: string) => parseNameAddr(header(message, name))
const vias = (message: SipMessage) => listOf(message.headers, 'via').map(parseVia)

test('all 49 are there', () => {
  assert.equal(readdirSync(folder).filter((name) => name.endsWith('.dat')).length, 49)
})

test('3.1.1.1 wsinv: folded lines, spaces everywhere, compact names, leading zeros', () => {
  const message = request('wsinv')
  assert.equal(message.uri, 'sip:vivekg@chair-dnrc.example.com;unknownparam')
  assert.deepEqual(address(message, 'to'), {
    displayName: null,
    uri: 'sip:vivekg@chair-dnrc.example.com',
    params: new Map([['tag', '1918181833n']]),
  })
  assert.deepEqual(address(message, 'from'), {
    displayName: 'J Rosenberg \\"',
    uri: 'sip:jdrosen@example.com',
    params: new Map([['tag', '98asjd8']]),
  })
  assert.equal(Number(header(message, 'max-forwards')), 68)
  assert.deepEqual(parseCSeq(header(message, 'cseq')), { number: 9, method: 'INVITE' })
  const branch = (text: string) => new Map([['branch', text]])
  assert.deepEqual(vias(message), [
    { transport: 'udp', host: '192.0.2.2', port: null, params: branch('390skdjuw') },
    { transport: 'tcp', host: 'spindle.example.com', port: null, params: branch('z9hG4bK9ikj8') },
    { transport: 'udp', host: '192.168.255.111', port: null, params: branch('z9hG4bK30239') },
  ])
  assert.equal(header(message, 'subject'), '')
  assert.equal(header(message, 'newfangledheader'), 'newfangled value continued newfangled value')
  assert.equal(header(message, 'unknownheaderwithunusualvalue'), ';;,,;;,;')
  assert.equal(
    parseNameAddr(header(message, 'route'))?.uri,
    'sip:services.example.com;lr;unknownwith=value;unknown-no-value',
  )
  const params = new Map([
    ['newparam', 'newvalue'],
    ['secondparam', null],
    ['q', '0.33'],
  ] as [string, string | null][])
  assert.deepEqual(address(message, 'contact'), {
    displayName: 'Quoted string ""',
    uri: 'sip:jdrosen@example.com',
    params,
  })
  assert.equal(message.body.length, 150)
})

test('3.1.1.2 intmeth: every character that a method, a uri, a name or a Call-ID may have', () => {
  const message = request('intmeth')
  assert.equal(message.method, "!interesting-Method0123456789_*+`.%indeed'~")
  const uri = parseUri(message.uri)
  assert.equal(uri?.user, "1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*")
  assert.equal(uri?.password, "&it+has=1,weird!*pas$wo~d_too.(doesn't-it)")
  assert.equal(uri?.host, 'example.com')
  assert.equal(address(message, 'to')?.displayName, 'BEL:\x07 NUL:\x00 DEL:\x7f')
  assert.equal(address(message, 'from')?.displayName, "token1~` token2'+_ token3*%!.-")
  assert.equal(address(message, 'from')?.params.get("fromparam''~+*_!.-%"), 'работающий')
  assert.equal(tagOf(header(message, 'from')), "_token~1'+`*%!-.")
  assert.equal(header(message, 'call-id'), 'intmeth.word%ZK-!.*_+\'@word`~)(><:\\/"][?}{')
  assert.equal(header(message, "extensionheader-!.%*+_`'~"), '\uFEFF大停電')
  assert.equal(vias(message)[0]?.params.get('branch'), "z9hG4bK-.!%66*_+`'~")
  assert.equal(Number(header(message, 'max-forwards')), 255)
})

test('3.1.1.3 esc01: escapes stand for characters', () => {
  const message = request('esc01')
  assert.equal(parseUri(message.uri)?.user, 'sips:user@example.com')
  assert.equal(parseUri(message.uri)?.host, 'example.net')
  assert.equal(parseUri(address(message, 'to')?.uri ?? '')?.user, 'user')
  assert.equal(parseUri(address(message, 'from')?.uri ?? '')?.user, 'I have spaces')
  const contact = parseUri(address(message, 'contact')?.uri ?? '')
  assert.equal(contact?.user, 'caller')
  assert.deepEqual(
    [...(contact?.params ?? [])],
    [
      ['lr', null],
      ['name', 'value%41'],
    ],
  )
})

test('3.1.1.4 escnull: escaped NULs do not end a name', () => {
  const message = request('escnull')
  assert.equal(parseUri(address(message, 'to')?.uri ?? '')?.user, 'null-\0-null')
  const users = listOf(message.headers, 'contact').map((text) => parseUri(parseNameAddr(text)?.uri ?? '')?.user)
  assert.deepEqual(users, ['\0', '\0\0'])
  assert.equal(listOf(register('escnull').headers, 'contact').length, 2)
})

test('3.1.1.5 esc02: a percent sign is not an escape where escapes are not used', () => {
  const message = request('esc02')
  assert.equal(message.method, 'RE%47IST%45R')
  assert.equal(address(message, 'to')?.displayName, '%Z%45')
  assert.equal(message.headers.all('contact').length, 2)
  assert.equal(header(message, 'c%6fntact'), '<sip:alias2@host2.example.com>')
  assert.equal(vias(message)[0]?.params.get('branch'), 'z9hG4bK209%fzsnel234')
})

test('3.1.1.6 lwsdisp: no space between a name and its bracket', () => {
  const from = address(request('lwsdisp'), 'from')
  assert.deepEqual([from?.displayName, from?.uri], ['caller', 'sip:caller@example.com'])
})

test('3.1.1.7 longreq: long values, and 34 ways of writing Via', () => {
  const message = request('longreq')
  assert.equal(vias(message).length, 34)
  assert.ok(vias(message).every((via) => via?.transport === 'tcp'))
  assert.equal(vias(message)[33]?.params.get('received'), '192.0.2.5')
  assert.equal(parseUri(address(message, 'to')?.uri ?? '')?.port, 6000)
  assert.equal(message.body.length, 150)
})

test('3.1.1.8 dblreq: what follows the body in a datagram is dropped, in a stream it is the next message', () => {
  const message = request('dblreq')
  assert.equal(message.method, 'REGISTER')
  assert.equal(message.body.length, 0)
  // Its second body is a few bytes longer than declared, so what follows it is garbage.
  const inStream = new StreamParser().push(bytesOf('dblreq')).slice(0, 2)
  assert.deepEqual(
    inStream.map((item) => (item !== 'keepalive' && 'message' in item ? header(item.message, 'cseq') : item)),
    ['8 REGISTER', '8 INVITE'],
  )
})

test('3.1.1.9 semiuri: a semicolon in the user part belongs to it', () => {
  const uri = parseUri(request('semiuri').uri)
  assert.deepEqual([uri?.user, uri?.host, uri?.params.size], ['user;par=u@example.net', 'example.com', 0])
})

test('3.1.1.10 transports: Via with transports that nobody has', () => {
  const names = vias(request('transports')).map((via) => via?.transport)
  assert.deepEqual(names, ['udp', 'sctp', 'tls', 'unknown', 'tcp'])
})

test('3.1.1.11 mpart01: a body with bytes that are no text', () => {
  const message = request('mpart01')
  assert.equal(message.body.length, 553)
  assert.ok(message.body.includes(Buffer.from([0x30, 0x82, 0x01, 0x52])))
  const again = parseMessage(serialize(message))
  assert.ok('message' in again && again.message.body.equals(message.body))
})

test('3.1.1.12 unreason: a reason in another script', () => {
  assert.equal(response('unreason').reason, '= 2**3 * 5**2 но сто девяносто девять - простое')
})

test('3.1.1.13 noreason: no reason at all', () => {
  const { status, reason } = response('noreason')
  assert.deepEqual([status, reason], [100, ''])
})

test('3.2.1 badbranch: a branch that is only the cookie', () => {
  assert.equal(vias(request('badbranch'))[0]?.params.get('branch'), 'z9hG4bK')
})

test('3.3.2 to 3.3.4: schemes that nobody knows are for those above to refuse', () => {
  assert.equal(request('unkscm').uri, 'nobodyKnowsThisScheme:totallyopaquecontent')
  assert.equal(parseUri(request('unkscm').uri), null)
  assert.equal(request('novelsc').uri, 'soap.beep://192.0.2.103:3002')
  assert.equal(address(request('unksm2'), 'to')?.uri, 'isbn:2983792873')
  assert.equal(address(request('unksm2'), 'from')?.uri, 'http://www.example.com')
  assert.equal(register('unksm2').status, 400)
})

test('3.3.5 bext01: what it requires is named', () => {
  const message = request('bext01')
  assert.deepEqual(listOf(message.headers, 'require'), ['nothingSupportsThis', 'nothingSupportsThisEither'])
  const answer = new Registrar({ sweepEveryMs: 0 }).register('someone', message, flow)
  assert.equal(answer.status, 420)
  assert.equal(header(answer, 'unsupported'), 'nothingSupportsThis, nothingSupportsThisEither')
})

test('3.3.6 invut: a body of an unknown kind', () => {
  assert.equal(header(request('invut'), 'content-type'), 'application/unknownformat')
})

test('3.3.7 regaut01: a scheme of authorization that nobody knows', () => {
  const auth = parseAuth(header(request('regaut01'), 'authorization'))
  assert.deepEqual(auth, { scheme: 'nooneknowsthisscheme', params: new Map([['opaque-data', 'here']]) })
})

test('3.3.10 bcast: a response whose second Via is a broadcast address', () => {
  assert.deepEqual(
    vias(response('bcast')).map((via) => via?.host),
    ['192.0.2.198', '255.255.255.255'],
  )
})

test('3.3.11 zeromf: no hop is left', () => assert.equal(header(request('zeromf'), 'max-forwards'), '0'))

test('3.3.12 and 3.3.13 cparam01, cparam02: a parameter of the contact, or of its uri', () => {
  const uri = 'sip:+19725552222@gw1.example.net'
  assert.deepEqual(address(request('cparam01'), 'contact')?.params, new Map([['unknownparam', null]]))
  assert.match(
    header(register('cparam01'), 'contact'),
    /^<sip:\+19725552222@gw1\.example\.net>;unknownparam;expires=\d+$/,
  )
  assert.deepEqual(address(request('cparam02'), 'contact'), {
    displayName: null,
    uri: `${uri};unknownparam`,
    params: new Map(),
  })
  assert.match(
    header(register('cparam02'), 'contact'),
    /^<sip:\+19725552222@gw1\.example\.net;unknownparam>;expires=\d+$/,
  )
})

test('3.3.14 regescrt: a contact with a header in it is kept whole, and called without it', () => {
  const registrar = new Registrar({ sweepEveryMs: 0 })
  const answer = registrar.register('someone', request('regescrt'), flow)
  assert.match(header(answer, 'contact'), /^<sip:user@example\.com\?Route=%3Csip:sip\.example\.com%3E>;expires=\d+$/)
  assert.equal(registrar.lookup('someone')[0]?.target, 'sip:user@example.com')
})

test('3.3.15 sdp01: an Accept that leaves out SDP', () => {
  assert.equal(header(request('sdp01'), 'accept'), 'text/nobodyKnowsThis')
})

test('3.4.1 inv2543: no branch, no tag, no Max-Forwards, no Content-Length', () => {
  const message = request('inv2543')
  assert.equal(vias(message)[0]?.params.has('branch'), false)
  assert.equal(tagOf(header(message, 'from')), null)
  assert.equal(message.body.length, 105)
})

// The invalid ones: the status of the response, and whether enough was parsed to send one.
const refused: [name: string, status: number, isAnswerable: boolean, why: RegExp][] = [
  ['badinv01', 400, false, /Via/], // its only Via is unreadable, so there is nowhere to send a response
  ['clerr', 400, true, /more than what came/],
  ['ncl', 400, true, /not a length/],
  ['scalar02', 400, true, /CSeq/],
  ['scalarlg', 400, false, /CSeq/], // a response
  ['quotbal', 400, true, /to cannot be read/],
  ['ltgtruri', 400, true, /first line/],
  ['lwsruri', 400, true, /first line/],
  ['lwsstart', 400, true, /first line/],
  ['trws', 400, true, /first line/],
  ['escruri', 400, true, /Request-URI has headers/],
  ['badaspec', 400, true, /to cannot be read/],
  ['baddn', 400, true, /from cannot be read/],
  ['badvers', 505, true, /version/],
  ['mismatch01', 400, true, /another method/],
  ['mismatch02', 400, true, /another method/],
  ['bigcode', 400, false, /first line/], // a response
  ['insuf', 400, false, /no from/], // no response can be built without From, To and Call-ID
  ['multi01', 400, true, /more than one/],
  ['mcl01', 400, true, /more than one Content-Length/],
]

for (const [name, status, isAnswerable, why] of refused)
  test(`${name} is refused with ${status}${isAnswerable ? '' : ', in silence'}`, () => {
    const found = problem(name)
    assert.equal(found.status, status)
    assert.match(found.problem, why)
    assert.equal(found.partial !== null, isAnswerable)
    if (!found.partial) return
    const answer = parseMessage(serialize(responseTo(found.partial, found.status)))
    const isTwice = name === 'multi01' || ['quotbal', 'badaspec', 'baddn', 'scalar02'].includes(name)
    // These responses echo the broken header as received; all others must be readable by our own parser.
    if (!isTwice) assert.ok('message' in answer, JSON.stringify(answer))
  })

test('3.1.2.12 baddate: a Date in another zone is not looked at, as RFC 4475 allows', () => {
  assert.equal(header(request('baddate'), 'date'), 'Fri, 01 Jan 2010 16:00:00 EST')
})

test('3.1.2.13 regbadct: read, but the registrar refuses the contact', () => {
  assert.equal(register('regbadct').status, 400)
})

test('those that must not break a stream leave it alive, those that lose the frame end it', () => {
  const ends = (name: string) => {
    const parser = new StreamParser()
    parser.push(bytesOf(name))
    return parser.fatal
  }
  for (const name of ['quotbal', 'badaspec', 'baddn', 'badvers', 'mismatch01', 'ltgtruri', 'lwsstart', 'badinv01'])
    assert.equal(ends(name), false, name)
  for (const name of ['ncl', 'mcl01', 'bigcode', 'inv2543']) assert.equal(ends(name), true, name)
})
