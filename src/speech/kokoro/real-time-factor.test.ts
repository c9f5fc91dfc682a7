// The pace follows what is measured, and how many may speak follows the pace.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxStreams, realTimeFactor } from './real-time-factor.ts'

test('on the machine where the costs were measured six may speak on two threads, and three on one', () => {
  assert.equal(maxStreams(1, 'fast', 2), 6)
  assert.equal(maxStreams(1, 'fast', 1), 3)
  assert.equal(maxStreams(0.9, 'fast', 2), 6)
})

test('where it is slower fewer may, down to one, and none where not even one would last', () => {
  const counts = [1, 1.5, 2, 3, 5, 7].map((pace) => maxStreams(pace, 'fast', 2))
  assert.deepEqual(counts, [6, 4, 3, 2, 1, 0])
  assert.equal(maxStreams(0.9, 'plain', 1), 2)
  assert.equal(maxStreams(1, 'plain', 1), 1)
  assert.equal(maxStreams(2, 'plain', 1), 0)
})

test('runs that take twice as long are noticed within a second of work, and forgotten when they are over', () => {
  const pace = realTimeFactor(1)
  assert.equal(pace.at(0), 1)
  for (let now = 0; now < 1000; now += 200) pace.note(100, 200, now)
  assert.ok(pace.at(1000) > 1.4 && pace.at(1000) < 2, `${pace.at(1000)}`)
  assert.ok(pace.at(5000) > 1.3, `${pace.at(5000)}`)
  assert.ok(pace.at(60_000) < 1.05, `${pace.at(60_000)}`)
})

test('one slow run alone changes little', () => {
  const pace = realTimeFactor(1)
  pace.note(100, 200, 0)
  assert.ok(pace.at(0) < 1.2)
})

test('who was opened at a busy moment is judged anew when it runs better', () => {
  const pace = realTimeFactor(4)
  for (let now = 0; now < 5000; now += 100) pace.note(100, 100, now)
  assert.ok(pace.at(60_000) < 1.1, `${pace.at(60_000)}`)
})
