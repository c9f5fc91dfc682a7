// The limiter bends peaks instead of clipping them, and leaves quiet sound unchanged.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limited, toPcm16 } from './limiter.ts'

test('a sample below the knee is not changed', () => {
  for (const sample of [0, 0.1, -0.5, 0.75, -0.75]) assert.equal(limited(sample), sample)
})

test('louder in is never quieter out, and nothing reaches beyond full scale', () => {
  let before = 0
  for (let sample = 0; sample < 3; sample += 0.01) {
    const now = limited(sample)
    assert.ok(now >= before && now <= 0.9)
    assert.equal(limited(-sample), -now)
    before = now
  }
  assert.ok(Math.abs(limited(0.7501) - 0.75) < 0.001, 'the curve has no step at its knee')
})

test('a peak of 1.05 keeps its shape: no two neighbours are cut to the same value', () => {
  const wave = Float32Array.from({ length: 200 }, (_, i) => 1.05 * Math.sin((i / 200) * Math.PI))
  const pcm = toPcm16(wave)
  let flat = 0
  for (let i = 1; i < pcm.length; i++) if (pcm[i] === pcm[i - 1]) flat++
  assert.ok(flat <= 2, `${flat} samples in a row are equal`)
  assert.ok(Math.max(...pcm) < 0.91 * 32767)
})

test('a gain is applied before the peaks are bent', () => {
  assert.deepEqual([...toPcm16(Float32Array.of(0.5, -1), 0.5)], [8192, -16383])
})

test('what is not a number becomes silence', () => {
  assert.deepEqual([...toPcm16(Float32Array.of(Number.NaN, 0.5))], [0, 16384])
})
