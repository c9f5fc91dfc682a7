import assert from 'node:assert/strict'
import { test } from 'node:test'
import { barsOf, callsHref, type Day, nextBar, niceTicks, weekChange } from './calls-chart-layout.ts'

test('ticks are round numbers that fit the data', () => {
  const cases: [number, number[]][] = [
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [6, [0, 2, 4, 6]],
    [9, [0, 2, 4, 6, 8, 10]],
    [11, [0, 5, 10, 15]],
    [87, [0, 20, 40, 60, 80, 100]],
    [101, [0, 25, 50, 75, 100, 125]],
    [240, [0, 50, 100, 150, 200, 250]],
    [3600, [0, 1000, 2000, 3000, 4000]],
  ]
  for (const [most, ticks] of cases) assert.deepEqual(niceTicks(most), ticks, String(most))
})

test('whatever the data, the scale is whole, evenly stepped and at least 60 % full', () => {
  for (let most = 1; most < 30_000; most += most < 500 ? 1 : 37) {
    const ticks = niceTicks(most)
    const [zero, step = 0] = ticks
    const top = ticks.at(-1) ?? 0
    assert.equal(zero, 0)
    assert.ok(ticks.length <= 6 && ticks.every((tick, i) => tick === i * step && Number.isInteger(tick)), String(most))
    assert.ok(top >= most && most / top >= 0.6, `${most} of ${top}`)
  }
})

const day = (date: string, answered: number, failed = 0, busy = 0, unanswered = 0): Day => ({
  date,
  calls: answered + failed + busy + unanswered,
  answered,
  minutes: 0,
  notAnswered: { failed, busy, unanswered },
  medianResponseMs: null,
})

test('a bar is stacked by outcome, without empty segments', () => {
  const { bars, ticks } = barsOf([day('2026-01-01', 0), day('2026-01-02', 5, 2, 0, 3), day('2026-01-03', 1)])
  assert.deepEqual(ticks, [0, 2, 4, 6, 8, 10])
  assert.deepEqual(bars[0]?.segments, [])
  assert.deepEqual(bars[1]?.segments, [
    { outcome: 'answered', count: 5, from: 0, height: 50 },
    { outcome: 'unanswered', count: 3, from: 50, height: 30 },
    { outcome: 'failed', count: 2, from: 80, height: 20 },
  ])
  assert.deepEqual(
    bars.map(({ isToday, before }) => [isToday, before]),
    [
      [false, null],
      [false, null],
      [true, null],
    ],
  )
  assert.deepEqual(barsOf([]).bars, [])
})

test('the last week stands beside the same days of the week before; the change leaves today out', () => {
  const before = [10, 20, 30, 40, 50, 60, 999]
  const now = [20, 40, 60, 40, 50, 60, 1]
  const days = [...before, ...now].map((calls, i) => day(`2026-01-${10 + i}`, calls))
  const { bars } = barsOf(days)
  assert.deepEqual(
    bars.map((bar) => [bar.day.calls, bar.before?.calls, bar.isToday]),
    now.map((calls, i) => [calls, before[i], i === 6]),
  )
  assert.ok(bars.every(({ height }) => height <= 100))
  assert.equal(weekChange(days), 0.29)
  assert.equal(weekChange(days.slice(-7)), null, 'nothing to compare with')
})

test('arrow keys move from day to day, and stop at the ends', () => {
  assert.equal(nextBar('ArrowLeft', 0, 14), 0)
  assert.equal(nextBar('ArrowLeft', 5, 14), 4)
  assert.equal(nextBar('ArrowRight', 13, 14), 13)
  assert.equal(nextBar('Home', 9, 14), 0)
  assert.equal(nextBar('End', 2, 14), 13)
  assert.equal(nextBar('Enter', 2, 14), null)
})

test('a bar leads to the calls of its day, the legend to those of its outcome', () => {
  assert.equal(callsHref('2026-01-02', '2026-01-02'), '/calls?test=false&from=2026-01-02&to=2026-01-02')
  assert.equal(
    callsHref('2026-01-01', '2026-01-14', 'busy'),
    '/calls?status=busy&test=false&from=2026-01-01&to=2026-01-14',
  )
})
