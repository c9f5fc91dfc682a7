// The guards against hallucinations, without the model.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chunksOf } from './chunks.ts'
import {
  chooseToken,
  fitsDuration,
  isAnswer,
  isHallucination,
  isQuiet,
  isRepetitionOf,
  isSpeechLike,
  mostTokens,
  repeatLength,
  withoutEcho,
} from './guards.ts'
import { whisperLanguage } from './tokens.ts'

test('the most likely allowed token is chosen, with its share among the allowed ones', () => {
  const logits = Float32Array.of(1, 5, 9, 1, 99)
  const choice = chooseToken(logits, Uint8Array.of(0, 0, 1, 0))
  assert.equal(choice.token, 1)
  const sum = Math.exp(1) + Math.exp(5) + Math.exp(1)
  assert.ok(Math.abs(choice.logSum - Math.log(sum)) < 1e-6)
})

test('a loop is cut back to its first occurrence', () => {
  assert.equal(repeatLength([1, 2, 3, 4, 5], 1), 0)
  assert.equal(repeatLength([9, 7, 7, 7, 7, 7], 1), 4)
  assert.equal(repeatLength([9, 7, 7, 7, 7], 1), 0)
  assert.equal(repeatLength([1, 2, 3, 1, 2, 3, 1, 2, 3], 1), 6)
})

test('an utterance transcribed twice is cut if the audio is long enough for one only, and kept if for two', () => {
  const twice = [1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6]
  assert.equal(repeatLength(twice, 2), 6)
  assert.equal(repeatLength(twice, 4), 0)
})

test('the number of tokens is bounded by the duration', () => {
  assert.equal(mostTokens(0.5), 13)
  assert.equal(mostTokens(3), 35)
  assert.equal(mostTokens(300), 220)
})

test('a low-confidence transcript is refused, and sooner if speech is unlikely', () => {
  assert.equal(isHallucination(-0.3, 0.9), false)
  assert.equal(isHallucination(-0.8, 0.1), false)
  assert.equal(isHallucination(-0.8, 0.9), true)
  assert.equal(isHallucination(-1.1, 0), true)
})

test('a short answer may be less certain than words, unless there is probably no speech', () => {
  assert.equal(isAnswer(-2.1, 0.1), true)
  assert.equal(isAnswer(-2.6, 0.1), false)
  assert.equal(isAnswer(-0.5, 0.5), true)
  assert.equal(isAnswer(-2.1, 0.5), false)
  assert.equal(isAnswer(-0.5, 0.9), false) // silence after a question
  assert.deepEqual([isSpeechLike(0.1), isSpeechLike(0.8)], [true, false])
})

test('an answer takes as long as its word', () => {
  const fitting: [string, number][] = [
    ['Sim.', 0.35],
    ['Não.', 0.52],
    ['Ok.', 0.42],
    ['Pode.', 0.52],
    ['De manhã.', 0.71],
    ['Pix.', 0.22],
  ]
  for (const [answer, seconds] of fitting) assert.equal(fitsDuration(answer, seconds), true, answer)
  assert.equal(fitsDuration('Ok.', 0.64), false)
  assert.equal(fitsDuration('Sim.', 0.69), false)
  assert.equal(fitsDuration('Segunda-feira.', 0.2), false)
})

test('one word said once is not written twice, and a repetition that fits the time is kept', () => {
  assert.equal(withoutEcho('Maria Maria', 0.5), 'Maria')
  assert.equal(withoutEcho('Tá bom. Tá bom.', 0.6), 'Tá bom.')
  assert.equal(withoutEcho('3 3 3', 0.6), '3')
  assert.equal(withoutEcho('não, não', 1.2), 'não, não')
  assert.equal(withoutEcho('sim, não', 0.4), 'sim, não')
  assert.equal(withoutEcho('', 0.4), '')
})

test('a transcript that only repeats the prompt is known', () => {
  assert.equal(isRepetitionOf('posso confirmar a consulta', 'Certo. Posso confirmar a consulta?'), true)
  assert.equal(isRepetitionOf('a consulta', 'Posso confirmar a consulta?'), false) // an answer may repeat its words
  assert.equal(isRepetitionOf('pode confirmar a consulta', 'Posso confirmar a consulta?'), false)
})

test('inaudible audio is not transcribed', () => {
  assert.equal(isQuiet(new Float32Array(10)), true)
  assert.equal(isQuiet(Float32Array.of(0, 0, 0.01)), false)
})

test('languages are matched by their first subtag', () => {
  assert.deepEqual(['pt-BR', 'EN_us', 'nb-NO', 'es'].map(whisperLanguage), ['pt', 'en', 'no', 'es'])
})

test('a monologue is split at a pause, and nothing is lost', () => {
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
