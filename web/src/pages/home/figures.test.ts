import assert from 'node:assert/strict'
import { test } from 'node:test'
import { figuresOf, sparkline } from './figures.ts'

const today = { calls: 12, answered: 9, failed: 0, minutes: 30, averageSeconds: 60, medianResponseMs: 800 }
const yesterday = { calls: 10, answered: 8, minutes: 30, medianResponseMs: 1000 }
const figure = (name: string, now = {}, before = {}) =>
  figuresOf({ today: { ...today, ...now }, yesterday: { ...yesterday, ...before }, days: [] }).find(
    (one) => one.name === name,
  ) ?? assert.fail(name)

test('a change is told as a share, in points or in milliseconds; faster is better, fewer calls are not worse', () => {
  assert.deepEqual(figure('calls').change, { by: 0.2, unit: 'share', tone: 'neutral' })
  const answered = figure('answered')
  assert.equal(answered.value, 0.75)
  assert.equal(answered.change?.tone, 'bad')
  assert.ok(Math.abs((answered.change?.by ?? 0) + 0.05) < 1e-9)
  assert.deepEqual(figure('response').change, { by: -200, unit: 'ms', tone: 'good' })
  assert.deepEqual(figure('minutes').change, { by: 0, unit: 'share', tone: 'neutral' })
})

test('without calls yesterday, or without any today, nothing is compared', () => {
  assert.equal(figure('calls', {}, { calls: 0, answered: 0 }).change, null)
  assert.equal(figure('answered', { calls: 0, answered: 0 }).value, null)
  assert.equal(figure('answered', { calls: 0, answered: 0 }).change, null)
  assert.equal(figure('response', { medianResponseMs: null }).change, null)
})

test('a sparkline spans its box and leaves out days without a value', () => {
  assert.deepEqual(sparkline([0, null, 10], 100, 20), [
    { x: 0, y: 20 },
    { x: 100, y: 0 },
  ])
  assert.deepEqual(sparkline([5, 5], 10, 20), [
    { x: 0, y: 10 },
    { x: 10, y: 10 },
  ])
  assert.deepEqual(sparkline([null, 3], 10, 20), [])
})
