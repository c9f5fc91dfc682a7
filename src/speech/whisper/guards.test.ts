// The guards against a model that invents, without the model.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chunksOf } from './chunks.ts'
import { chooseToken, isHallucination, isQuiet, mostTokens, repeatLength } from './guards.ts'
import { whisperLanguage } from './tokens.ts'

test('the likeliest token that may be said is chosen, with its share among those', () => {
  const logits = Float32Array.of(1, 5, 9, 1, 99)
  const choice = chooseToken(logits, Uint8Array.of(0, 0, 1, 0))
  assert.equal(choice.token, 1)
  const sum = Math.exp(1) + Math.exp(5) + Math.exp(1)
  assert.ok(Math.abs(choice.logSum - Math.log(sum)) < 1e-6)
})

test('a circle is cut back to its first turn', () => {
  assert.equal(repeatLength([1, 2, 3, 4, 5], 1), 0)
  assert.equal(repeatLength([9, 7, 7, 7, 7, 7], 1), 4)
  assert.equal(repeatLength([9, 7, 7, 7, 7], 1), 0)
  assert.equal(repeatLength([1, 2, 3, 1, 2, 3, 1, 2, 3], 1), 6)
})

test('an utterance said twice in the time of one is cut; in the time of two it is kept', () => {
  const twice = [1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6]
  assert.equal(repeatLength(twice, 2), 6)
  assert.equal(repeatLength(twice, 4), 0)
})

test('tokens are bounded by the time', () => {
  assert.equal(mostTokens(0.5), 13)
  assert.equal(mostTokens(3), 35)
  assert.equal(mostTokens(300), 220)
})

test('a guess is refused, and sooner where nobody seems to speak', () => {
  assert.equal(isHallucination(-0.3, 0.9), false)
  assert.equal(isHallucination(-0.8, 0.1), false)
  assert.equal(isHallucination(-0.8, 0.9), true)
  assert.equal(isHallucination(-1.1, 0), true)
})

test('what nobody could hear is not even looked at', () => {
  assert.equal(isQuiet(new Float32Array(10)), true)
  assert.equal(isQuiet(Float32Array.of(0, 0, 0.01)), false)
})

test('languages are found by their first subtag', () => {
  assert.deepEqual(['pt-BR', 'EN_us', 'nb-NO', 'es'].map(whisperLanguage), ['pt', 'en', 'no', 'es'])
})

test('a monologue is cut in a pause, and nothing is lost', () => {
  const samples = new Float32Array(16000 * 60).fill(0.5)
  samples.fill(0, 16000 * 24, 16000 * 24.5)
  const parts = chunksOf(samples)
  assert.equal(
    parts.reduce((sum, part) => sum + part.length, 0),
    samples.length,
  )
  const first = (parts[0] as Float32Array).length / 16000
  assert.ok(first > 24 && first < 24.5, `cut at ${first} s`)
  assert.ok(parts.every((part) => part.length <= 16000 * 27))
  assert.equal(chunksOf(new Float32Array(100)).length, 1)
})
