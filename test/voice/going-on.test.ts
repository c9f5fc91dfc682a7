// The caller speaks while the agent is thinking, before any of its reply was heard.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Script, scriptedCall } from './scripted-call.ts'

/** A call in which the agent has been thinking for a while. */
async function thinking(script: Script = {}) {
  const call = scriptedCall({ reply: (to) => `Sobre: ${to}`, modelMs: 1500, ...script })
  await call.pass(2000)
  await call.says('Que horas abre?', 1000)
  await call.pass(700)
  assert.equal(call.asked.length, 1)
  return call
}

test('a caller who goes on while the agent thinks gets one answer to everything', async () => {
  const call = await thinking()
  await call.says('E no sábado?', 900)
  await call.pass(5000)
  assert.deepEqual(call.record().slice(1), [
    'caller: Que horas abre? E no sábado?',
    'agent: Sobre: Que horas abre? E no sábado?',
  ])
  await call.leaves()
})

test('the reply to the first half is never played', async () => {
  const call = await thinking({ reply: (_, turn) => (turn === 0 ? 'Às oito.' : 'Às nove.') })
  await call.says('E no sábado?', 900)
  await call.pass(5000)
  assert.deepEqual(
    call.heard.map(({ text }) => text),
    ['Olá, sou a Ana.', 'Às nove.'],
  )
  await call.leaves()
})

test('a reply that is ready while the caller speaks waits', async () => {
  const call = await thinking({ modelMs: 800 })
  await call.says('', 1500)
  const quietAt = call.now
  await call.pass(4000)
  const reply = call.lastHeard('Sobre')
  assert.ok(reply && reply.from >= quietAt, 'not over his voice')
  assert.ok(reply.from - quietAt <= 250 + 200 + 60, `${reply.from - quietAt} ms after it`)
  assert.equal(call.asked.length, 1, 'noise does not ask again')
  await call.leaves()
})

test('a cough while the agent thinks costs nothing', async () => {
  const call = await thinking()
  await call.says('', 200)
  await call.pass(5000)
  assert.deepEqual(call.questions(), ['Que horas abre?'])
  const turn = call.events.find((event) => event.type === 'turn')
  assert.ok(turn)
  assert.equal(turn.synthesizedAt - turn.repliedAt, 1500, 'the model alone was waited for')
  await call.leaves()
})

test('repeated noise does not delay the apology for a stalled model', async () => {
  const call = await thinking({ reply: () => null })
  for (let i = 0; i < 10; i++) {
    await call.says('', 300)
    await call.pass(1500)
  }
  assert.ok(call.lastHeard('Um momento'), 'it is filled')
  await call.pass(6000)
  assert.ok(call.lastHeard('Desculpe'))
  await call.leaves()
})

test('a backchannel while the agent thinks does not restart the reply', async () => {
  const call = await thinking()
  await call.says('Tá bom.', 500)
  await call.pass(5000)
  assert.deepEqual(call.questions(), ['Que horas abre?'])
  assert.equal(call.lines.at(-1)?.text, 'Sobre: Que horas abre?')
  await call.leaves()
})

test('an uninterruptible agent still gets the second half', async () => {
  const call = await thinking({ rules: { interruptible: false } })
  await call.says('E no sábado?', 900)
  await call.pass(5000)
  assert.equal(call.lines.at(-1)?.text, 'Sobre: Que horas abre? E no sábado?')
  await call.leaves()
})

test('a dropped reply is no longer generated', async () => {
  const call = await thinking({ reply: (_to, turn) => (turn === 0 ? [{ say: 'Às oito.' }, 5000] : null) })
  await call.says('E no sábado?', 900)
  await call.pass(3000)
  assert.deepEqual(call.questions(), ['Que horas abre?', 'Que horas abre? E no sábado?'])
  assert.equal(call.lastHeard('Às oito'), undefined)
  await call.leaves()
})

test('a pause between two sentences of the model does not end its turn', async () => {
  const call = await thinking({
    modelMs: 300,
    reply: () => [{ say: 'Abrimos às oito. ' }, 2500, { say: 'E fechamos às seis.' }],
  })
  await call.pass(8000)
  assert.equal(call.lines.at(-1)?.text, 'Abrimos às oito. E fechamos às seis.')
  assert.deepEqual(call.events.flatMap((event) => (event.type === 'state' ? [event.state] : [])).slice(-5), [
    'thinking',
    'speaking',
    'thinking',
    'speaking',
    'listening',
  ])
  await call.leaves()
})

test('words in such a pause end the turn, and what was heard is stored', async () => {
  const call = await thinking({
    modelMs: 300,
    reply: (to, turn) =>
      turn === 0 ? [{ say: 'Abrimos às oito. ' }, 4000, { say: 'E fechamos às seis.' }] : `Sobre: ${to}`,
  })
  await call.pass(1200)
  await call.says('E no sábado?', 900)
  await call.pass(6000)
  assert.deepEqual(call.record().slice(2), [
    'agent: Abrimos às oito.…',
    'caller: E no sábado?',
    'agent: Sobre: E no sábado?',
  ])
  await call.leaves()
})
