// Any part of the kept audio can be cut out again, until it is dropped.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { AudioHistory } from './audio-history.ts'

/** Samples that identify their own position. */
const counting = (from: number, count: number) => Int16Array.from({ length: count }, (_, i) => from + i)

test('for any frames and offsets, a slice equals the audio that was added there', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 40 }),
      fc.nat(3000),
      fc.nat(3000),
      fc.nat(2000),
      (sizes, a, b, dropMs) => {
        const kept = new AudioHistory()
        let heard = 0
        for (const size of sizes) {
          kept.add(counting(heard, size), 8000, null)
          heard += size
        }
        kept.drop(dropMs)
        assert.equal(kept.nowMs, heard / 8)
        const [fromMs, toMs] = [Math.min(a, b), Math.max(a, b)]
        const first = Math.max(fromMs * 8, Math.round(kept.fromMs * 8))
        const last = Math.min(toMs * 8, heard)
        const cut = kept.slice(fromMs, toMs)
        assert.deepEqual([...(cut?.pcm ?? [])], [...counting(first, Math.max(0, last - first))])
      },
    ),
  )
})

test('dropped audio is freed to within a tenth of a second, and its memory is reused', () => {
  const kept = new AudioHistory()
  for (let frame = 0; frame < 500; frame++) {
    kept.add(counting(frame, 160), 8000, null)
    kept.drop(kept.nowMs - 1000)
    assert.ok(kept.nowMs - kept.fromMs <= 1100, `${kept.nowMs - kept.fromMs} ms`)
  }
  assert.deepEqual([...(kept.slice(9980, 10_000)?.pcm ?? [])], [...counting(499, 160)])
})

test('offsets in the recording are found even where the recording skipped audio', () => {
  const kept = new AudioHistory()
  kept.add(new Int16Array(160), 8000, 500)
  kept.add(new Int16Array(160), 8000, 520)
  kept.add(new Int16Array(160), 8000, 900)
  kept.add(new Int16Array(160), 8000, null)
  assert.deepEqual(
    [10, 30, 50, 70].map((ms) => kept.recordedAt(ms)),
    [510, 530, 910, null],
  )
  assert.equal(kept.recordedAt(1000), null)
})

test('after a change of sample rate a slice contains only audio at the new rate', () => {
  const kept = new AudioHistory()
  kept.add(counting(0, 160), 8000, null)
  kept.add(counting(1000, 320), 16_000, null)
  const cut = kept.slice(0, 40)
  assert.equal(cut?.rateHz, 16_000)
  assert.equal(cut?.fromMs, 20)
  assert.deepEqual([...(cut?.pcm ?? [])], [...counting(1000, 320)])
  assert.equal(kept.rateHz, 16_000)
})

test('the caller may reuse the buffer it added', () => {
  const kept = new AudioHistory()
  const frame = counting(7, 160)
  kept.add(frame, 8000, null)
  frame.fill(0)
  assert.deepEqual([...(kept.slice(0, 20)?.pcm ?? [])], [...counting(7, 160)])
})
