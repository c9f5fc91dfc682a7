// Which names and words the recognizer is told to expect.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectedWords } from './expected-words.ts'
import type { Message, Tool } from './ports.ts'

const PROMPT = `Você é a recepcionista da Clínica Aurora. Responda sobre horário, endereço e preço.
Marque consultas com a doutora Helena Souza. NUNCA fale de política.`

const tool = (parameters: object): Tool => ({
  name: 'book',
  description: 'Books',
  parameters,
  run: async () => ({ text: '', failed: false }),
})

test('names are capitalized words within a sentence, together with the next ones', () => {
  const { names, words } = expectedWords(PROMPT, []).current()
  assert.deepEqual(names, ['Clínica Aurora', 'Helena Souza'])
  for (const word of ['endereço', 'horário', 'Aurora', 'Souza']) assert.ok(words.includes(word), word)
  for (const word of ['de', 'com', 'Você']) assert.equal(words.includes(word), false, word)
})

test('the parameters of tools give their names, descriptions and permitted values', () => {
  const specialty = { type: 'string', description: 'A especialidade', enum: ['dermatologia', 'clínica geral', 5] }
  const { words } = expectedWords('', [tool({ properties: { patientName: { type: 'string' }, specialty } })]).current()
  for (const word of ['especialidade', 'dermatologia', 'clínica geral', 'patient'])
    assert.ok(words.includes(word), word)
})

test('the words of the latest question come first, and names that were heard stay', () => {
  const expected = expectedWords(PROMPT, [])
  const heard: Message[] = [
    { role: 'system', content: 'Fale com Zacarias.' },
    { role: 'user', content: 'Meu nome é Teodora Pacheco.' },
  ]
  expected.agentSaid('Qual é o convênio?', heard)
  assert.equal(expected.current().words[0], 'convênio')
  assert.ok(expected.current().names.includes('Teodora Pacheco'))
  assert.equal(expected.current().names.includes('Zacarias'), false)
  const since = Array.from({ length: 20 }, (): Message => ({ role: 'user', content: 'Sim.' }))
  expected.agentSaid('Qual é a cidade?', [...heard, ...since])
  assert.ok(expected.current().names.includes('Teodora Pacheco'))
  assert.equal(expected.current().words[0], 'cidade')
  assert.equal(expectedWords(PROMPT, []).current().names.includes('Teodora Pacheco'), false)
})

test('tools that arrive later count from the next question on', () => {
  const tools: Tool[] = []
  const expected = expectedWords('', tools)
  tools.push(tool({ properties: { cidade: { enum: ['Araraquara'] } } }))
  expected.agentSaid('Qual?', [])
  assert.ok(expected.current().words.includes('Araraquara'))
})

test('the lists are bounded', () => {
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  const word = (i: number) => `pal${letters[i % 26]}${letters[Math.floor(i / 26) % 26]}${letters[Math.floor(i / 676)]}`
  const many = Array.from({ length: 3000 }, (_, i) => `${word(i)}, ${word(i).replace('p', 'P')}`).join(' e ')
  const { names, words } = expectedWords(many, []).current()
  assert.deepEqual([names.length, words.length], [50, 150])
  let deep: object = { enum: ['palavra'] }
  for (let i = 0; i < 50; i++) deep = { properties: { deep } }
  assert.deepEqual(expectedWords('', [tool(deep)]).current().words, [])
})
