// The waterfall: stages stand one after the other, on one round scale.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { barsOf, type Latency, median, mediansOf, paceOf, percent, scaleOf, totalMs } from './waterfall-geometry.ts'

const none: Latency = {
  vadMs: null,
  recognitionMs: null,
  endOfTurnMs: null,
  modelMs: null,
  toolMs: null,
  synthesisMs: null,
  pacingMs: null,
  totalMs: null,
}
const turn: Latency = {
  vadMs: 96,
  recognitionMs: 210,
  endOfTurnMs: 0,
  modelMs: 340,
  toolMs: 0,
  synthesisMs: 120,
  pacingMs: 14,
  totalMs: 780,
}

test('Each stage begins where the one before it ended, and one that took no time is not drawn', () => {
  assert.deepEqual(barsOf(turn), [
    { stage: 'vad', fromMs: 0, ms: 96 },
    { stage: 'recognition', fromMs: 96, ms: 210 },
    { stage: 'model', fromMs: 306, ms: 340 },
    { stage: 'synthesis', fromMs: 646, ms: 120 },
    { stage: 'pacing', fromMs: 766, ms: 14 },
  ])
})

test('A turn that was not measured has no bars and no length', () => {
  assert.deepEqual(barsOf(none), [])
  assert.equal(totalMs(none), null)
})

test('The length is the sum of the stages where the whole is not known', () => {
  assert.equal(totalMs({ ...turn, totalMs: null }), 780)
})

test('The scale ends at a round number beyond the longest turn and has few ticks', () => {
  assert.deepEqual(scaleOf([turn, none]), { maxMs: 800, ticks: [0, 200, 400, 600, 800] })
  assert.deepEqual(scaleOf([]), { maxMs: 500, ticks: [0, 100, 200, 300, 400, 500] })
  for (const ms of [1, 499, 501, 1001, 4999, 12_345, 60_000, 700_000]) {
    const { maxMs, ticks } = scaleOf([{ ...none, totalMs: ms }])
    assert.ok(maxMs >= ms, `${maxMs} holds ${ms}`)
    assert.ok(ticks.length <= 6, `${ticks.length} ticks for ${ms}`)
    assert.equal(ticks.at(-1), maxMs)
  }
})

test('A place on the scale never leaves it', () => {
  const scale = { maxMs: 1000, ticks: [] }
  assert.deepEqual(
    [-5, 0, 250, 4000].map((ms) => percent(ms, scale)),
    [0, 0, 25, 100],
  )
})

test('The median of none is unknown, of an even number the middle of the middle two', () => {
  assert.equal(median([]), null)
  assert.equal(median([900, 100, 300]), 300)
  assert.equal(median([400, 100, 300, 201]), 251)
})

test('Medians leave out the turns that were not measured', () => {
  const { total, stages } = mediansOf([none, turn, { ...turn, modelMs: 540, totalMs: 980 }])
  assert.equal(total, 880)
  assert.equal(stages.model, 440)
  assert.equal(stages.vad, 96)
})

test('How a wait feels is told by its length', () => {
  assert.deepEqual([800, 1000, 1500, 2001].map(paceOf), ['quick', 'quick', 'fair', 'slow'])
})
