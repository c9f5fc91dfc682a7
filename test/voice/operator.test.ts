// An operator takes control of a conversation: makes the agent speak their words, and keeps it silent while the call is
// transferred.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scriptedCall } from './scripted-call.ts'

const opening = 'Olá, aqui é a Ana, da clínica.'
const words = 'Temos uma vaga amanhã às nove.'
const failed = 'Desculpe, não consegui transferir a ligação agora. Pode continuar falando comigo.'

test('operator text is said at once while nobody speaks, is stored as the agent’s, and is in the prompt', async () => {
  const call = scriptedCall({ opening, reply: () => 'Certo.' })
  await call.pass(4000)
  const at = call.now
  assert.equal(call.lead.say(words, false), 'said')
  await call.pass(4000)
  assert.equal(call.lastHeard(words)?.from, at)
  await call.says('Pode ser.', 700)
  await call.pass(4000)
  assert.deepEqual(call.record(), [`agent: ${opening}`, `agent: ${words}`, 'caller: Pode ser.', 'agent: Certo.'])
  assert.deepEqual(
    call.asked.at(-1)?.map(({ role, content }) => `${role}: ${content}`),
    ['system: Você é a Ana.', `agent: ${opening}`, `agent: ${words}`, 'user: Pode ser.'],
  )
  const marked = call.events.flatMap((event) => (event.type === 'utterance' && event.isOperator ? [event.text] : []))
  assert.deepEqual(marked, [words], 'his words are marked, and no others')
  await call.leaves()
})

test('urgent operator text interrupts the agent, and only what was heard is stored', async () => {
  const long = 'Nossa clínica atende de segunda a sexta, das oito às dezoito horas, sem hora marcada.'
  const call = scriptedCall({ opening: long })
  await call.pass(2000)
  assert.equal(call.lead.say(words, true), 'said')
  await call.pass(5000)
  const [first, second] = call.lines
  assert.ok(first?.isCut && long.startsWith(first.text) && first.text.length < long.length)
  assert.deepEqual([second?.text, second?.isCut], [words, false])
  assert.equal(call.heard[0]?.to, call.heard[1]?.from)
  await call.leaves()
})

test('operator text that is not urgent waits until the agent has finished', async () => {
  const call = scriptedCall({ opening })
  await call.pass(500)
  assert.equal(call.lead.say(words, false), 'queued')
  assert.equal(call.lead.say('E também às dez.', false), 'queued')
  await call.pass(9000)
  assert.deepEqual(call.record(), [`agent: ${opening}`, `agent: ${words}`, 'agent: E também às dez.'])
  assert.ok(call.heard.every(({ isCut }) => !isCut))
  await call.leaves()
})

test('operator text waits for the end of the caller’s turn and answers it', async () => {
  const call = scriptedCall({ opening: null, reply: () => 'Nunca dito.' })
  call.begins('Vocês têm vaga amanhã?', 1800)
  await call.pass(900)
  assert.equal(call.lead.say(words, false), 'queued')
  await call.pass(900)
  const quietAt = call.now
  await call.pass(5000)
  assert.ok((call.heard[0]?.from ?? 0) > quietAt, 'not over him')
  assert.deepEqual(call.record(), ['caller: Vocês têm vaga amanhã?', `agent: ${words}`])
  assert.equal(call.asked.length, 0, 'no model is asked for what nobody will hear')
  await call.leaves()
})

test('urgent operator text is said over the caller, whose words are answered afterwards', async () => {
  const call = scriptedCall({ opening: null, reply: () => 'Certo.' })
  call.begins('Eu queria saber se vocês têm vaga amanhã de manhã.', 3500)
  await call.pass(1000)
  const at = call.now
  assert.equal(call.lead.say(words, true), 'said')
  await call.pass(9000)
  const said = call.lastHeard(words)
  assert.deepEqual([said?.from, said?.isCut], [at, false])
  assert.deepEqual(call.record(), [
    `agent: ${words}`,
    'caller: Eu queria saber se vocês têm vaga amanhã de manhã.',
    'agent: Certo.',
  ])
  assert.ok(call.volumes.every(({ gain }) => gain === 1))
  await call.leaves()
})

