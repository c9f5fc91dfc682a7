import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differingPart } from './text-difference.ts'

test('only the words that differ are marked, and the parts joined are the text', () => {
  assert.deepEqual(differingPart('open from 8 to 18 daily', 'open from 9 to 18 daily'), [
    'open from ',
    '8 ',
    'to 18 daily',
  ])
  assert.deepEqual(differingPart('same', 'same'), ['same', '', ''])
  assert.deepEqual(differingPart('a b', 'a b c'), ['a ', 'b', ''])
  assert.deepEqual(differingPart('a a', 'a a a'), ['a ', '', 'a'])
  assert.deepEqual(differingPart('', 'new'), ['', '', ''])
})
