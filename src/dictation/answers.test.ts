import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isQuestion, isRefusal, needsTime, wantsPerson } from './answers.ts'
import { isPlainYes, yesNoIn } from './yes-no.ts'

const answers: readonly (readonly [language: string, text: string, answer: 'yes' | 'no' | null])[] = [
  ['pt-BR', 'Sim.', 'yes'],
  ['pt-BR', 'Sim está certo', 'yes'],
  ['pt-BR', 'Isso mesmo.', 'yes'],
  ['pt-BR', 'É isso aí', 'yes'],
  ['pt-BR', 'É.', 'yes'],
  ['pt-BR', 'Tá certinho', 'yes'],
  ['pt-BR', 'Uhum.', 'yes'],
  ['pt-BR', 'Agora sim', 'yes'],
  ['pt-BR', 'Não, está certo.', 'yes'],
  ['pt-BR', 'Não.', 'no'],
  ['pt-BR', 'Não está certo', 'no'],
  ['pt-BR', 'Tá errado', 'no'],
  ['pt-BR', 'Tem um erro', 'no'],
  ['pt-BR', 'O quê', null],
  ['en-US', "That's correct.", 'yes'],
  ['en-US', 'Mm-hmm.', 'yes'],
  ['en-US', 'Nope', 'no'],
  ['en-US', "That's not right", 'no'],
  ['en-US', 'the weather', null],
  ['es-MX', 'Sí, señor', 'yes'],
  ['es-MX', 'Así es', 'yes'],
  ['es-MX', 'No, está mal', 'no'],
  ['es-MX', 'Mañana', null],
]
for (const [language, text, answer] of answers)
  test(`${language}: "${text}" is ${answer}`, () => assert.equal(yesNoIn(text, language), answer))

test('a plain yes has nothing else in it', () => {
  assert.equal(isPlainYes('sim, está certo', 'pt-BR'), true)
  assert.equal(isPlainYes('sim, mas o final é 35', 'pt-BR'), false)
})

test('refusals, requests for a person, for time, and questions', () => {
  assert.equal(isRefusal('Eu não tenho CPF', 'pt-BR'), true)
  assert.equal(isRefusal('Não, é 35', 'pt-BR'), false)
  assert.equal(isRefusal("I don't have one", 'en-US'), true)
  assert.equal(wantsPerson('Quero uma pessoa de verdade', 'pt-BR'), true)
  assert.equal(wantsPerson('Pessoalmente, sim', 'pt-BR'), false)
  assert.equal(needsTime('Deixa eu pegar o documento', 'pt-BR'), true)
  assert.equal(needsTime('Hold on a sec', 'en-US'), true)
  assert.equal(needsTime('Un momentito', 'es-MX'), true)
  assert.equal(isQuestion('Para que precisa disso', 'pt-BR'), true)
  assert.equal(isQuestion('cinco dois nove', 'pt-BR'), false)
})
