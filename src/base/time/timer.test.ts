import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/until.ts'
import { every } from './timer.ts'

test('a woken task runs at once, or once more after the run in progress, and never twice at a time', async () => {
  const runs: PromiseWithResolvers<void>[] = []
  let atOnce = 0
  let most = 0
  const repeated = every(
    3_600_000,
    async () => {
      most = Math.max(most, ++atOnce)
      const run = Promise.withResolvers<void>()
      runs.push(run)
      await run.promise
      atOnce--
    },
    () => assert.fail(),
  )
  repeated.wake()
  repeated.wake()
  assert.equal(runs.length, 1)
  runs[0]?.resolve()
  await until('it runs again', () => runs.length === 2)
  runs[1]?.resolve()
  await until('it has ended', () => atOnce === 0)
  repeated.wake()
  assert.equal(runs.length, 3)
  repeated.wake()
  const stopped = repeated.stop()
  runs[2]?.resolve()
  await stopped
  repeated.wake()
  assert.deepEqual([runs.length, most], [3, 1])
})
