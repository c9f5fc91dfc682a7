// Removals: delayed, undone, sent when the page closes, and restored when they fail.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type RemovalParts, removalQueue } from './removal-queue.ts'

function queue(t: TestContext, fails: readonly string[] = []) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const sent: string[] = []
  const done: string[][] = []
  const parts: RemovalParts = {
    delayMs: 10_000,
    send: async (path, isLeaving) => {
      sent.push(isLeaving ? `${path}!` : path)
      if (fails.includes(path)) throw new Error('refused')
    },
    onDone: async (_, { failed }) => void done.push([...failed.keys()]),
    onChange: () => {},
  }
  return { sent, done, removals: removalQueue(parts) }
}
const some = (key: string, ...ids: string[]) => ({ key, paths: new Map(ids.map((id) => [id, `/api/${id}`])) })
const settle = async () => {
  for (let i = 0; i < 30; i++) await Promise.resolve()
}

test('rows are hidden at once and deleted after the delay', async (t) => {
  const { sent, done, removals } = queue(t)
  removals.add(some('a', 'x', 'y'))
  assert.deepEqual([...removals.hidden()], ['x', 'y'])
  t.mock.timers.tick(9999)
  assert.deepEqual(sent, [])
  t.mock.timers.tick(1)
  await settle()
  assert.deepEqual(sent.sort(), ['/api/x', '/api/y'])
  assert.deepEqual(done, [[]])
  assert.deepEqual([...removals.hidden()], [])
  assert.equal(removals.undo('a'), false, 'too late')
})

test('undone in time, nothing is sent', async (t) => {
  const { sent, removals } = queue(t)
  removals.add(some('a', 'x'))
  removals.add(some('b', 'y'))
  assert.equal(removals.undo('a'), true)
  assert.deepEqual([...removals.hidden()], ['y'])
  t.mock.timers.tick(20_000)
  await settle()
  assert.deepEqual(sent, ['/api/y'])
})

test('on leaving everything is sent at once, and not again', async (t) => {
  const { sent, removals } = queue(t)
  const many = Array.from({ length: 20 }, (_, i) => `r${i}`)
  removals.add(some('a', ...many))
  removals.flush()
  assert.equal(sent.length, 20, 'all before anything is awaited')
  removals.flush()
  t.mock.timers.tick(20_000)
  await settle()
  assert.equal(sent.length, 20)
})

test('a row that could not be deleted is shown again, with its error', async (t) => {
  const { done, removals } = queue(t, ['/api/y'])
  removals.add(some('a', 'x', 'y', 'z'))
  t.mock.timers.tick(10_000)
  await settle()
  assert.deepEqual(done, [['y']])
  assert.deepEqual([...removals.hidden()], [])
})
