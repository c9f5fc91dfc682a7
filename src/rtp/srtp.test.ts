// SRTP against the vectors of RFC 3711 appendix B and node's own HMAC, and against replays and forgeries.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import type { SrtpKeys } from './leg.ts'
import { writeRtp } from './packet.ts'
import { deriveKey, SrtpReceiver, SrtpSender } from './srtp.ts'
import { counterMode, hmacSha1 } from './srtp-crypto.ts'

const hex = (text: string) => Buffer.from(text.replace(/\s/g, ''), 'hex')
const master = hex('E1F97A0D3E018BE0D64FA32C06DE4139 0EC675AD498AFEEBB6960B3AABE6')
const keysOf = (suite: SrtpKeys['suite'] = 'AES_CM_128_HMAC_SHA1_80'): SrtpKeys => ({ suite, key: master })
const rtp = (sequence: number, payload = Buffer.alloc(160, 0x5a), ssrc = 0xcafebabe) =>
  writeRtp({ payloadType: 0, marker: false, sequence, timestamp: sequence * 160, ssrc }, payload)
const reportOf = (ssrc: number) =>
  Buffer.concat([hex('80c90001'), Buffer.alloc(4), hex('81ca0001'), Buffer.alloc(4)]).fill(ssrc, 4, 8)

test('RFC 3711 B.2: the keystream of AES in counter mode', () => {
  const stream = Buffer.alloc(0xff02 * 16)
  counterMode(hex('2B7E151628AED2A6ABF7158809CF4F3C')).apply(hex('F0F1F2F3F4F5F6F7F8F9FAFBFCFD0000'), stream)
  assert.equal(stream.subarray(0, 16).toString('hex'), 'e03ead0935c95e80e166b16dd92b4eb4')
  assert.equal(stream.subarray(16, 32).toString('hex'), 'd23513162b02d0f72a43a2fe4a5f97ab')
  assert.equal(stream.subarray(32, 48).toString('hex'), '41e95b3bb0a2e8dd477901e4fca894c0')
  assert.equal(stream.subarray(0xfeff * 16, 0xff00 * 16).toString('hex'), 'ec8cdf7398607cb0f2d21675ea9ea1e4')
  assert.equal(stream.subarray(0xff00 * 16, 0xff01 * 16).toString('hex'), '362b7c3c6773516318a077d7fc5073ae')
  assert.equal(stream.subarray(0xff01 * 16, 0xff02 * 16).toString('hex'), '6a2cc3787889374fbeb4c81b17ba6c44')
})

test('RFC 3711 B.3: the keys derived from the master key', () => {
  assert.equal(deriveKey(master, 0, 16).toString('hex').toUpperCase(), 'C61E7A93744F39EE10734AFE3FF7A087')
  assert.equal(deriveKey(master, 2, 14).toString('hex').toUpperCase(), '30CBBC08863D8C85D49DB34A9AE1')
  assert.equal(
    deriveKey(master, 1, 94).toString('hex').toUpperCase(),
    'CEBE321F6FF7716B6FD4AB49AF256A156D38BAA48F0A0ACF3C34E2359E6CDBCEE049646C43D9327AD175578EF7227098' +
      '6371C10C9A369AC2F94A8C5FBCDDDC256D6E919A48B610EF17C2041E474035766B68642C59BBFC2F34DB60DBDFB2',
  )
})

test('the HMAC is the one of the library, for any length', () => {
  const key = Buffer.alloc(20, 0xa7)
  const mac = hmacSha1(key)
  for (const length of [0, 1, 63, 64, 65, 172, 1500, 4000]) {
    const bytes = Buffer.alloc(length, length)
    assert.deepEqual(mac(bytes, length), createHmac('sha1', key).update(bytes).digest())
  }
})

test('what one side protects the other reads, in both suites, over two wraps of the sequence', () => {
  for (const suite of ['AES_CM_128_HMAC_SHA1_80', 'AES_CM_128_HMAC_SHA1_32'] as const) {
    const sender = new SrtpSender(keysOf(suite))
    const receiver = new SrtpReceiver(keysOf(suite))
    for (let n = 65_000; n < 65_000 + 140_000; n += 7) {
      const packet = rtp(n & 0xffff)
      const sent = sender.protect(packet)
      assert.equal(sent.length, packet.length + (suite.endsWith('32') ? 4 : 10))
      assert.notDeepEqual(sent.subarray(12, 172), packet.subarray(12))
      assert.deepEqual(receiver.unprotect(sent), packet, `packet ${n}`)
    }
  }
})

