// Waterfall geometry.
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

test('stages are consecutive; stages without duration are not drawn', () => {
  assert.deepEqual(barsOf(turn), [
    { stage: 'vad', fromMs: 0, ms: 96 },
    { stage: 'recognition', fromMs: 96, ms: 210 },
    { stage: 'model', fromMs: 306, ms: 340 },
    { stage: 'synthesis', fromMs: 646, ms: 120 },
    { stage: 'pacing', fromMs: 766, ms: 14 },
  ])
})

test('an unmeasured turn has no bars and no total', () => {
  assert.deepEqual(barsOf(none), [])
  assert.equal(totalMs(none), null)
})

test('without a measured total, the stages are summed', () => {
  assert.equal(totalMs({ ...turn, totalMs: null }), 780)
})

test('the scale ends at a round number and has few ticks', () => {
  assert.deepEqual(scaleOf([turn, none]), { maxMs: 800, ticks: [0, 200, 400, 600, 800] })
  assert.deepEqual(scaleOf([]), { maxMs: 500, ticks: [0, 100, 200, 300, 400, 500] })
  for (const ms of [1, 499, 501, 1001, 4999, 12_345, 60_000, 700_000]) {
    const { maxMs, ticks } = scaleOf([{ ...none, totalMs: ms }])
    assert.ok(maxMs >= ms, `${maxMs} holds ${ms}`)
    assert.ok(ticks.length <= 6, `${ticks.length} ticks for ${ms}`)
    assert.equal(ticks.at(-1), maxMs)
  }
})

test('positions are clamped to the scale', () => {
  const scale = { maxMs: 1000, ticks: [] }
  assert.deepEqual(
    [-5, 0, 250, 4000].map((ms) => percent(ms, scale)),
    [0, 0, 25, 100],
  )
})

test('median of none is null; of an even count, the mean of the middle two', () => {
  assert.equal(median([]), null)
  assert.equal(median([900, 100, 300]), 300)
  assert.equal(median([400, 100, 300, 201]), 251)
})

test('medians ignore unmeasured turns', () => {
  const { total, stages } = mediansOf([none, turn, { ...turn, modelMs: 540, totalMs: 980 }])
  assert.equal(total, 880)
  assert.equal(stages.model, 440)
  assert.equal(stages.vad, 96)
})

test('rates response times as quick, fair or slow', () => {
  assert.deepEqual([800, 1000, 1500, 2001].map(paceOf), ['quick', 'quick', 'fair', 'slow'])
})
