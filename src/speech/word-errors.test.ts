// The word error rate counts the errors that a listener would.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spokenWords, wordErrorRate, wordErrors } from './word-errors.ts'

const errors = (said: string, heard: string, language = 'pt-BR') => wordErrors(said, heard, language).errors

test('punctuation and case do not count', () => {
  assert.equal(errors('Olá, tudo bem?', 'olá tudo bem'), 0)
  assert.equal(errors('terça-feira', 'Terça feira.'), 0)
})

test('digits and number words for the same number are equal', () => {
  assert.equal(errors('às 15 horas', 'às quinze horas'), 0)
  assert.equal(errors('three tickets', '3 tickets', 'en-US'), 0)
  assert.equal(errors('a las tres', 'a las 3', 'es-ES'), 0)
})

test('each substituted, deleted or inserted word is one error', () => {
  assert.equal(errors('um dois três', 'um sete três'), 1)
  assert.equal(errors('um dois três', 'um três'), 1)
  assert.equal(errors('um dois três', 'um dois dois três'), 1)
  assert.equal(errors('quero falar agora', 'não quero fala agora mesmo'), 3)
})

test('an empty transcript is all errors, and words where nothing was said count too', () => {
  assert.deepEqual(wordErrors('um dois', '', 'pt'), { errors: 2, words: 2 })
  assert.deepEqual(wordErrors('', 'obrigado', 'pt'), { errors: 1, words: 0 })
})

test('an accent makes a different word', () => {
  assert.equal(errors('ele e ela', 'ele é ela'), 1)
})

test("the rate is over all words, not the mean of the utterances' rates", () => {
  const results = [wordErrors('a', 'b', 'en'), wordErrors('one two three four', 'one two three four', 'en')]
  assert.equal(wordErrorRate(results), 1 / 5)
  assert.equal(wordErrorRate([]), 0)
})

test('words are split in any script', () => {
  assert.deepEqual(spokenWords('  Ção… «mão» ', 'pt'), ['ção', 'mão'])
})