test('the packet that is protected stays as it was', () => {
  const packet = rtp(1)
  const copy = Buffer.from(packet)
  new SrtpSender(keysOf()).protect(packet)
  assert.deepEqual(packet, copy)
})

test('a packet is taken once, and late ones within the window in any order', () => {
  const sender = new SrtpSender(keysOf())
  const receiver = new SrtpReceiver(keysOf())
  const sent = Array.from({ length: 300 }, (_, n) => sender.protect(rtp((65_400 + n) & 0xffff)))
  const order = sent.map((_, n) => n).sort((a, b) => (a ^ 3) - (b ^ 3))
  for (const n of order) assert.ok(receiver.unprotect(Buffer.from(sent[n] as Buffer)), `packet ${n}`)
  for (const n of order) assert.equal(receiver.unprotect(Buffer.from(sent[n] as Buffer)), null, `packet ${n} again`)
})

test('any bit that changes on the way is noticed, and does not disturb what follows', () => {
  const sender = new SrtpSender(keysOf())
  const receiver = new SrtpReceiver(keysOf())
  receiver.unprotect(sender.protect(rtp(10)))
  const packet = sender.protect(rtp(11))
  for (let bit = 0; bit < packet.length * 8; bit++) {
    const forged = Buffer.from(packet)
    forged[bit >> 3] = (forged[bit >> 3] as number) ^ (1 << (bit & 7))
    const before = Buffer.from(forged)
    assert.equal(receiver.unprotect(forged), null, `bit ${bit}`)
    assert.deepEqual(forged, before)
  }
  assert.deepEqual(receiver.unprotect(packet), rtp(11))
})

test('another key reads nothing', () => {
  const other = new SrtpReceiver({ suite: 'AES_CM_128_HMAC_SHA1_80', key: Buffer.alloc(30, 1) })
  const sender = new SrtpSender(keysOf())
  assert.equal(other.unprotect(sender.protect(rtp(1))), null)
  assert.equal(other.unprotectRtcp(sender.protectRtcp(reportOf(1))), null)
})

test('a peer that starts over with another SSRC is heard', () => {
  const receiver = new SrtpReceiver(keysOf())
  for (let ssrc = 1; ssrc < 40; ssrc++) {
    const packet = rtp(65_535, undefined, ssrc)
    assert.deepEqual(receiver.unprotect(new SrtpSender(keysOf()).protect(packet)), packet)
  }
})

test('contributors and header extension stay readable, only the payload is hidden', () => {
  const packet = Buffer.concat([hex('91000001 00000002 00000003 000000aa bede0001 11223344'), Buffer.alloc(20, 9)])
  const sent = new SrtpSender(keysOf()).protect(packet)
  assert.deepEqual(sent.subarray(0, 24), packet.subarray(0, 24))
  assert.notDeepEqual(sent.subarray(24, 44), packet.subarray(24))
  assert.deepEqual(new SrtpReceiver(keysOf()).unprotect(sent), packet)
})

test('RTCP has its own keys, index and replay window, and ten bytes of tag in both suites', () => {
  for (const suite of ['AES_CM_128_HMAC_SHA1_80', 'AES_CM_128_HMAC_SHA1_32'] as const) {
    const sender = new SrtpSender(keysOf(suite))
    const receiver = new SrtpReceiver(keysOf(suite))
    for (let n = 0; n < 200; n++) {
      const report = reportOf(7)
      const sent = sender.protectRtcp(report)
      assert.equal(sent.length, report.length + 14)
      const forged = Buffer.from(sent)
      forged[9] = (forged[9] as number) ^ 1
      assert.equal(receiver.unprotectRtcp(forged), null)
      const again = Buffer.from(sent)
      assert.deepEqual(receiver.unprotectRtcp(sent), report)
      assert.equal(receiver.unprotectRtcp(again), null)
    }
  }
})

test('random bytes are refused, never thrown at', () => {
  const receiver = new SrtpReceiver(keysOf('AES_CM_128_HMAC_SHA1_32'))
  let seed = 7
  for (let n = 0; n < 5000; n++) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    const bytes = Buffer.alloc(seed % 80)
    for (let i = 0; i < bytes.length; i++) bytes[i] = Math.imul(seed + i, 2654435761) >>> 24
    if (bytes.length > 0 && n % 2) bytes[0] = 0x80 | ((bytes[0] as number) & 0x1f)
    assert.equal(receiver.unprotect(Buffer.from(bytes)), null)
    assert.equal(receiver.unprotectRtcp(bytes), null)
  }
})
