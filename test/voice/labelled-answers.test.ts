// One synthetic answer of each kind, given to a real session with the real VAD: what the session takes it for. All of them are in
// labelled-answers-full.test.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSilero } from '../../src/speech/vad/silero.ts'
import { outcomeOf, results } from './answer-results.ts'
import { labelledAnswers } from './labelled-answers.ts'

test('one answer of each kind is taken for what it is', async (t) => {
  const vad = await openSilero()
  t.after(() => vad.close())
  let count = 0
  for await (const result of results(vad, labelledAnswers(1), 'hangup')) {
    count++
    // Nothing tells this one from a person.
    if (result.kind === 'mailbox without a tone, misheard') continue
    const isRight = outcomeOf(result) === 'right' || (result.kind === 'hello beside a radio' && !result.end)
    assert.ok(isRight, `${result.name}: ${result.answeredBy}, ${result.end}`)
    assert.deepEqual(result.toneNames, result.tones, result.name)
  }
  assert.ok(count >= 20)
})
