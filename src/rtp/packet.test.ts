// Reading and writing RTP packets, valid and malformed, and telling them from RTCP.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRtcp, readRtp, writeRtp } from './packet.ts'

const hex = (text: string) => Buffer.from(text.replace(/\s/g, ''), 'hex')
const plain = hex('80 80 ffff fffffff0 deadbeef 010203')

test('every field of the header is read, at its largest too', () => {
  const { payload, ...header } = readRtp(plain) ?? assert.fail('not read')
  assert.deepEqual(header, {
    payloadType: 0,
    marker: true,
    sequence: 0xffff,
    timestamp: 0xfffffff0,
    ssrc: 0xdeadbeef,
  })
  assert.deepEqual([...payload], [1, 2, 3])
})

test('a packet that was read is written unchanged', () => {
  const packet = readRtp(plain) ?? assert.fail('not read')
  assert.deepEqual(writeRtp(packet, packet.payload), plain)
  const memory = Buffer.alloc(100, 0xee)
  const written = writeRtp(packet, packet.payload, memory)
  assert.deepEqual(written, plain)
  assert.equal(written.buffer, memory.buffer)
  assert.deepEqual(writeRtp(packet, packet.payload, Buffer.alloc(14)), plain)
})

test('contributors, extension and padding are not payload', () => {
  assert.deepEqual([...(readRtp(hex('82 00 0001 00000002 00000003 aaaaaaaa bbbbbbbb 07'))?.payload ?? [])], [7])
  assert.deepEqual([...(readRtp(hex('90 00 0001 00000002 00000003 bede0001 11223344 07'))?.payload ?? [])], [7])
  assert.deepEqual([...(readRtp(hex('a0 00 0001 00000002 00000003 07 0003 03'))?.payload ?? [])], [7])
  const all = 'b1 00 0001 00000002 00000003 aaaaaaaa bede0001 11223344 07 0002'
  assert.deepEqual([...(readRtp(hex(all))?.payload ?? [])], [7])
})

test('a packet without payload is a packet', () => {
  assert.equal(readRtp(plain.subarray(0, 12))?.payload.length, 0)
  assert.equal(readRtp(hex('a0 00 0001 00000002 00000003 00000004'))?.payload.length, 0)
})

test('incomplete packets are refused', () => {
  for (const [why, bytes] of Object.entries({
    'nothing at all': Buffer.alloc(0),
    'eleven bytes': plain.subarray(0, 11),
    'version 1': hex('40 00 0001 00000002 00000003 07'),
    'more contributors than bytes': hex('8f 00 0001 00000002 00000003 aaaaaaaa'),
    'half an extension header': hex('90 00 0001 00000002 00000003 bede'),
    'an extension longer than the packet': hex('90 00 0001 00000002 00000003 bede0002 11223344'),
    'padding of no bytes': hex('a0 00 0001 00000002 00000003 07 00'),
    'padding longer than the payload': hex('a0 00 0001 00000002 00000003 07 03'),
  }))
    assert.equal(readRtp(bytes), null, why)
})

test('RTCP is known by its packet type, RTP of any payload type is not RTCP', () => {
  for (let type = 200; type <= 207; type++) assert.ok(isRtcp(Uint8Array.of(0x80, type, 0, 1, 0, 0, 0, 0)))
  for (let type = 0; type < 64; type++)
    for (const marker of [0, 0x80]) assert.ok(!isRtcp(Uint8Array.of(0x80, type | marker, 0, 1, 0, 0, 0, 0)))
  for (let type = 96; type < 128; type++)
    for (const marker of [0, 0x80]) assert.ok(!isRtcp(Uint8Array.of(0x80, type | marker, 0, 1, 0, 0, 0, 0)))
  assert.ok(!isRtcp(Uint8Array.of(0x80, 200, 0)))
  assert.ok(!isRtcp(Uint8Array.of(0, 200, 0, 1, 0, 0, 0, 0)))
})

test('random bytes never throw, and a payload never leaves the packet', () => {
  let seed = 11
  for (let n = 0; n < 20_000; n++) {
    const bytes = new Uint8Array(n % 90)
    for (let i = 0; i < bytes.length; i++) {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
      bytes[i] = seed >>> 24
    }
    if (n % 3 > 0 && bytes.length > 0) bytes[0] = 0x80 | ((bytes[0] as number) & 0x3f)
    const packet = readRtp(bytes)
    isRtcp(bytes)
    if (packet) assert.ok(packet.payload.byteOffset + packet.payload.length <= bytes.byteOffset + bytes.length)
  }
})
