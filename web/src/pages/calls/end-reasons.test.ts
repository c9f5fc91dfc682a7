// End reason texts; the types ensure that each reason has one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endReasonTexts } from './end-reason-texts.ts'
import { endReasonText, isProblem } from './end-reasons.ts'

test('an unknown reason is shown unchanged; no reason gives null', () => {
  const words = endReasonTexts.en
  assert.deepEqual(endReasonText(words, 'new_thing'), { short: 'new_thing', means: null })
  assert.deepEqual(endReasonText(words, 'toString'), { short: 'toString', means: null })
  assert.equal(endReasonText(words, null), null)
  assert.equal(endReasonText(words, 'busy')?.short, 'Busy')
  assert.equal(endReasonText(words, 'end_phrase')?.short, 'End phrase')
})

test('a caller hanging up is not a problem; an unavailable trunk is', () => {
  assert.equal(isProblem('caller_hangup'), false)
  assert.equal(isProblem('trunk_unavailable'), true)
  assert.equal(isProblem(null), false)
})
