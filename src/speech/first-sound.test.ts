import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FirstSound } from './first-sound.ts'

test('the deadline is a multiple of the usual time, within bounds, and late replies do not move it', () => {
  const slow = new FirstSound()
  for (let i = 0; i < 30; i++) slow.came(700)
  assert.ok(Math.abs(slow.deadlineMs - 1.3 * 700) < 60, `${slow.deadlineMs}`)
  const usual = slow.deadlineMs
  for (let i = 0; i < 50; i++) slow.came(1400)
  assert.equal(slow.deadlineMs, usual)
  const slowest = new FirstSound()
  for (let i = 0; i < 100; i++) slowest.came(1290)
  assert.equal(slowest.deadlineMs, 1500)
  const quick = new FirstSound()
  for (let i = 0; i < 30; i++) quick.came(100)
  assert.equal(quick.deadlineMs, 450)
})

test('after a miss the small voice begins, and the natural one is tried every five seconds until it is in time', () => {
  let now = 0
  const first = new FirstSound(() => now)
  assert.equal(first.takeTrial(), false, 'nothing is to be found out while it is in time')
  first.came(500)
  first.missed()
  assert.equal(first.isInTime, false)
  assert.equal(first.takeTrial(), false, 'the miss was a trial')
  now = 5000
  assert.deepEqual([first.takeTrial(), first.takeTrial()], [true, false])
  first.came(3000)
  assert.equal(first.isInTime, false)
  now = 10_000
  assert.equal(first.takeTrial(), true)
  first.came(450)
  assert.equal(first.isInTime, true)
})
