import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LegSettings } from '../../rtp/leg.ts'
import {
  answerOffer,
  type LocalMedia,
  makeOffer,
  type NegotiatedAudio,
  readAnswer,
  type SdpProblem,
} from './offer-answer.ts'
import { privateAddressIn } from './sdp-parse.ts'

const local: LocalMedia = {
  address: '192.0.2.1',
  port: 10_000,
  codecs: ['PCMU', 'PCMA', 'G722', 'opus'],
  encryption: 'allowed',
  sessionId: '77',
  version: 1,
}
const key = 'd0RmdmcmVCspeEc3QGZiNWpVLFJhQX1cfHAwJSoj'
const otherKey = 'PS1uQCVeeCFCanVmcjkpPywjNWhcYD0mXXtxaVBR'

/** An offer of the peer; `audio` is its m= line and what follows. */
const sdp = (audio: string, session = 'c=IN IP4 198.51.100.7') =>
  `v=0\no=bob 1 1 IN IP4 198.51.100.7\ns=-\n${session}\nt=0 0\n${audio}`.replaceAll('\n', '\r\n').concat('\r\n')

function agreedOn(made: { sdp: string; agreed: NegotiatedAudio } | SdpProblem): {
  sdp: string
  agreed: NegotiatedAudio
} {
  if ('problem' in made) assert.fail(`${made.problem}: ${made.detail}`)
  return made
}
const answered = (offer: string, change: Partial<LocalMedia> = {}) =>
  agreedOn(answerOffer(offer, { ...local, ...change }))
const refusalOf = (offer: string, change: Partial<LocalMedia> = {}) => {
  const made = answerOffer(offer, { ...local, ...change })
  return 'problem' in made ? made.problem : undefined
}
const lines = (text: string, start: string) => text.split('\r\n').filter((line) => line.startsWith(start))

function agreedBy(change: Partial<LocalMedia>, answer: (offerSdp: string) => string): NegotiatedAudio {
  const offer = makeOffer({ ...local, ...change })
  const agreed = readAnswer(offer, answer(offer.sdp))
  if ('problem' in agreed) assert.fail(`${agreed.problem}: ${agreed.detail}`)
  return agreed
}

test('what is agreed is what a leg takes', () => {
  const settings: LegSettings = answered(sdp('m=audio 4000 RTP/AVP 0')).agreed
  assert.deepEqual(settings.remote, { address: '198.51.100.7', port: 4000 })
})

test('an offer lists the codecs in order, with an event number for each clock', () => {
  assert.equal(
    makeOffer({ ...local, codecs: ['PCMA', 'opus'] }).sdp,
    `v=0
o=- 77 1 IN IP4 192.0.2.1
s=-
c=IN IP4 192.0.2.1
t=0 0
m=audio 10000 RTP/AVP 8 111 101 102
a=rtpmap:8 PCMA/8000
a=rtpmap:111 opus/48000/2
a=rtpmap:101 telephone-event/8000
a=rtpmap:102 telephone-event/48000
a=fmtp:101 0-15
a=fmtp:102 0-15
a=ptime:20
a=sendrecv
`.replaceAll('\n', '\r\n'),
  )
})

test('the answer has the chosen codec first and alone, with the numbers of the offer', () => {
  const offer = sdp('m=audio 4000 RTP/AVP 18 8 0 96\na=rtpmap:96 telephone-event/8000\na=fmtp:96 0-16\na=ptime:20')
  const { sdp: answer, agreed } = answered(offer)
  assert.deepEqual(lines(answer, 'm='), ['m=audio 10000 RTP/AVP 8 96'])
  assert.deepEqual(lines(answer, 'a=rtpmap'), ['a=rtpmap:8 PCMA/8000', 'a=rtpmap:96 telephone-event/8000'])
  assert.deepEqual(agreed, {
    remote: { address: '198.51.100.7', port: 4000 },
    codec: 'PCMA',
    payloadType: 8,
    dtmfPayloadType: 96,
    comfortNoisePayloadType: null,
    ptimeMs: 20,
    direction: 'sendrecv',
    srtp: null,
    rtcpMux: false,
    remoteDirection: 'sendrecv',
    isHold: false,
  })
})

