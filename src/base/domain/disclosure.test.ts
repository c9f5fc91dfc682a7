// The AI disclosure of campaign calls, in the agent's language or in the campaign's own words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { disclosureSentence } from './disclosure.ts'

const on = { isOn: true, text: null }

test('by default it says in the language of the agent who calls, and that it is a machine', () => {
  const said = (language: string, agentName = 'Ana') => disclosureSentence({ disclosure: on, language, agentName })
  assert.equal(said('pt-BR'), 'Olá, aqui é Ana, assistente virtual. Esta é uma ligação automática.')
  assert.equal(said('es'), 'Hola, le habla Ana, asistente virtual. Esta es una llamada automática.')
  assert.equal(said('en-GB'), 'Hello, this is Ana, a virtual assistant. This is an automated call.')
  assert.equal(said('de'), said('en'), 'another language: English')
  assert.equal(said('pt', ' '), 'Olá, aqui é uma assistente virtual. Esta é uma ligação automática.')
})

test("the campaign's own words replace it, as a sentence", () => {
  const said = (text: string) => disclosureSentence({ disclosure: { isOn: true, text }, language: 'pt', agentName: '' })
  assert.equal(said('Aqui é o robô da Clínica Vida'), 'Aqui é o robô da Clínica Vida.')
  assert.equal(said('Oi {{nome}}!'), 'Oi {{nome}}!')
  assert.match(said('  ') ?? '', /assistente virtual/)
})

test('switched off, nothing is said', () => {
  assert.equal(disclosureSentence({ disclosure: { isOn: false, text: 'x' }, language: 'pt', agentName: '' }), null)
})
