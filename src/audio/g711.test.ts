// G.711 against values from the standard, and the noise it adds.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeAlaw, decodeUlaw, encodeAlaw, encodeUlaw } from './g711.ts'

const codes = Uint8Array.from({ length: 256 }, (_, code) => code)
const laws = [
  { name: 'mu-law', encode: encodeUlaw, decode: decodeUlaw },
  { name: 'A-law', encode: encodeAlaw, decode: decodeAlaw },
]

test('the values of the standard', () => {
  assert.deepEqual([...decodeUlaw(Uint8Array.of(0xff, 0x7f, 0x80, 0x00, 0xfe, 0xef))], [0, 0, 32124, -32124, 8, 132])
  assert.deepEqual([...decodeAlaw(Uint8Array.of(0xd5, 0x55, 0xaa, 0x2a, 0xd4))], [8, -8, 32256, -32256, 24])
  assert.deepEqual([...encodeUlaw(Int16Array.of(0, 32767, -32768, 1000, -1000))], [0xff, 0x80, 0x00, 0xce, 0x4e])
  assert.deepEqual(
    [...encodeAlaw(Int16Array.of(0, -1, 32767, -32768, 1000, -1000))],
    [0xd5, 0x55, 0xaa, 0x2a, 0xfa, 0x7a],
  )
})

test('every code comes back as itself', () => {
  for (const { name, encode, decode } of laws) {
    const back = encode(decode(codes))
    // Mu-law has two codes for zero, and the encoder uses only one of them.
    for (const code of codes)
      assert.equal(back[code], name === 'mu-law' && code === 0x7f ? 0xff : code, `${name} ${code}`)
  }
})

test('every sample comes back within half a step', () => {
  for (const { name, encode, decode } of laws)
    for (let sample = -32768; sample < 32768; sample += 7) {
      const back = decode(encode(Int16Array.of(sample)))[0] as number
      assert.ok(Math.abs(back - sample) <= Math.max(16, Math.abs(sample) / 30), `${name} ${sample} became ${back}`)
    }
})

test('a tone keeps 35 dB above the noise at speech level', () => {
  const pcm = Int16Array.from({ length: 8000 }, (_, i) => Math.round(8000 * Math.sin(i * 0.3)))
  for (const { name, encode, decode } of laws) {
    const back = decode(encode(pcm))
    const noise = pcm.reduce((sum, x, i) => sum + (x - (back[i] as number)) ** 2, 0)
    const level = 10 * Math.log10(pcm.reduce((sum, x) => sum + x * x, 0) / noise)
    assert.ok(level > 35, `${name}: ${level} dB`)
  }
})
