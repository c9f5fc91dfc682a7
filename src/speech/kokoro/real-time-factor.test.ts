// The real-time factor: the pace follows measurements, and the stream limit follows the pace.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxStreams, realTimeFactor } from './real-time-factor.ts'

test('on the reference machine two threads sustain six streams, and one thread three', () => {
  assert.equal(maxStreams(1, 'fast', 2), 6)
  assert.equal(maxStreams(1, 'fast', 1), 3)
  assert.equal(maxStreams(0.9, 'fast', 2), 6)
})

test('a slower machine sustains fewer, down to one, and none if it cannot sustain even one', () => {
  const counts = [1, 1.5, 2, 3, 5, 7].map((pace) => maxStreams(pace, 'fast', 2))
  assert.deepEqual(counts, [6, 4, 3, 2, 1, 0])
  assert.equal(maxStreams(0.9, 'plain', 1), 2)
  assert.equal(maxStreams(1, 'plain', 1), 1)
  assert.equal(maxStreams(2, 'plain', 1), 0)
})

test('runs that take twice as long are noticed within a second of work, and forgotten afterwards', () => {
  const pace = realTimeFactor(1)
  assert.equal(pace.at(0), 1)
  for (let now = 0; now < 1000; now += 200) pace.note(100, 200, now)
  assert.ok(pace.at(1000) > 1.4 && pace.at(1000) < 2, `${pace.at(1000)}`)
  assert.ok(pace.at(5000) > 1.3, `${pace.at(5000)}`)
  assert.ok(pace.at(60_000) < 1.05, `${pace.at(60_000)}`)
})

test('a single slow run changes little', () => {
  const pace = realTimeFactor(1)
  pace.note(100, 200, 0)
  assert.ok(pace.at(0) < 1.2)
})

test('a pace first measured at a busy moment improves when runs get faster', () => {
  const pace = realTimeFactor(4)
  for (let now = 0; now < 5000; now += 100) pace.note(100, 100, now)
  assert.ok(pace.at(60_000) < 1.1, `${pace.at(60_000)}`)
})
