import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FirstSound } from './first-sound.ts'

test('the deadline is a multiple of the usual time, within bounds, and late replies do not move it', () => {
  const slow = new FirstSound()
  for (let i = 0; i < 30; i++) slow.came(700)
  assert.ok(Math.abs(slow.deadlineMs - 1.6 * 700) < 60, `${slow.deadlineMs}`)
  const usual = slow.deadlineMs
  for (let i = 0; i < 50; i++) slow.came(1400)
  assert.equal(slow.deadlineMs, usual)
  for (let i = 0; i < 50; i++) slow.came(1050)
  assert.equal(slow.deadlineMs, 1500)
  const quick = new FirstSound()
  for (let i = 0; i < 30; i++) quick.came(100)
  assert.equal(quick.deadlineMs, 500)
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
