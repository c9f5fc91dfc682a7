// Listening in: pieces follow each other without gaps, and one who falls behind catches up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loudness, mixToMono, startTime } from './monitor-audio.ts'

test('The first piece waits a moment, the next ones follow without a gap', () => {
  const first = startTime(0, 10) ?? 0
  assert.ok(first > 10 && first < 10.5)
  assert.equal(startTime(first + 0.02, 10.02), first + 0.02)
})

test('After a gap of the network it begins anew with its lead', () => {
  assert.equal(startTime(10, 12), (startTime(0, 12) ?? 0) + 0)
})

test('Who is too far behind leaves pieces out until he is not', () => {
  assert.equal(startTime(12, 10), null)
  assert.equal(startTime(10.5, 10), 10.5)
})

test('Both sides are heard together, and each has its own level', () => {
  const { samples, level } = mixToMono(Int16Array.from([8192, 0, 8192, 0, 8192, 16_384, 8192, 16_384]))
  assert.deepEqual([...samples], [0.25, 0.25, 0.75, 0.75])
  assert.ok(level.agent > level.caller)
})

test('Two loud voices do not go beyond what can be played', () => {
  assert.deepEqual([...mixToMono(Int16Array.from([32_767, 32_767, -32_768, -32_768])).samples], [1, -1])
})

test('Silence has no level, a loud voice has all of it', () => {
  assert.equal(loudness(0), 0)
  assert.equal(loudness(0.5), 1)
  const quiet = loudness(0.01)
  assert.ok(quiet > 0 && quiet < 0.5)
})
