// Tick times: even when the thread is not, and correct again after skipped ticks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SmoothedTickTime } from './tick-clock.ts'

test('a thread that is late and hurries afterwards moves it by a few ms at most', () => {
  const time = new SmoothedTickTime(20)
  for (let n = 0; n < 500; n++) {
    const lateMs = n >= 100 && n < 110 ? (110 - n) * 20 : 0
    const off = time.next(n * 20 + lateMs) - n * 20
    assert.ok(Math.abs(off) < 25, `tick ${n}: ${off} ms`)
    if (n > 400) assert.ok(Math.abs(off) < 1, `tick ${n}: ${off} ms`)
  }
})

test('a clock that runs a little fast is followed', () => {
  const time = new SmoothedTickTime(20)
  let off = 0
  for (let n = 0; n < 30_000; n++) off = time.next(n * 20.01) - n * 20.01
  assert.ok(Math.abs(off) < 1, `${off}`)
})

test('ticks that were left out are noticed within half a second, a second at once', () => {
  const skipped = new SmoothedTickTime(20)
  for (let n = 0; n < 100; n++) skipped.next(n * 20)
  for (let n = 110; n < 140; n++) skipped.next(n * 20)
  assert.equal(skipped.ms, 139 * 20)
  const held = new SmoothedTickTime(20)
  for (let n = 0; n < 100; n++) held.next(n * 20)
  assert.equal(held.next(9000), 9000)
})