test('static numbers need no rtpmap, dynamic ones are known by theirs alone', () => {
  for (const [line, codec, number] of [
    ['m=audio 4000 RTP/AVP 0', 'PCMU', 0],
    ['m=audio 4000 RTP/AVP 8', 'PCMA', 8],
    ['m=audio 4000 RTP/AVP 9', 'G722', 9],
    ['m=audio 4000 RTP/AVP 9\na=rtpmap:9 g722/8000', 'G722', 9],
    ['m=audio 4000 RTP/AVP 97 98\na=rtpmap:97 iLBC/8000\na=rtpmap:98 pcmu/8000/1', 'PCMU', 98],
    ['m=audio 4000 RTP/AVP 120\na=rtpmap:120 OPUS/48000/2', 'opus', 120],
    ['m=audio 4000 RTP/AVP 96 0\na=rtpmap:96 PCMU/16000', 'PCMU', 0],
    ['m=audio 4000/2 RTP/AVP 0', 'PCMU', 0],
  ] as const) {
    const { agreed } = answered(sdp(line))
    assert.deepEqual([agreed.codec, agreed.payloadType], [codec, number], line)
  }
})

test('digits run on the clock of the codec, and with Opus on the only one there is', () => {
  const events = 'a=rtpmap:111 opus/48000/2\na=rtpmap:101 telephone-event/8000'
  const two = sdp(`m=audio 4000 RTP/AVP 111 101 110 0\n${events}\na=rtpmap:110 telephone-event/48000`)
  assert.equal(answered(two).agreed.dtmfPayloadType, 110)
  assert.equal(answered(two, { codecs: ['PCMU'] }).agreed.dtmfPayloadType, 101)
  assert.equal(answered(sdp(`m=audio 4000 RTP/AVP 111 101\n${events}`)).agreed.dtmfPayloadType, 101)
  assert.equal(answered(sdp('m=audio 4000 RTP/AVP 0')).agreed.dtmfPayloadType, null)
})

test('comfort noise of the peer is known and not promised', () => {
  const { sdp: answer, agreed } = answered(sdp('m=audio 4000 RTP/AVP 0 13'))
  assert.equal(agreed.comfortNoisePayloadType, 13)
  assert.deepEqual(lines(answer, 'm='), ['m=audio 10000 RTP/AVP 0'])
})

test('each direction is answered by its mirror, within what we want ourselves', () => {
  for (const [theirs, wanted, ours, isHold] of [
    ['sendrecv', 'sendrecv', 'sendrecv', false],
    ['sendonly', 'sendrecv', 'recvonly', true],
    ['recvonly', 'sendrecv', 'sendonly', false],
    ['inactive', 'sendrecv', 'inactive', true],
    ['sendrecv', 'recvonly', 'recvonly', false],
    ['sendonly', 'sendonly', 'inactive', true],
  ] as const) {
    const { sdp: answer, agreed } = answered(sdp(`m=audio 4000 RTP/AVP 0\na=${theirs}`), { direction: wanted })
    assert.deepEqual([agreed.direction, agreed.remoteDirection, agreed.isHold], [ours, theirs, isHold], theirs)
    assert.ok(answer.includes(`a=${ours}\r\n`), answer)
  }
})

test('the address and the direction of the session count where the stream has none of its own', () => {
  const session = 'c=IN IP4 203.0.113.9\na=sendonly'
  assert.deepEqual(answered(sdp('m=audio 4000 RTP/AVP 0', session)).agreed.direction, 'recvonly')
  const own = answered(sdp('m=audio 4000 RTP/AVP 0\nc=IN IP4 203.0.113.10\na=sendrecv', session)).agreed
  assert.deepEqual([own.remote.address, own.direction], ['203.0.113.10', 'sendrecv'])
})

