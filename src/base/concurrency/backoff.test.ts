import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backoffMs, jittered } from './backoff.ts'

test('pauses double from the first failure up to the longest, however many follow', () => {
  const pauses = [0, 1, 2, 3, 4, 5, 2000].map((failures) => backoffMs(failures, { firstMs: 100, maxMs: 1000 }))
  assert.deepEqual(pauses, [100, 100, 200, 400, 800, 1000, 1000])
  assert.equal(backoffMs(2000, { firstMs: 0, maxMs: 1000 }), 0)
})

test('jitter shortens or lengthens by a quarter', () => {
  assert.deepEqual(
    [0, 0.5, 1].map((random) => jittered(1000, () => random)),
    [750, 1000, 1250],
  )
})
