// WAV headers byte by byte, and files as other programs write them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeUlaw } from './g711.ts'
import { parseWavHeader, pcmOf, readWav, wavFile, wavHeader } from './wav.ts'

const pcm = Int16Array.of(0, 1, -1, 32767, -32768)

test('a finished file says its true length', () => {
  const file = wavFile(pcm, 8000)
  assert.equal(file.length, 54)
  assert.equal(file.toString('latin1', 0, 4), 'RIFF')
  assert.equal(file.readUInt32LE(4), file.length - 8)
  assert.equal(file.toString('latin1', 8, 16), 'WAVEfmt ')
  assert.deepEqual([file.readUInt16LE(20), file.readUInt16LE(22)], [1, 1])
  assert.deepEqual([file.readUInt32LE(24), file.readUInt32LE(28)], [8000, 16000])
  assert.deepEqual([file.readUInt16LE(32), file.readUInt16LE(34)], [2, 16])
  assert.equal(file.readUInt32LE(40), 10)
  assert.deepEqual(readWav(file), { rateHz: 8000, channels: 1, pcm })
})

test('a stream leaves its length open and is read to its end', () => {
  const header = wavHeader(24000)
  assert.equal(header.length, 44)
  assert.equal(header.readUInt32LE(4), 0xffffffff)
  assert.equal(header.readUInt32LE(40), 0xffffffff)
  const file = Buffer.concat([header, wavFile(pcm, 24000).subarray(44)])
  assert.deepEqual(readWav(file).pcm, pcm)
})

test('a header can come in pieces', () => {
  const file = wavFile(pcm, 16000)
  for (let length = 0; length < 44; length++) assert.equal(parseWavHeader(file.subarray(0, length)), undefined)
  assert.equal(parseWavHeader(file.subarray(0, 44))?.dataAt, 44)
})

/** A file in another format, with a chunk of odd length before the data. */
function foreign(format: number, channels: number, bits: number, data: Buffer, extra = Buffer.alloc(0)): Buffer {
  const fmt = Buffer.alloc(16)
  fmt.writeUInt16LE(format, 0)
  fmt.writeUInt16LE(channels, 2)
  fmt.writeUInt32LE(8000, 4)
  fmt.writeUInt16LE(bits, 14)
  const chunk = (id: string, body: Buffer) => {
    const head = Buffer.alloc(8)
    head.write(id, 'latin1')
    head.writeUInt32LE(body.length, 4)
    return Buffer.concat([head, body, Buffer.alloc(body.length % 2)])
  }
  const body = [chunk('fmt ', Buffer.concat([fmt, extra])), chunk('LIST', Buffer.from('odd')), chunk('data', data)]
  return Buffer.concat([Buffer.from('RIFF____WAVE', 'latin1'), ...body])
}

test('other formats become 16-bit mono', () => {
  const floats = Buffer.from(Float32Array.of(0.5, -2).buffer)
  assert.deepEqual(readWav(foreign(3, 1, 32, floats)).pcm, Int16Array.of(16384, -32768))
  assert.deepEqual(readWav(foreign(1, 1, 8, Buffer.of(0, 128, 255))).pcm, Int16Array.of(-32768, 0, 32512))
  assert.deepEqual(readWav(foreign(1, 1, 24, Buffer.of(9, 0x34, 0x12))).pcm, Int16Array.of(0x1234))
  assert.deepEqual(readWav(foreign(7, 1, 8, Buffer.from(encodeUlaw(Int16Array.of(132))))).pcm, Int16Array.of(132))
  const stereo = Buffer.from(Int16Array.of(100, 300, -50, 50).buffer)
  assert.deepEqual(readWav(foreign(1, 2, 16, stereo)), { rateHz: 8000, channels: 2, pcm: Int16Array.of(200, 0) })
  const extension = Buffer.alloc(24)
  extension.writeUInt16LE(1, 8)
  assert.deepEqual(readWav(foreign(0xfffe, 1, 16, Buffer.of(1, 0), extension)).pcm, Int16Array.of(1))
})

test('what is no WAV is refused with a reason', () => {
  assert.throws(() => readWav(Buffer.from('ID3\u0004 an mp3 file')), /not a WAV/)
  assert.throws(() => readWav(wavHeader(8000, 5).subarray(0, 30)), /no data/)
  assert.throws(() => readWav(foreign(85, 1, 0, Buffer.alloc(4))), /format 85/)
})

test('samples are found at an odd place of a buffer', () => {
  const shifted = Buffer.concat([Buffer.of(7), wavFile(pcm, 8000).subarray(44), Buffer.of(9)])
  assert.deepEqual(pcmOf(shifted.subarray(1)), pcm)
})

test('a rate that would need a filter of gigabytes is refused; every rate in use is taken', () => {
  for (const rateHz of [0, 1, 3975, 8001, 399_999, 192_025, 0xffffffff])
    assert.throws(() => readWav(wavFile(pcm, rateHz)), RangeError, `${rateHz}`)
  for (const rateHz of [4000, 8000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000, 176_400, 192_000])
    assert.equal(readWav(wavFile(pcm, rateHz)).rateHz, rateHz)
})