test('the hold of old phones, an address of zeros, is a hold', () => {
  const { agreed } = answered(sdp('m=audio 4000 RTP/AVP 0', 'c=IN IP4 0.0.0.0'))
  assert.deepEqual([agreed.direction, agreed.remoteDirection, agreed.isHold], ['recvonly', 'sendonly', true])
})

test('every m= line is answered in its place, the others with port 0, and the t= line is theirs', () => {
  const offer = sdp(
    'm=video 5000 RTP/AVP 99\na=rtpmap:99 H264/90000\nm=audio 4000 RTP/AVP 0\nm=image 6000 udptl t38\nm=audio 4002 RTP/AVP 8',
  ).replace('t=0 0', 't=5 9')
  const { sdp: answer } = answered(offer)
  assert.deepEqual(lines(answer, 'm='), [
    'm=video 0 RTP/AVP 99',
    'm=audio 10000 RTP/AVP 0',
    'm=image 0 udptl t38',
    'm=audio 0 RTP/AVP 8',
  ])
  assert.deepEqual(lines(answer, 't='), ['t=5 9'])
})

test('a second audio line is taken when the first cannot be', () => {
  const secure = `m=audio 4000 RTP/SAVP 0\na=crypto:1 F8_128_HMAC_SHA1_80 inline:${key}\nm=audio 4002 RTP/AVP 0`
  const { sdp: answer, agreed } = answered(sdp(secure))
  assert.equal(agreed.remote.port, 4002)
  assert.deepEqual(lines(answer, 'm='), ['m=audio 0 RTP/SAVP 0', 'm=audio 10000 RTP/AVP 0'])
})

test('a packet is as long as the peer wishes and can take', () => {
  for (const [attributes, ptimeMs] of [
    ['', 20],
    ['\na=ptime:40', 40],
    ['\na=ptime:30', 30],
    ['\na=ptime:10', 10],
    ['\na=ptime:25', 20],
    ['\na=ptime:200', 60],
    ['\na=ptime:60\na=maxptime:40', 40],
    ['\na=ptime:0', 20],
    ['\na=ptime:1', 20],
    ['\na=ptime:x', 20],
  ] as const) {
    const { sdp: answer, agreed } = answered(sdp(`m=audio 4000 RTP/AVP 0${attributes}`))
    assert.equal(agreed.ptimeMs, ptimeMs, attributes)
    assert.deepEqual(lines(answer, 'a=ptime'), [`a=ptime:${ptimeMs}`])
  }
  assert.equal(answered(sdp('m=audio 4000 RTP/AVP 96\na=rtpmap:96 opus/48000/2\na=ptime:30')).agreed.ptimeMs, 20)
})

test('the profiles with feedback are answered as they came, others are refused', () => {
  assert.deepEqual(lines(answered(sdp('m=audio 4000 RTP/AVPF 0')).sdp, 'm='), ['m=audio 10000 RTP/AVPF 0'])
  assert.equal(refusalOf(sdp('m=audio 4000 UDP/TLS/RTP/SAVPF 0')), 'no-audio')
})

test('RTCP on the port of RTP is agreed when it is offered', () => {
  const { sdp: answer, agreed } = answered(sdp('m=audio 4000 RTP/AVP 0\na=rtcp:4001\na=rtcp-mux'))
  assert.ok(agreed.rtcpMux && answer.includes('a=rtcp-mux\r\n'))
  assert.equal(agreedBy({}, () => sdp('m=audio 4000 RTP/AVP 0\na=rtcp-mux')).rtcpMux, false)
})

test('IPv6 is written as such, and an address of the other family is refused', () => {
  const six = { address: '2001:db8::1' }
  const offer = sdp('m=audio 4000 RTP/AVP 0', 'c=IN IP6 2001:db8::2')
  const { sdp: answer, agreed } = answered(offer, six)
  assert.equal(agreed.remote.address, '2001:db8::2')
  assert.deepEqual(lines(answer, 'c='), ['c=IN IP6 2001:db8::1'])
  assert.equal(refusalOf(offer), 'no-audio')
})

