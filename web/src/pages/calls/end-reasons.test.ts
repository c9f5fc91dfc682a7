// Reasons for the end of a call in words; that each has some is checked by their types.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endReasonWords } from './end-reason-words.ts'
import { isTrouble, reasonIn } from './end-reasons.ts'

test('a reason that is not known is shown as it came, and none is none', () => {
  const words = endReasonWords.en
  assert.deepEqual(reasonIn(words, 'new_thing'), { short: 'new_thing', means: null })
  assert.deepEqual(reasonIn(words, 'toString'), { short: 'toString', means: null })
  assert.equal(reasonIn(words, null), null)
  assert.equal(reasonIn(words, 'busy')?.short, 'Busy')
  assert.equal(reasonIn(words, 'end_phrase')?.short, 'Closing phrase')
})

test('a person who hangs up is no trouble, a trunk out of order is', () => {
  assert.equal(isTrouble('caller_hangup'), false)
  assert.equal(isTrouble('trunk_unavailable'), true)
  assert.equal(isTrouble(null), false)
})
