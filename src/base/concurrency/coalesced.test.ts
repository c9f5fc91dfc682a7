import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coalesced } from './coalesced.ts'

test('requests during a run share the next one, which also runs after a failure', async () => {
  const runs: PromiseWithResolvers<string>[] = []
  const { run, idle } = coalesced(() => {
    const one = Promise.withResolvers<string>()
    runs.push(one)
    return one.promise
  })
  const first = run()
  const [second, third] = [run(), run()]
  assert.equal(second, third)
  assert.equal(runs.length, 1)
  let isIdle = false
  const ended = idle().then(() => {
    isIdle = true
  })
  runs[0]?.reject(new Error('away'))
  await assert.rejects(first, /away/)
  await new Promise(setImmediate)
  assert.deepEqual([runs.length, isIdle], [2, false])
  runs[1]?.resolve('done')
  assert.equal(await second, 'done')
  await ended
  assert.equal(isIdle, true)
})