test('an offer that cannot be taken is refused by its reason', () => {
  assert.equal(refusalOf(sdp('m=audio 4000 RTP/AVP 18 3')), 'no-common-codec')
  assert.equal(refusalOf(sdp('m=audio 4000 RTP/AVP 0'), { codecs: ['PCMA'] }), 'no-common-codec')
  assert.equal(refusalOf(sdp('m=audio 0 RTP/AVP 0')), 'no-audio')
  assert.equal(refusalOf(sdp('m=image 4000 udptl t38')), 'no-audio')
  assert.equal(refusalOf(sdp('m=audio 4000 RTP/AVP 0'), { encryption: 'required' }), 'encryption-required')
  assert.equal(refusalOf(sdp('m=audio 4000 RTP/AVP 0', 'b=AS:64')), 'unreadable')
  assert.equal(refusalOf(sdp('m=audio 4000 RTP/AVP 0', 'c=IN IP4 pbx.example')), 'unreadable')
  assert.equal(refusalOf(sdp('m=audio 4000 RTP/AVP 0', 'c=IN IP4 224.2.1.1/127')), 'unreadable')
  assert.equal(refusalOf(sdp('m=audio')), 'unreadable')
  assert.equal(refusalOf(sdp('m=audio 65536 RTP/AVP 0')), 'unreadable')
  assert.equal(refusalOf(''), 'unreadable')
  assert.equal(refusalOf('hello'), 'unreadable')
  assert.equal(refusalOf(sdp(`m=audio 4000 RTP/AVP 0\n${'a=x\n'.repeat(10_000)}`)), 'unreadable')
})

test('the detail of a refusal names what was offered', () => {
  const made = answerOffer(sdp('m=audio 4000 RTP/AVP 18 97\na=rtpmap:97 iLBC/8000'), { ...local, codecs: ['PCMA'] })
  assert.deepEqual(made, { problem: 'no-common-codec', detail: 'the offer has G729, ILBC; allowed here: PCMA' })
})

test('an encrypted offer is answered with its tag and suite and a key of ours', () => {
  const offer = sdp(
    `m=audio 4000 RTP/SAVP 0\na=crypto:3 AES_256_CM_HMAC_SHA1_80 inline:${key}\na=crypto:4 AES_CM_128_HMAC_SHA1_32 inline:${key}|2^31`,
  )
  for (const encryption of ['allowed', 'required'] as const) {
    const { sdp: answer, agreed } = answered(offer, { encryption, cryptoKey: Buffer.from(otherKey, 'base64') })
    assert.deepEqual(lines(answer, 'a=crypto'), [`a=crypto:4 AES_CM_128_HMAC_SHA1_32 inline:${otherKey}`])
    assert.deepEqual(lines(answer, 'm='), ['m=audio 10000 RTP/SAVP 0'])
    assert.equal(agreed.srtp?.receive.suite, 'AES_CM_128_HMAC_SHA1_32')
    assert.equal(Buffer.from(agreed.srtp?.receive.key ?? []).toString('base64'), key)
    assert.equal(Buffer.from(agreed.srtp?.send.key ?? []).toString('base64'), otherKey)
  }
  assert.equal(refusalOf(offer, { encryption: 'disabled' }), 'encryption-required')
})

test('encryption offered beside plain audio is taken where it is allowed', () => {
  const offer = sdp(`m=audio 4000 RTP/AVP 0\na=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${key}`)
  const { sdp: answer, agreed } = answered(offer)
  assert.ok(agreed.srtp)
  assert.deepEqual([lines(answer, 'm='), lines(answer, 'a=crypto').length], [['m=audio 10000 RTP/AVP 0'], 1])
  const plain = answered(offer, { encryption: 'disabled' })
  assert.deepEqual([plain.agreed.srtp, lines(plain.sdp, 'a=crypto')], [null, []])
})

