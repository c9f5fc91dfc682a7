// Fair scheduling by user, with work that ends when the test says so.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as breathe } from 'node:timers/promises'
import { type TurnLimits, userTurns } from './user-turns.ts'

const limits: TurnLimits = { atOnce: 2, waiting: 5, waitingEach: 3, waitMs: 60_000 }

function turns(given: Partial<TurnLimits> = {}) {
  const inTurn = userTurns({ ...limits, ...given }, () => new Error('busy'))
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const run = (name: string) =>
    inTurn(name.slice(0, 1), async () => {
      started.push(name)
      await new Promise<void>((end) => ends.set(name, end))
      return name
    })
  const end = async (name: string) => {
    ends.get(name)?.()
    await breathe()
  }
  return { run, end, started }
}

test('a user has one place, and other places stay free for others', async () => {
  const { run, end, started } = turns()
  const all = ['a1', 'a2', 'a3', 'b1'].map(run)
  assert.deepEqual(started, ['a1', 'b1'])
  await end('a1')
  assert.deepEqual(started, ['a1', 'b1', 'a2'])
  for (const name of ['b1', 'a2', 'a3']) await end(name)
  assert.deepEqual(await Promise.all(all), ['a1', 'a2', 'a3', 'b1'])
})

test('those who wait are served user by user, not job by job', async () => {
  const { run, end, started } = turns({ atOnce: 1 })
  const all = ['a1', 'a2', 'a3', 'b1', 'c1'].map(run)
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3']) await end(name)
  assert.deepEqual(started, ['a1', 'a2', 'b1', 'c1', 'a3'])
  await Promise.all(all)
})

test('waiting is bounded for each user, in all, and in time; a failure frees the place', async () => {
  const each = turns()
  const own = ['a1', 'a2', 'a3', 'a4'].map(each.run)
  await assert.rejects(each.run('a5'), /busy/)
  const others = ['b1', 'b2', 'b3'].map(each.run)
  await assert.rejects(each.run('c1'), /busy/)
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'b3']) await each.end(name)
  await Promise.all([...own, ...others])

  const hasty = turns({ atOnce: 1, waitMs: 1 })
  const first = hasty.run('a1')
  await assert.rejects(hasty.run('b1'), /busy/)
  await hasty.end('a1')
  await first

  const inTurn = userTurns({ ...limits, atOnce: 1 }, () => new Error('busy'))
  await assert.rejects(
    inTurn('a', () => Promise.reject(new Error('wrong'))),
    /wrong/,
  )
  assert.equal(await inTurn('a', async () => 1), 1)
})
