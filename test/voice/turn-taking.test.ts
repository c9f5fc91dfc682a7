import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scriptedCall } from './scripted-call.ts'

const texts = (call: ReturnType<typeof scriptedCall>) => call.lines.map(({ who, text }) => `${who}: ${text}`)

test('the agent opens, the caller asks, the agent answers', async () => {
  const call = scriptedCall({ reply: () => 'Abrimos às oito.' })
  await call.pass(2000)
  await call.says('Que horas abre?', 1200)
  await call.pass(4000)
  assert.deepEqual(texts(call), ['agent: Olá, sou a Ana.', 'caller: Que horas abre?', 'agent: Abrimos às oito.'])
  await call.leaves()
})

test('latency is pause, recognition and model, and little more', async () => {
  const call = scriptedCall({ reply: () => 'Sim.', modelMs: 300, recognitionMs: 200 })
  await call.pass(2000)
  await call.says('Abre hoje?', 1000)
  const quietAt = call.clock.now()
  await call.pass(3000)
  const answer = call.heard.find(({ text }) => text === 'Sim.')
  assert.ok(answer)
  const waited = answer.from - quietAt
  assert.ok(waited >= 700 && waited <= 900, `${waited} ms after the last sound`)
  await call.leaves()
})

test('a caller who goes on after a short pause gets one answer', async () => {
  const call = scriptedCall({ reply: () => 'Certo.' })
  await call.pass(2000)
  await call.says('Eu queria marcar', 1000)
  await call.pass(500)
  await call.says('uma consulta amanhã.', 1000)
  await call.pass(4000)
  assert.deepEqual(call.turns(), ['Eu queria marcar uma consulta amanhã.'])
  await call.leaves()
})

test('speech over the agent interrupts it', async () => {
  const long = 'Temos muitos horários livres nesta semana e também na próxima, é só escolher o dia que for melhor.'
  const reply = (_: string, turn: number) => (turn === 0 ? long : 'Amanhã às nove.')
  const call = scriptedCall({ reply, rules: { interruptAfterMs: 300 } })
  await call.pass(2000)
  await call.says('Quais horários?', 1000)
  await call.pass(2500)
  const began = call.clock.now()
  await call.says('Quero amanhã cedo.', 1500)
  const cut = call.heard.find(({ text }) => text === long)
  assert.ok(cut && call.holds[0]?.isHeld)
  assert.ok(cut.to - began <= 300 + 60, `stopped ${cut.to - began} ms after the first sound`)
  await call.pass(4000)
  const said = call.lines.find(({ isCut }) => isCut)
  assert.ok(said && long.startsWith(said.text) && said.text.length < long.length, 'only what was heard is on record')
  assert.equal(call.lines.at(-1)?.text, 'Amanhã às nove.')
  await call.leaves()
})

test('after a cough the agent resumes where it was', async () => {
  const long = 'O endereço é rua das flores, número cem, no centro da cidade, perto da praça.'
  const call = scriptedCall({ reply: () => long })
  await call.pass(2000)
  await call.says('Onde fica?', 1000)
  await call.pass(2500)
  await call.says('', 600)
  await call.pass(9_000)
  assert.equal(call.lines.at(-1)?.text, long)
  assert.equal(call.lines.filter(({ who }) => who === 'agent').length, 2, 'one opening and one answer')
  await call.leaves()
})

test('a backchannel does not interrupt the agent', async () => {
  const long = 'Primeiro a senhora traz o documento, depois preenche a ficha e aguarda ser chamada.'
  const call = scriptedCall({ reply: () => long })
  await call.pass(2000)
  await call.says('Como funciona?', 1000)
  await call.pass(2500)
  await call.says('Aham.', 250)
  await call.pass(10_000)
  const answer = call.lines.at(-1)
  assert.deepEqual([answer?.text, answer?.isCut], [long, false])
  await call.leaves()
})

test('a caller who says nothing is reminded twice, and then the call ends', async () => {
  const call = scriptedCall()
  await call.pass(60_000)
  assert.deepEqual(
    call.lines.map(({ text }) => text),
    ['Olá, sou a Ana.', 'Você ainda está aí?', 'Alô? Ainda posso ajudar?'],
  )
  assert.equal(call.ended?.endReason, 'silence_timeout')
  await call.done
})

test('a failed model leads to an apology, and after three failures to a goodbye', async () => {
  const call = scriptedCall({ reply: () => new Error('down') })
  await call.pass(2000)
  for (let i = 0; i < 3; i++) {
    await call.says('Alguém aí?', 800)
    await call.pass(8000)
  }
  const agent = call.lines.filter(({ who }) => who === 'agent').map(({ text }) => text)
  assert.match(agent[1] ?? '', /Pode repetir/)
  assert.match(agent.at(-1) ?? '', /ligue mais tarde/)
  assert.equal(call.ended?.endReason, 'llm_error')
})

test('a model that never answers does not leave the caller in silence', async () => {
  const call = scriptedCall({ reply: () => null })
  await call.pass(2000)
  await call.says('Que horas são?', 1000)
  await call.pass(5000)
  assert.ok(
    call.heard.some(({ text }) => text === 'Um momento, por favor.'),
    'after three seconds',
  )
  await call.pass(12_000)
  assert.match(call.lines.at(-1)?.text ?? '', /Pode repetir/)
  await call.leaves()
})

test('digits are a turn of their own, ended by # or by a pause', async () => {
  const asked: string[] = []
  const call = scriptedCall({
    reply: (to) => {
      asked.push(to)
      return 'Obrigada.'
    },
  })
  await call.pass(2000)
  await call.presses('12345#')
  await call.pass(3000)
  await call.presses('99')
  await call.pass(6000)
  assert.deepEqual(asked, ['12345', '99'])
  await call.leaves()
})

test('the caller speaks first where the agent is told to wait', async () => {
  const call = scriptedCall({ opening: null, reply: () => 'Pois não?' })
  await call.pass(3000)
  assert.deepEqual(call.heard, [])
  await call.says('Alô?', 600)
  await call.pass(3000)
  assert.deepEqual(texts(call), ['caller: Alô?', 'agent: Pois não?'])
  await call.leaves()
})

test('a hang-up ends the session at once', async () => {
  const call = scriptedCall()
  await call.pass(300)
  const { endReason } = await call.leaves()
  assert.equal(endReason, 'caller_hangup')
  const heard = call.lines.at(-1)
  assert.ok(heard === undefined || heard.isCut)
})
