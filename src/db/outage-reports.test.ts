import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outageReports } from './outage-reports.ts'

test('errors and answers in turn are one outage; its end is reported without another query', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let nowMs = 0
  t.mock.method(performance, 'now', () => nowMs)
  const pass = (ms: number) => {
    nowMs += ms
    t.mock.timers.tick(ms)
  }
  const told: unknown[] = []
  const reports = outageReports(
    (error) => told.push(error),
    async () => reports.answered(),
  )
  reports.answered()
  assert.deepEqual(told, [])
  for (const error of ['first', 'second', 'third']) {
    reports.failed(error, 1000)
    reports.answered()
    pass(10)
  }
  assert.deepEqual(told, ['first'])
  pass(980)
  assert.deepEqual(told, ['first'], 'nothing has failed for 990 ms')
  pass(1000)
  assert.deepEqual(told, ['first', null])

  reports.failed('full', 60_000)
  reports.failed('away', 1000)
  reports.answered()
  pass(59_000)
  reports.answered()
  assert.deepEqual(told, ['first', null, 'full'], 'the longer time counts')
  pass(1000)
  assert.deepEqual(told, ['first', null, 'full', null])

  reports.failed('again', 1000)
  reports.answered()
  reports.stop()
  pass(5000)
  assert.deepEqual(told, ['first', null, 'full', null, 'again'], 'stopped')
})
