import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fixWavLengths } from './wav-header.ts'

function streamed(samples: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(44 + samples * 2)
  bytes.set(new TextEncoder().encode('RIFF....WAVEfmt '))
  const view = new DataView(bytes.buffer)
  view.setUint32(4, 0xffffffff, true)
  view.setUint32(16, 16, true)
  bytes.set(new TextEncoder().encode('data'), 36)
  view.setUint32(40, 0xffffffff, true)
  return bytes
}

test('fixes the lengths of a streamed WAV and nothing else', () => {
  const before = streamed(100)
  const after = fixWavLengths(before)
  const view = new DataView(after.buffer)
  assert.equal(view.getUint32(4, true), 44 + 200 - 8)
  assert.equal(view.getUint32(40, true), 200)
  assert.deepEqual(after.subarray(44), before.subarray(44))
  assert.equal(new DataView(before.buffer).getUint32(40, true), 0xffffffff, 'what was given was changed')
})

test('leaves other formats and truncated headers unchanged', () => {
  const mp3 = new Uint8Array(100).fill(0xff)
  assert.equal(fixWavLengths(mp3), mp3)
  const short = streamed(0).slice(0, 20)
  assert.equal(fixWavLengths(short), short)
})
