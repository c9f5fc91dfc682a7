// How audio is conditioned before Whisper hears it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { condition } from './conditioning.ts'

const tone = (seconds: number, height: number) =>
  Float32Array.from({ length: Math.round(16_000 * seconds) }, (_, i) => height * Math.sin(i / 5))
const joined = (...parts: Float32Array[]) => Float32Array.from(parts.flatMap((part) => [...part]))
const peak = (samples: Float32Array) => samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)

test('a quiet caller is raised, by 20 dB at most, and a loud one is left alone', () => {
  assert.ok(Math.abs(peak(condition(tone(1, 0.1)).samples) - 0.5) < 0.01)
  assert.ok(Math.abs(peak(condition(tone(1, 0.01)).samples) - 0.1) < 0.01)
  assert.ok(Math.abs(peak(condition(tone(1, 0.9)).samples) - 0.9) < 0.01)
})

test('200 ms of line noise come before the first sample', () => {
  const { samples } = condition(tone(1, 0.5))
  assert.equal(samples.length, 16_000 * 1.2)
  const lead = peak(samples.subarray(0, 3200))
  assert.ok(lead > 0.0005 && lead < 0.002)
})

test('pauses do not count as voice', () => {
  const { voicedSeconds } = condition(joined(tone(0.5, 0.5), new Float32Array(16_000), tone(0.25, 0.5)))
  assert.ok(Math.abs(voicedSeconds - 0.75) < 0.03, String(voicedSeconds))
})

test('the same utterance gives the same samples, all finite and none lost', () => {
  fc.assert(
    fc.property(fc.float32Array({ min: -1, max: 1, noNaN: true, maxLength: 2000 }), (samples) => {
      const first = condition(samples)
      assert.deepEqual(first, condition(samples))
      assert.equal(first.samples.length, 3200 + samples.length)
      assert.ok(first.samples.every(Number.isFinite))
      assert.ok(first.voicedSeconds <= Math.ceil(samples.length / 160) / 100)
    }),
  )
})
