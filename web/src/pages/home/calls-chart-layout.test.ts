import assert from 'node:assert/strict'
import { test } from 'node:test'
import { barsOf, niceTop } from './calls-chart-layout.ts'

test('the top of the chart is a round, even number at or above every day', () => {
  const tops = [
    [0, 4],
    [3, 4],
    [5, 6],
    [9, 10],
    [11, 20],
    [87, 100],
    [140, 200],
    [3600, 4000],
  ] as const
  for (const [most, top] of tops) assert.equal(niceTop(most), top, String(most))
})

test('bar heights follow the calls, with answered calls within; today is labelled', () => {
  const day = (calls: number, answered: number) => ({ date: '2026-01-01', calls, answered, minutes: 0 })
  const { bars, top } = barsOf([day(0, 0), day(10, 5), day(5, 9)])
  assert.equal(top, 10)
  assert.deepEqual(
    bars.map(({ allHeight, answeredHeight }) => [allHeight, answeredHeight]),
    [
      [0, 0],
      [100, 50],
      [50, 50],
    ],
  )
  assert.deepEqual(
    bars.map(({ isNamed }) => isNamed),
    [true, false, true],
  )
  const last = bars[2]
  assert.ok(last && last.x + last.width <= 100)
  assert.deepEqual(barsOf([]), { bars: [], top: 4 })
})
