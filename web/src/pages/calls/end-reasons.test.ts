// Reasons for the end of a call in words; that each has some is checked by their types.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endReasonTexts } from './end-reason-texts.ts'
import { endReasonText, isProblem } from './end-reasons.ts'

test('a reason that is not known is shown as it came, and none is none', () => {
  const words = endReasonTexts.en
  assert.deepEqual(endReasonText(words, 'new_thing'), { short: 'new_thing', means: null })
  assert.deepEqual(endReasonText(words, 'toString'), { short: 'toString', means: null })
  assert.equal(endReasonText(words, null), null)
  assert.equal(endReasonText(words, 'busy')?.short, 'Busy')
  assert.equal(endReasonText(words, 'end_phrase')?.short, 'Closing phrase')
})

test('a person who hangs up is no trouble, a trunk out of order is', () => {
  assert.equal(isProblem('caller_hangup'), false)
  assert.equal(isProblem('trunk_unavailable'), true)
  assert.equal(isProblem(null), false)
})
