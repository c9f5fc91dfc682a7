// Waveform peaks, for arbitrary chunk boundaries.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { peakReader, wavFormat } from './wav-peaks.ts'

/** Stereo at 8 kHz: left is loud in the first half, right in the second. */
function stereo(frames: number): Uint8Array {
  const bytes = new Uint8Array(44 + frames * 4)
  const view = new DataView(bytes.buffer)
  const word = (at: number, text: string) =>
    [...text].forEach((letter, i) => void view.setUint8(at + i, letter.charCodeAt(0)))
  word(0, 'RIFF')
  view.setUint32(4, bytes.length - 8, true)
  word(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 2, true)
  view.setUint32(24, 8000, true)
  view.setUint32(28, 32_000, true)
  view.setUint16(32, 4, true)
  view.setUint16(34, 16, true)
  word(36, 'data')
  view.setUint32(40, frames * 4, true)
  for (let i = 0; i < frames; i++) {
    const isFirst = i < frames / 2
    view.setInt16(44 + i * 4, isFirst ? -16_384 : 0, true)
    view.setInt16(46 + i * 4, isFirst ? 0 : 8192, true)
  }
  return bytes
}

function read(file: Uint8Array, pieceBytes: number, points = 10) {
  const reader = peakReader(file.length, points)
  for (let at = 0; at < file.length; at += pieceBytes) reader.add(file.subarray(at, at + pieceBytes))
  return reader.peaks
}

test('each channel has its own peaks', () => {
  const peaks = read(stereo(8000), 65_536)
  assert.equal(peaks?.durationSeconds, 1)
  assert.deepEqual([...(peaks?.channels[0] ?? [])], [0.5, 0.5, 0.5, 0.5, 0.5, 0, 0, 0, 0, 0])
  assert.deepEqual([...(peaks?.channels[1] ?? [])], [0, 0, 0, 0, 0, 0.25, 0.25, 0.25, 0.25, 0.25])
})

test('any chunk size gives the same result, also splitting a sample or the header', () => {
  const file = stereo(500)
  const whole = read(file, file.length)
  for (const size of [1, 3, 7, 43, 44, 45, 101]) assert.deepEqual(read(file, size), whole, `pieces of ${size}`)
})

test('an open-ended length is taken from the file size', () => {
  const file = stereo(400)
  new DataView(file.buffer).setUint32(40, 0xffffffff, true)
  assert.equal(read(file, 1000)?.durationSeconds, 0.05)
})

test('only 16-bit PCM is drawn', () => {
  assert.equal(read(new TextEncoder().encode('{"statusCode":404}'), 5), null)
  const float = stereo(10)
  new DataView(float.buffer).setUint16(20, 3, true)
  assert.equal(wavFormat(float), null)
})
