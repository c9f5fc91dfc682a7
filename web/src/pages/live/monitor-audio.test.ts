// Scheduling and mixing of monitored audio.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loudness, mixToMono, startTime } from './monitor-audio.ts'

test('the first chunk is delayed, the next follow without a gap', () => {
  const first = startTime(0, 10) ?? 0
  assert.ok(first > 10 && first < 10.5)
  assert.equal(startTime(first + 0.02, 10.02), first + 0.02)
})

test('after a network gap, playback restarts with the delay', () => {
  assert.equal(startTime(10, 12), (startTime(0, 12) ?? 0) + 0)
})

test('chunks are dropped while playback is too far behind', () => {
  assert.equal(startTime(12, 10), null)
  assert.equal(startTime(10.5, 10), 10.5)
})

test('mixes both sides and reports a level for each', () => {
  const { samples, level } = mixToMono(Int16Array.from([8192, 0, 8192, 0, 8192, 16_384, 8192, 16_384]))
  assert.deepEqual([...samples], [0.25, 0.25, 0.75, 0.75])
  assert.ok(level.agent > level.caller)
})

test('the mix is clamped', () => {
  assert.deepEqual([...mixToMono(Int16Array.from([32_767, 32_767, -32_768, -32_768])).samples], [1, -1])
})

test('silence has level 0, a loud voice 1', () => {
  assert.equal(loudness(0), 0)
  assert.equal(loudness(0.5), 1)
  const quiet = loudness(0.01)
  assert.ok(quiet > 0 && quiet < 0.5)
})
