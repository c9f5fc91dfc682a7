import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SampleStore } from './sample-store.ts'

test('samples come out in order, whatever the sizes, also after it has grown and moved', () => {
  const store = new SampleStore()
  let [added, taken] = [0, 0]
  for (let round = 0; round < 2000; round++) {
    const count = (round * 71) % 997
    store.add(Int16Array.from({ length: count }, (_, i) => (added + i) & 0x7fff))
    added += count
    for (const sample of store.take((round * 53) % 1009)) assert.equal(sample, taken++ & 0x7fff)
    assert.equal(store.length, added - taken)
  }
  for (const sample of store.take(Number.POSITIVE_INFINITY)) assert.equal(sample, taken++ & 0x7fff)
  assert.equal(taken, added)
  assert.equal(store.take(5).length, 0)
})

test('a store that was cleared is empty', () => {
  const store = new SampleStore()
  store.add(new Int16Array(3000).fill(1))
  store.clear()
  assert.equal(store.length, 0)
  store.add(Int16Array.of(7))
  assert.deepEqual(store.take(9), Int16Array.of(7))
})
