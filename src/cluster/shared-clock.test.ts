// The shared clock: how a reading is applied, and readings that took too long to be useful.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedClock } from './shared-clock.ts'

test('a reading is taken for the middle of its way, and a slow one does not replace a good one', async () => {
  let elapsedMs = 1000
  let answer = { clockMs: 50_000, tookMs: 20 }
  const clock = sharedClock(
    async () => {
      elapsedMs += answer.tookMs
      return answer.clockMs
    },
    () => elapsedMs,
  )
  await clock.read()
  assert.equal(clock.nowMs(), 50_010)
  // The server answered at once, but its answer was delayed by eight seconds.
  answer = { clockMs: 50_020, tookMs: 8000 }
  await clock.read()
  assert.equal(clock.nowMs(), 58_010)
  answer = { clockMs: 70_000, tookMs: 0 }
  await clock.read()
  assert.equal(clock.nowMs(), 70_000, 'a step of the clock')
})

test('without a better one a slow reading is used', async () => {
  let elapsedMs = 0
  const slow = async () => {
    elapsedMs += 4000
    return 90_000
  }
  const clock = sharedClock(slow, () => elapsedMs)
  await clock.read()
  assert.equal(clock.nowMs(), 92_000)
})
