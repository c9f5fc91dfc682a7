// Chunks cover a clip exactly once, and joining them gives the same audio as a single run.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CONTEXT_STEPS, chunkSamples, crossfader, planChunks } from './chunks.ts'
import { SAMPLES_PER_STEP } from './graph.ts'

test('chunks are 150 ms, 250 ms, 350 ms, 500 ms and then 1200 ms long', () => {
  const sizes = planChunks(0, 400).map(({ from, to }) => (to - from) * 12.5)
  assert.deepEqual(sizes.slice(0, 5), [150, 250, 350, 500, 1200])
  assert.equal((planChunks(0, 400, true)[0]?.to ?? 0) * 12.5, 500)
})

test('chunks are contiguous from start to end, and none is too short', () => {
  fc.assert(
    fc.property(fc.nat(30), fc.integer({ min: 1, max: 2000 }), fc.boolean(), (start, length, isLater) => {
      const windows = planChunks(start, start + length, isLater)
      assert.equal(windows[0]?.from, start)
      assert.equal(windows.at(-1)?.to, start + length)
      for (const [i, window] of windows.entries()) if (i > 0) assert.equal(window.from, windows[i - 1]?.to)
      if (length >= 20) for (const { from, to } of windows) assert.ok(to - from >= 10, `${to - from} steps`)
    }),
  )
})

test('joined chunks of a signal equal the signal, sample for sample', () => {
  const steps = 333
  const whole = Float32Array.from({ length: steps * SAMPLES_PER_STEP }, (_, i) => Math.sin(i / 37))
  const join = crossfader()
  const windows = planChunks(0, steps)
  const out = windows.flatMap((window, i) => {
    const from = Math.max(0, window.from - CONTEXT_STEPS)
    const to = Math.min(steps, window.to + CONTEXT_STEPS)
    const run = whole.slice(from * SAMPLES_PER_STEP, to * SAMPLES_PER_STEP)
    return [...join(chunkSamples(run, window, from, steps), i < windows.length - 1)]
  })
  assert.equal(out.length, whole.length)
  for (let i = 0; i < out.length; i++) assert.ok(Math.abs((out[i] as number) - (whole[i] as number)) < 1e-6, `at ${i}`)
})

test('where two chunks differ, they are cross-faded without a step', () => {
  const join = crossfader()
  const first = join(new Float32Array(3000).fill(0), true)
  const second = join(new Float32Array(3000).fill(1), false)
  const all = [...first, ...second]
  const steepest = all.slice(1).map((value, i) => Math.abs(value - (all[i] as number)))
  assert.ok(Math.max(...steepest) < 0.01)
})