test('operator text that started in silence can be interrupted', async () => {
  const long = `${words} Se não puder, veja também a semana que vem, de segunda a quarta, à tarde.`
  const call = scriptedCall({ opening: null, reply: () => 'Certo.' })
  await call.pass(500)
  assert.equal(call.lead.say(long, true), 'said')
  await call.pass(2500)
  await call.says('Amanhã às nove está ótimo.', 1500)
  await call.pass(4000)
  const [first, ...rest] = call.record()
  assert.match(first ?? '', /^agent: Temos uma vaga .*…$/)
  assert.deepEqual(rest, ['caller: Amanhã às nove está ótimo.', 'agent: Certo.'])
  await call.leaves()
})

test('operator text of which nothing was played is said after the caller’s turn', async () => {
  const call = scriptedCall({
    opening: null,
    saying: (text, times) => (text === words && times === 0 ? null : undefined),
  })
  await call.pass(500)
  assert.equal(call.lead.say(words, false), 'said')
  await call.says('Alô, vocês têm vaga?', 1200)
  await call.pass(5000)
  assert.deepEqual(call.record(), ['caller: Alô, vocês têm vaga?', `agent: ${words}`])
  await call.leaves()
})

test('urgent operator text replaces the reply being generated', async () => {
  const call = scriptedCall({ opening: null, modelMs: 3000, reply: () => 'Nunca dito.' })
  await call.says('Vocês têm vaga?', 1000)
  await call.pass(2000)
  assert.equal(call.lead.say(words, true), 'said')
  await call.pass(6000)
  assert.deepEqual(call.record(), ['caller: Vocês têm vaga?', `agent: ${words}`])
  await call.leaves()
})

test('after a goodbye operator text is refused and the call cannot be transferred', async () => {
  const call = scriptedCall({ opening: null, reply: () => new Error('down'), rules: { maxFailures: 1 } })
  await call.says('Alô?', 400)
  await call.pass(2500)
  assert.equal(call.lead.say(words, true), 'refused')
  assert.equal(call.lead.suspend(), false)
  await call.pass(9000)
  assert.equal(call.ended?.endReason, 'llm_error')
  assert.equal(call.lead.say(words, true), 'refused', 'nor when it has ended')
})

test('the queue of operator texts is limited', async () => {
  const call = scriptedCall({ opening })
  await call.pass(500)
  const answers = Array.from({ length: 12 }, (_, i) => call.lead.say(`Recado ${i}.`, false))
  assert.deepEqual(answers, [...Array(10).fill('queued'), 'refused', 'refused'])
  await call.leaves()
})

test('a suspended agent is silent; when resumed it says that the transfer failed and goes on', async () => {
  const call = scriptedCall({ opening, reply: (to) => `Resposta a: ${to}` })
  await call.pass(800)
  assert.equal(call.lead.suspend(), true)
  assert.equal(call.lead.suspend(), false, 'it has done so already')
  await call.says('Alô? Tem alguém aí?', 1500)
  await call.pass(40_000)
  assert.equal(call.heard.length, 1)
  assert.equal(call.ended, undefined, 'nor is a silence its business')
  const at = call.now
  call.lead.resume()
  await call.pass(8000)
  assert.equal(call.lastHeard('Desculpe')?.from, at)
  await call.says('Tudo bem.', 700)
  await call.pass(4000)
  const [first, ...rest] = call.record()
  assert.match(first ?? '', /^agent: Olá, .*…$/)
  assert.deepEqual(rest, [`agent: ${failed}`, 'caller: Tudo bem.', 'agent: Resposta a: Tudo bem.'])
  await call.leaves()
})

test('what the caller said before the suspension is answered afterwards', async () => {
  const call = scriptedCall({ opening: null, reply: () => 'Certo.' })
  await call.says('Quero falar com uma pessoa.', 1500)
  await call.pass(350)
  assert.equal(call.turns().length, 0, 'he may go on')
  assert.equal(call.lead.suspend(), true)
  await call.pass(10_000)
  call.lead.resume()
  await call.pass(9000)
  assert.deepEqual(call.record(), [`agent: ${failed}`, 'caller: Quero falar com uma pessoa.', 'agent: Certo.'])
  await call.leaves()
})

test('a session ended by the operator has that reason and stores the last words', async () => {
  const call = scriptedCall({ opening })
  await call.pass(5000)
  call.begins('Quero falar com o financeiro.', 1500)
  await call.pass(2000)
  call.lead.end('handed_over')
  await call.pass(100)
  assert.equal(call.ended?.endReason, 'handed_over')
  assert.deepEqual(call.record(), [`agent: ${opening}`, 'caller: Quero falar com o financeiro.'])
})
