// The lease of a call whose row took long to write.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renewedWhenSlow } from './begun-lease.ts'

test('a call whose row took more than two seconds has its lease renewed at once', async () => {
  const renewed: string[] = []
  let nowMs = 0
  const begin = renewedWhenSlow(
    async ({ id, tookMs }: { id: string; tookMs: number }) => {
      nowMs += tookMs
      return { id }
    },
    async (id) => {
      renewed.push(id)
      throw new Error('the database is away')
    },
    () => nowMs,
  )
  for (const [id, tookMs] of [
    ['cal_quick', 5],
    ['cal_slow', 7000],
  ] as const)
    assert.deepEqual(await begin({ id, tookMs }), { id })
  assert.deepEqual(renewed, ['cal_slow'])
})
