// The order in which waiting recognitions run.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enqueue, type QueuedJob } from './job-queue.ts'

type Job = QueuedJob & { name: string }
const job = (name: string, isUrgent = false): Job => ({ name, isUrgent, overtaken: 0 })
const names = (waiting: readonly Job[]) => waiting.map(({ name }) => name).join(' ')

test('an urgent recognition goes before the others, behind earlier urgent ones', () => {
  const waiting: Job[] = []
  for (const each of [job('a'), job('b'), job('u', true), job('v', true)]) enqueue(waiting, each)
  assert.equal(names(waiting), 'u v a b')
})

test('a recognition is overtaken twice at most, however many urgent ones come', () => {
  const waiting: Job[] = [job('a')]
  const served: string[] = []
  for (let i = 0; i < 5; i++) {
    enqueue(waiting, job(`u${i}`, true))
    served.push(waiting.shift()?.name ?? '')
  }
  assert.deepEqual(served, ['u0', 'u1', 'a', 'u2', 'u3'])
})