test('a crypto line that asks for what we cannot do is ignored', () => {
  const suite = 'AES_CM_128_HMAC_SHA1_80'
  for (const line of [
    `1 ${suite} inline:${key}|2^20|1:4`,
    `1 ${suite} inline:${key}|1:4`,
    `1 ${suite} inline:${key};inline:${otherKey}`,
    `1 ${suite} inline:${key} UNENCRYPTED_SRTP`,
    `1 ${suite} inline:${key} WSH=64 UNAUTHENTICATED_SRTP`,
    `1 ${suite} inline:${key} KDR=2`,
    `1 ${suite} inline:${key.slice(4)}`,
    `1 ${suite} inline:`,
    `1 ${suite}`,
    `x ${suite} inline:${key}`,
  ])
    assert.equal(refusalOf(sdp(`m=audio 4000 RTP/SAVP 0\na=crypto:${line}`)), 'encryption-required', line)
  assert.ok(answered(sdp(`m=audio 4000 RTP/SAVP 0\na=crypto:1 ${suite} inline:${key}|2^20 WSH=64 -X=1`)).agreed.srtp)
})

test('required encryption is offered in both suites, and both sides hold the same keys', () => {
  const offer = makeOffer({ ...local, encryption: 'required' })
  assert.deepEqual(lines(offer.sdp, 'm='), ['m=audio 10000 RTP/SAVP 0 8 9 111 101 102'])
  assert.equal(lines(offer.sdp, 'a=crypto').length, 2)
  const theirs = answered(offer.sdp, { address: '192.0.2.2' })
  const ours = readAnswer(offer, theirs.sdp)
  assert.ok(!('problem' in ours) && ours.srtp && theirs.agreed.srtp)
  assert.deepEqual([ours.srtp.send, ours.srtp.receive], [theirs.agreed.srtp.receive, theirs.agreed.srtp.send])
  assert.notDeepEqual(ours.srtp.send, ours.srtp.receive)
})

test('an answer that takes back the encryption is not accepted', () => {
  const problemOf = (encryption: LocalMedia['encryption'], answer: string) => {
    const made = readAnswer(makeOffer({ ...local, encryption }), sdp(answer))
    return 'problem' in made ? made.problem : undefined
  }
  const crypto = (tag: number, suite: string) => `a=crypto:${tag} ${suite} inline:${key}`
  assert.equal(problemOf('required', 'm=audio 4000 RTP/AVP 0'), 'encryption-required')
  const swapped = `m=audio 4000 RTP/SAVP 0\n${crypto(1, 'AES_CM_128_HMAC_SHA1_32')}`
  assert.equal(problemOf('required', swapped), 'encryption-required')
  const unknown = `m=audio 4000 RTP/SAVP 0\n${crypto(9, 'AES_CM_128_HMAC_SHA1_80')}`
  assert.equal(problemOf('required', unknown), 'encryption-required')
  assert.equal(problemOf('allowed', unknown), 'encryption-required')
  assert.equal(problemOf('required', `m=audio 4000 RTP/SAVP 0\n${crypto(2, 'AES_CM_128_HMAC_SHA1_32')}`), undefined)
})

test('the answer decides codec, numbers, direction and address', () => {
  const agreed = agreedBy({}, () =>
    sdp('m=audio 4000 RTP/AVP 8 0 97\na=rtpmap:97 telephone-event/8000\na=recvonly\na=ptime:40'),
  )
  assert.deepEqual(
    [agreed.codec, agreed.payloadType, agreed.dtmfPayloadType, agreed.ptimeMs, agreed.direction, agreed.isHold],
    ['PCMA', 8, 97, 40, 'sendonly', false],
  )
})

test('an answer of bare numbers means what the offer said of them', () => {
  const agreed = agreedBy({ codecs: ['PCMU', 'opus'] }, () => sdp('m=audio 4000 RTP/AVP 111 102'))
  assert.deepEqual([agreed.codec, agreed.dtmfPayloadType], ['opus', 102])
})

test('our hold is ours: the mirrored answer is no hold of the peer', () => {
  const agreed = agreedBy({ direction: 'inactive' }, () => sdp('m=audio 4000 RTP/AVP 0\na=inactive'))
  assert.deepEqual([agreed.direction, agreed.isHold], ['inactive', false])
})

