// Duplicate passages in the test search.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { distinctPassages } from './distinct-passages.ts'

test('a passage that repeats is shown once, the best one, with how often; others stay in their order', () => {
  const passages = ['Aberto  às 9h', 'Fechado', 'Aberto às 9h\n'].map((content, number) => ({ content, number }))
  assert.deepEqual(
    distinctPassages(passages).map(({ passage, repeats }) => [passage.number, repeats]),
    [
      [0, 1],
      [1, 0],
    ],
  )
})
