// A suite of rehearsals.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { suiteRunner } from './suite.ts'

const scripts = ['a', 'b', 'c', 'd'].map((id) => ({ id, name: id }))
const states = (runner: ReturnType<typeof suiteRunner>) => runner.current?.items.map(({ state }) => state)

test('all are run, at most two at a time, and a busy server is asked again', async () => {
  let [running, most, refusals] = [0, 0, 2]
  const runner = suiteRunner()
  await runner.start('agt', scripts, {
    async begin(id) {
      if (refusals-- > 0) throw Object.assign(new Error('busy'), { statusCode: 429 })
      most = Math.max(most, ++running)
      return { id: `run-${id}` }
    },
    async statusOf(id) {
      running--
      return id === 'run-c' ? 'failed' : 'passed'
    },
    stop: async () => {},
    wait: async () => {},
  })
  assert.deepEqual(states(runner), ['passed', 'passed', 'failed', 'passed'])
  assert.ok(most <= 2)
  assert.equal(runner.current?.isRunning, false)
})

test('stopping ends the running ones and starts no more; another refusal is an error', async () => {
  const runner = suiteRunner()
  const stopped = new Set<string>()
  await runner.start('agt', scripts, {
    begin: async (id) => {
      if (id === 'a') throw Object.assign(new Error('gone'), { statusCode: 404 })
      return { id }
    },
    statusOf: async (id) => {
      runner.stop()
      return stopped.has(id) ? 'error' : 'running'
    },
    stop: async (id) => stopped.add(id),
    wait: async () => {},
  })
  assert.deepEqual(states(runner), ['error', 'error', 'notStarted', 'notStarted'])
  runner.close()
  assert.equal(runner.current, null)
})