test('answers that refuse, drop or replace the audio are reported apart', () => {
  const offer = makeOffer({ ...local, codecs: ['PCMU'] })
  const problemOf = (text: string) => {
    const made = readAnswer(offer, text)
    return 'problem' in made ? made.problem : undefined
  }
  assert.equal(problemOf(sdp('m=audio 0 RTP/AVP 0')), 'no-audio')
  assert.equal(problemOf(sdp('m=video 4000 RTP/AVP 0')), 'no-audio')
  assert.equal(problemOf(sdp('m=audio 4000 RTP/AVP 8')), 'no-common-codec')
  assert.equal(problemOf(sdp('')), 'no-audio')
  assert.equal(problemOf(''), 'unreadable')
})

test('the version grows by one with a change and only then', () => {
  const version = (text: string) => lines(text, 'o=')[0]?.split(' ')[2]
  const offer = sdp('m=audio 4000 RTP/AVP 0')
  const held = sdp('m=audio 4000 RTP/AVP 0\na=sendonly')
  const first = answered(offer, { version: 5 })
  const same = answered(offer, { before: first })
  const hold = answered(held, { before: same })
  const resumed = answered(offer, { before: hold })
  assert.deepEqual(
    [first, same, hold, resumed].map((made) => version(made.sdp)),
    ['5', '5', '6', '7'],
  )
  assert.equal(version(makeOffer({ ...local, before: resumed }).sdp), '8')
})

test('our own offer in a running call keeps codec, numbers, places and keys', () => {
  const first = answered(
    sdp(
      `m=video 5000 RTP/AVP 99\nm=audio 4000 RTP/SAVP 96 101\na=rtpmap:96 opus/48000/2\na=rtpmap:101 telephone-event/8000\na=crypto:7 AES_CM_128_HMAC_SHA1_80 inline:${key}\na=rtcp-mux`,
    ),
  )
  const again = makeOffer({ ...local, codecs: ['PCMU', 'opus'], direction: 'sendonly', before: first })
  assert.deepEqual(lines(again.sdp, 'm='), ['m=video 0 RTP/AVP 99', 'm=audio 10000 RTP/SAVP 96 0 101 102'])
  assert.ok(again.sdp.includes('a=rtpmap:101 telephone-event/8000\r\na=rtpmap:102 telephone-event/48000\r\n'))
  const inline = `inline:${Buffer.from(first.agreed.srtp?.send.key ?? []).toString('base64')}`
  assert.equal(lines(again.sdp, 'a=crypto').filter((line) => line.endsWith(inline)).length, 2)
  assert.deepEqual([lines(again.sdp, 'a=sendonly').length, lines(again.sdp, 'a=rtcp-mux').length], [1, 1])
})

test('a number that the peer uses otherwise is not given to another codec', () => {
  const first = answered(sdp('m=audio 4000 RTP/AVP 0 111\na=rtpmap:111 telephone-event/8000'))
  const again = makeOffer({ ...local, codecs: ['PCMU', 'opus'], before: first })
  assert.deepEqual(lines(again.sdp, 'm='), ['m=audio 10000 RTP/AVP 0 112 111 102'])
})

test('an address that only its own network can reach is found', () => {
  const found = (ip: string, seenFrom?: string) =>
    privateAddressIn(sdp('m=audio 4000 RTP/AVP 0', `c=IN IP${ip.includes(':') ? 6 : 4} ${ip}`), seenFrom)
  for (const ip of [
    '10.1.2.3',
    '172.16.0.1',
    '172.31.9.9',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.1.1',
    '127.0.0.1',
    'fd00::1',
  ])
    assert.equal(found(ip), ip)
  for (const ip of ['172.32.0.1', '100.128.0.1', '8.8.8.8', '198.51.100.7', '2001:db8::1', '0.0.0.0', 'fd.example'])
    assert.equal(found(ip), null, ip)
  assert.equal(found('10.1.2.3', '10.1.2.3'), null)
  assert.equal(privateAddressIn('rubbish'), null)
})
